// No two objects of a kind may have the same name. Checked when the model is complete: replicate makes names on the way that do not
// last.
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

struct UniquePass {
    Named<const std::string*> seen[obj::plugin + 1]{};  // where each name was given first

    [[gnu::noinline]] void item(int type, const std::string& name, const std::string& where) {
        if (name.empty() || seen[type].add(name, &where)) return;
        throw_model_error({where, ": repeated name '", name, "', expected a name no other ", Reader::kind_name(type), " has (see ",
                           **seen[type].find(name), ")"});
    }
    template <class List>
    void list(int type, const List& items) {
        for (const auto& x : items) item(type, x.name, x.where);
    }
    [[gnu::cold]] void body(const SpecBody& b) {
        item(obj::body, b.name, b.where);
        list(obj::joint, b.joints);
        list(obj::geom, b.geoms);
        list(obj::site, b.sites);
        list(obj::camera, b.cameras);
        list(obj::light, b.lights);
        for (const SpecBody& child : b.bodies) body(child);
    }
};

[[gnu::cold]] inline void check_unique_names(const Spec& s) {
    UniquePass pass;
    pass.body(s.world);
    pass.list(obj::mesh, s.meshes);
    pass.list(obj::hfield, s.hfields);
    pass.list(obj::material, s.materials);
    pass.list(obj::pair, s.pairs);
    pass.list(obj::exclude, s.excludes);
    pass.list(obj::equality, s.equalities);
    pass.list(obj::tendon, s.tendons);
    pass.list(obj::actuator, s.actuators);
    pass.list(obj::sensor, s.sensors);
    pass.list(obj::numeric, s.numerics);
    pass.list(obj::text, s.texts);
    pass.list(obj::tuple, s.tuples);
    pass.list(obj::key, s.keys);
}

}  // namespace mjx::inner::mjcf
