// Reader: what the parts of the MJCF reader share: the Spec being filled, the default classes, what <compiler> says about angles
// and files, and the names given so far.
#pragma once

#include "mjx/io/account.hpp"
#include "mjx/io/mjcf/orientation.hpp"
#include "mjx/io/urdf/options.hpp"
#include "mjx/model/spec.hpp"

#include <map>
#include <memory>

namespace mjx::inner::mjcf {

// Things by name, each at an address of its own.
template <class T>
class Named {
  public:
    const T* find(std::string_view name) const {
        const int* place = places.find(name);
        return place ? items[*place] : nullptr;
    }
    // The new thing, or null when the name is taken.
    T* add(const std::string& name, const T& item) {
        if (!places.add(name, static_cast<int>(items.size()))) return nullptr;
        names.push_back(name);
        return items.push_back(&storage.emplace_back(item));
    }
    // Removes what was added after there were n.
    void shrink(std::size_t n) {
        for (; items.size() > n; items.pop_back(), names.pop_back()) {
            places.remove(names.back());
            storage.pop_back();
        }
    }
    std::size_t size() const { return items.size(); }

  private:
    SpecList<T> storage{};
    List<T*> items{};
    List<std::string> names{};
    NameMap places{};
};

// One default class: an example of every element that can have defaults. A new class starts as a copy of its parent.
struct Defaults {
    [[gnu::cold]] Defaults() = default;
    [[gnu::cold]] ~Defaults() = default;
    [[gnu::cold]] Defaults(const Defaults&) = default;  // or copies of all its members would be spelled out in it

    SpecMesh mesh{};
    SpecMaterial material{};
    SpecJoint joint{};
    SpecGeom geom{};
    SpecSite site{};
    SpecCamera camera{};
    Orientation geom_orientation{}, site_orientation{}, camera_orientation{};  // not written as quaternions
    SpecLight light{};
    SpecPair pair{.condim = 3,
                  .solref = default_solref,
                  .solreffriction = SolRef{{0, 0}},
                  .solimp = default_solimp,
                  .margin = 0,
                  .gap = 0,
                  .adhesion = 0,
                  .friction = Vec<double, 5>{{1, 1, 0.005, 0.0001, 0.0001}}};
    SpecEquality equality{.data = {{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1}}};
    SpecTendon tendon{};
    SpecActuator actuator{};
};

struct Files {
    std::string main{};       // what messages call the main file
    std::string directory{};  // of the main file
    std::string meshdir{};    // of meshes and height fields
    std::string texturedir{};
    bool strippath = false;
};

// The names of each kind of object (obj::), to see whether a reference can be resolved. A name counts as often as it is given.
struct Names {
    NameMap used[obj::plugin + 1]{};

    bool has(int type, const std::string& name) const { return used[type == obj::xbody ? int(obj::body) : type].contains(name); }
    void add(int type, const std::string& name) {
        if (!name.empty()) ++used[type][name];
    }
    void remove(int type, const std::string& name) {
        if (used[type].contains(name) && --used[type][name] == 0) used[type].remove(name);
    }
};

// Which options the file wrote, as opposed to those left at their defaults.
struct WrittenOptions {
    NameMap options{};
    int disableflags = 0, enableflags = 0;
};

using Frames = Named<SpecBody>;   // the contents of each named frame, with its pose
using LocalPoses = Named<Pose>;   // of each named body, in the frame it is written in

// A keyframe of an attached model, cut into pieces; see keys.hpp.
struct AdoptedKey {
    std::string name{}, where{};
    double time = 0;
    bool has[6] = {};
    std::map<int, int> pieces[6]{};  // where in `values` the piece of a tag begins
    List<double> values{};
};

// A plugin with its parameters as attributes (plugins.hpp).
struct PluginKind;
struct PluginInstance {
    const PluginKind* kind = nullptr;
    Element config{};
};

struct ChildModel;

struct Reader {
    Spec& spec;
    Account* account = nullptr;  // what all files of the model have taken of its budget
    UrdfOptions urdf{};
    Angles angles{};
    Files files{};
    Defaults main{};              // the class "main"
    Named<Defaults> classes{};    // all others
    Names names{};
    Frames frames{};
    LocalPoses local_poses{};
    SpecList<ChildModel> child_models{};
    Named<const ChildModel*> models{};
    Named<PluginInstance> plugins{};         // instances
    List<std::string> model_chain{};  // files being read, the outermost first
    NameMap textures{};
    WrittenOptions written{};
    SpecList<AdoptedKey> adopted_keys{};
    int last_tag = 0;
    bool planar_joints = false;  // of URDF: one Planar joint instead of two slides and a hinge
    std::map<int, int> retagged{};           // tags of the last part copied, from the original to the copy
    int conflict = 0;                        // <compiler conflict>: what attach does about options that differ

    const Defaults& find_class(const Element& e, const char* attribute) const {
        const std::string name = e.text(attribute);
        const Defaults* found = name == "main" ? &main : classes.find(name);
        if (!found) e.fail({"attribute '", attribute, "': unknown default class '", name, "'"});
        return *found;
    }
    // The class an element takes its defaults from: its own, or the one of its surroundings.
    const Defaults& class_of(const Element& e, const Defaults& surroundings) const {
        return e.has("class") ? find_class(e, "class") : surroundings;
    }
    const Defaults& class_of(const Element& e) const { return class_of(e, main); }

    // Reads name and place of a new object.
    template <class T>
    void identify(const Element& e, int type, T& item) {
        identify(e, type, item.name, item.where);
        if constexpr (requires { item.tag; }) item.tag = ++last_tag;
    }
    [[gnu::noinline]] void identify(const Element& e, int type, std::string& name, std::string& where) {
        name = e.text("name");
        where = e.where();
        names.add(type, name);
    }
    static const char* kind_name(int type) {
        static constexpr const char* kinds[] = {"unknown",  "body",  "xbody",   "joint",    "dof",    "geom",     "site",
                                                "camera",   "light", "flex",    "mesh",     "skin",   "hfield",   "texture",
                                                "material", "pair",  "exclude", "equality", "tendon", "actuator", "sensor",
                                                "numeric",  "text",  "tuple",   "key",      "plugin"};
        return kinds[type];
    }
};

// A model read by <asset><model>, from which <attach> copies.
struct ChildModel {
    Spec spec{};
    Reader reader{.spec = spec};
};

}  // namespace mjx::inner::mjcf
