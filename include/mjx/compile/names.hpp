// Names to ids, per kind of object. A name may appear once per kind; references say what was not found and where.
#pragma once

#include "mjx/compile/tree.hpp"
#include "mjx/model/model.hpp"
#include "mjx/model/name_map.hpp"

namespace mjx::inner::compiler {

// A model on its way: its tables, and the joints that they speak of.
struct CompiledModel : Model<double> {
    JointKinds kinds;
    const JointKind& kind(int j) const { return *find_kind(kinds, jnt_type[j]); }
};

[[gnu::cold]] inline const char* kind_name(int kind) {
    switch (kind) {
        case obj::body:
        case obj::xbody: return "body";
        case obj::joint: return "joint";
        case obj::geom: return "geom";
        case obj::site: return "site";
        case obj::camera: return "camera";
        case obj::light: return "light";
        case obj::mesh: return "mesh";
        case obj::hfield: return "hfield";
        case obj::pair: return "pair";
        case obj::exclude: return "exclude";
        case obj::equality: return "equality";
        case obj::tendon: return "tendon";
        case obj::actuator: return "actuator";
        case obj::sensor: return "sensor";
        case obj::numeric: return "numeric";
        case obj::text: return "text";
        case obj::tuple: return "tuple";
        case obj::key: return "key";
        default: return "object";
    }
}

class Names {
  public:
    // Takes the names of one kind in id order.
    [[gnu::noinline]] void set(int kind, const Array<std::string>& names, const std::string& where) {
        NameMap& ids = tables_[slot(kind)];
        ids.clear();
        for (int i = 0; i < names.size(); ++i) {
            if (names[i].empty()) continue;
            if (!ids.add(names[i], i))
                fail(where, {"repeated name ", quoted(names[i]), ", expected each ", kind_name(kind), " to have its own name"});
        }
    }
    // The id, or -1.
    [[gnu::noinline]] int find(int kind, const std::string& name) const {
        const int* id = tables_[slot(kind)].find(name);
        return id ? *id : -1;
    }
    [[gnu::noinline]] int require(int kind, const std::string& name, const std::string& where) const {
        const int id = find(kind, name);
        if (id < 0) fail(where, {"unknown ", kind_name(kind), " ", quoted(name)});
        return id;
    }
    // The id of what `user`, itself a `what`, refers to.
    template <class Element>
    int require(int kind, const std::string& name, const Element& user, const char* what) const {
        const int id = find(kind, name);
        return id >= 0 ? id : require(kind, name, place(user, what));
    }

  private:
    NameMap tables_[obj::plugin + 1]{};

    static int slot(int kind) { return kind == obj::xbody ? int(obj::body) : kind; }
};

}  // namespace mjx::inner::compiler
