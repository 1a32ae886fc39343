// Reader: what the parts of the MJCF reader share: the Spec being filled, the default classes, what <compiler> says about angles
// and files, and the names given so far.
#pragma once

#include "mjx/io/mjcf/orientation.hpp"
#include "mjx/model/spec.hpp"

#include <map>
#include <memory>
#include <set>

namespace mjx::mjcf {

// An element together with an orientation that may still be written as angles.
template <class T>
struct Posed {
    T item{};
    Orientation alternative{};
};

// One default class: an example of every element that can have defaults. A new class starts as a copy of its parent.
struct Defaults {
    std::string name{"main"};
    SpecMesh mesh{};
    SpecMaterial material{};
    SpecJoint joint{};
    Posed<SpecGeom> geom{};
    Posed<SpecSite> site{};
    Posed<SpecCamera> camera{};
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
    SpecTendon tendon{.actfrclimited = Tristate::no};
    SpecActuator actuator{};
};

struct Files {
    std::string directory{};  // of the main file
    std::string meshdir{};    // of meshes and height fields
    bool strippath = false;
};

// The names of each kind of object (obj::), to see whether a reference can be resolved. A name counts as often as it is given.
struct Names {
    std::map<int, std::map<std::string, int, std::less<>>> used{};

    bool has(int type, const std::string& name) const {
        const auto found = used.find(type == obj::xbody ? int(obj::body) : type);
        return found != used.end() && found->second.contains(name);
    }
    void add(int type, const std::string& name) {
        if (!name.empty()) ++used[type][name];
    }
    void remove(int type, const std::string& name) {
        const auto found = used[type].find(name);
        if (found != used[type].end() && --found->second == 0) used[type].erase(found);
    }
};

// Which options the file wrote, as opposed to those left at their defaults.
struct WrittenOptions {
    std::set<std::string, std::less<>> options{};
    int disableflags = 0, enableflags = 0;
};

using Frames = std::map<std::string, SpecBody, std::less<>>;    // the contents of each named frame, with its pose
using LocalPoses = std::map<std::string, Pose, std::less<>>;     // of each named body, in the frame it is written in

// A model read by <asset><model>, from which <attach> copies.
struct ChildModel {
    Spec spec{};
    Frames frames{};
    LocalPoses local_poses{};
    WrittenOptions written{};
};

// A keyframe of an attached model, cut into pieces by tag; see keys.hpp.
struct AdoptedKey {
    std::string name{}, where{};
    double time = 0;
    bool has[6] = {};
    std::map<int, std::vector<double>> pieces[6]{};
};

// A signed distance field by formula that a plugin instance describes.
struct FieldInstance {
    std::string name{};
    std::vector<double> params{};
};

struct Reader {
    Spec spec{};
    Angles angles{};
    Files files{};
    std::map<std::string, Defaults, std::less<>> classes{{"main", {}}};
    Names names{};
    Frames frames{};
    LocalPoses local_poses{};
    std::map<std::string, ChildModel, std::less<>> models{};
    std::map<std::string, FieldInstance, std::less<>> fields{};  // plugin instances
    std::vector<std::string> model_chain{};  // files being read, the outermost first
    std::set<std::string, std::less<>> textures{};
    WrittenOptions written{};
    std::vector<AdoptedKey> adopted_keys{};
    int last_tag = 0;
    std::map<int, int> retagged{};           // tags of the last part copied, from the original to the copy
    int copies = 0;                          // elements made by replicate and attach
    int conflict = 0;                        // <compiler conflict>: what attach does about options that differ

    const Defaults& main_class() const { return classes.find("main")->second; }
    const Defaults& find_class(const Element& e, const char* attribute) const {
        const auto found = classes.find(e.text(attribute));
        if (found == classes.end())
            e.fail(std::string("attribute '") + attribute + "': unknown default class '" + e.text(attribute) + "'");
        return found->second;
    }
    // The class an element takes its defaults from: its own, or the one of its surroundings.
    const Defaults& class_of(const Element& e, const Defaults& surroundings) const {
        return e.has("class") ? find_class(e, "class") : surroundings;
    }
    const Defaults& class_of(const Element& e) const { return class_of(e, main_class()); }

    // Reads name and place of a new object.
    template <class T>
    void identify(const Element& e, int type, T& item) {
        item.name = e.text("name");
        item.where = e.where();
        if constexpr (requires { item.tag; }) item.tag = ++last_tag;
        names.add(type, item.name);
    }
    static const char* kind_name(int type) {
        static constexpr const char* kinds[] = {"unknown", "body",  "xbody", "joint",  "dof",     "geom",     "site",     "camera",   "light",
                                                "flex",    "mesh",  "skin", "hfield", "texture", "material", "pair",     "exclude",  "equality",
                                                "tendon",  "actuator", "sensor", "numeric", "text", "tuple",    "key",      "plugin"};
        return kinds[type];
    }
};

}  // namespace mjx::mjcf
