// Names to ids, per kind of object. A name may appear once per kind; references say what was not found and where.
#pragma once

#include "mjx/compile/tree.hpp"
#include "mjx/model/model.hpp"

namespace mjx::compiler {

using CompiledModel = Model<double>;

inline const char* kind_name(int kind) {
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
    void set(int kind, const Array<std::string>& names, const std::string& where) {
        auto& ids = table(kind);
        ids.clear();
        for (int i = 0; i < names.size(); ++i) {
            if (names[i].empty()) continue;
            if (!ids.emplace(names[i], i).second)
                fail(where, std::string("repeated name ") + quoted(names[i]) + ", expected each " + kind_name(kind) +
                                " to have its own name");
        }
    }
    // The id, or -1.
    int find(int kind, const std::string& name) const {
        const auto& ids = table(kind);
        const auto found = ids.find(name);
        return found == ids.end() ? -1 : found->second;
    }
    int require(int kind, const std::string& name, const std::string& where) const {
        const int id = find(kind, name);
        if (id < 0) fail(where, std::string("unknown ") + kind_name(kind) + " " + quoted(name));
        return id;
    }

  private:
    std::array<std::unordered_map<std::string, int>, obj::plugin + 1> tables_{};

    static std::size_t slot(int kind) { return static_cast<std::size_t>(kind == obj::xbody ? obj::body : kind); }
    std::unordered_map<std::string, int>& table(int kind) { return tables_[slot(kind)]; }
    const std::unordered_map<std::string, int>& table(int kind) const { return tables_[slot(kind)]; }
};

}  // namespace mjx::compiler
