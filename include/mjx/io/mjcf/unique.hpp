// No two objects of a kind may have the same name. Checked when the model is complete: replicate makes names on the way that do not
// last.
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::mjcf {

struct UniquePass {
    std::map<int, std::map<std::string_view, const std::string*>> seen{};

    template <class T>
    void item(int type, const T& x) {
        if (x.name.empty()) return;
        const auto [found, fresh] = seen[type].try_emplace(x.name, &x.where);
        if (!fresh)
            throw model_error(x.where + ": repeated name '" + x.name + "', expected a name no other " + Reader::kind_name(type) +
                              " has (see " + *found->second + ")");
    }
    template <class List>
    void list(int type, const List& items) {
        for (const auto& x : items) item(type, x);
    }
    void body(const SpecBody& b) {
        item(obj::body, b);
        list(obj::joint, b.joints);
        list(obj::geom, b.geoms);
        list(obj::site, b.sites);
        list(obj::camera, b.cameras);
        list(obj::light, b.lights);
        for (const SpecBody& child : b.bodies) body(child);
    }
};

inline void check_unique_names(const Spec& s) {
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

}  // namespace mjx::mjcf
