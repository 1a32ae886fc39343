// Spec: a model as a person writes it, before it is compiled. MJCF and URDF are read into it; C++ can fill it directly:
//
//     mjx::Spec spec;
//     auto& arm = spec.world.add_body({.name = "arm", .pos = {0, 0, 1}});
//     arm.add_joint({.type = Hinge::type, .axis = {0, 1, 0}, .damping = {0.1}});
//     arm.add_geom({.type = shape::capsule, .size = {0.05}, .fromto = {0, 0, 0, 0, 0, -1}});
//     mjx::Model model = mjx::compile(spec);
//
// Defaults are MuJoCo's. Angles are radians, quaternions wxyz, frames relative to the owning body. `where` is what an error
// message says about the element (file and element path when it came from a file).
#pragma once

#include "mjx/math/quat.hpp"
#include "mjx/model/actuator_kinds.hpp"
#include "mjx/model/budget.hpp"
#include "mjx/model/equality_kinds.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/model/list.hpp"
#include "mjx/model/option.hpp"
#include "mjx/model/pieces.hpp"
#include "mjx/model/sensor_kinds.hpp"
#include "mjx/model/shape/list.hpp"
#include "mjx/model/spec_list.hpp"
#include "mjx/model/transmission_kinds.hpp"
#include "mjx/model/visual.hpp"

#include <concepts>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace mjx::inner {

// Any trouble with a model: "file: element path: what is wrong, what was expected".
struct model_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The character at the start of a text in UTF-8, and how many bytes it takes: 0 if there is none (Unicode, table 3-7).
struct Character {
    char32_t code;
    std::size_t bytes;
};
inline Character first_character(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.empty() ? '\0' : text.front());
    if (lead < 0x80) return {lead, text.empty() ? std::size_t(0) : std::size_t(1)};
    const std::size_t bytes = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (bytes == 0 || text.size() < bytes) return {0, 0};
    char32_t code = lead & (0x7f >> bytes);
    for (const char c : text.substr(1, bytes - 1)) {
        if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) return {0, 0};
        code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
    }
    const bool longer_than_needed = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    const bool none = longer_than_needed || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
    return none ? Character{0, 0} : Character{code, bytes};
}

// Marks that part lines or turn the direction of what follows (Unicode, UAX 9), so that a message would read as another one.
constexpr bool misleads(char32_t code) {
    return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

// Text of a file as a message may show it: no control character, which could move a terminal's cursor or forge a line, no mark that
// misleads, no byte that is not UTF-8, and no more than anyone reads.
[[gnu::cold, gnu::noinline]] inline std::string printable(std::string_view text) {
    constexpr std::size_t longest = 8000;
    constexpr std::string_view digits = "0123456789abcdef";
    std::string shown;
    std::size_t at = 0;
    while (at < text.size() && at < longest) {
        const auto [code, bytes] = first_character(text.substr(at));
        const unsigned byte = bytes > 0 ? static_cast<unsigned>(code) : static_cast<unsigned char>(text[at]);
        if (bytes == 0 || code < 0x20 || (code >= 0x7f && code < 0xa0))
            shown += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        else if (misleads(code))
            shown += {'\\', 'u', '{', digits[code >> 12], digits[code >> 8 & 15], digits[code >> 4 & 15], digits[code & 15], '}'};
        else
            shown += text.substr(at, bytes);
        at += bytes > 0 ? bytes : 1;
    }
    return at < text.size() ? shown + "..." : shown;
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_model_error(Pieces pieces) { throw model_error(printable(joined(pieces))); }

using Vec3d = Vec3<double>;
using Quatd = Quat<double>;
using SolRef = Vec<double, nref>;
using SolImp = Vec<double, nimp>;
inline constexpr SolRef default_solref{0.02, 1};
inline constexpr SolImp default_solimp{0.9, 0.95, 0.001, 0.5, 2};

// A vector that may be left out. Numbers in braces fill it, as they do where it must be there: .fromto = {0, 0, 0, 0, 0, 1}.
template <class V>
struct Given : std::optional<V> {
    using std::optional<V>::optional;
    template <std::convertible_to<double>... Numbers>
        requires(sizeof...(Numbers) > 0)
    constexpr Given(Numbers... numbers) {
        static_assert(sizeof...(Numbers) <= V::size, "a vector of a Spec is given more numbers than it has");
        if constexpr (sizeof...(Numbers) <= V::size) this->emplace(V{static_cast<typename V::scalar_type>(numbers)...});
    }
};

// Three-way answers of MJCF attributes such as limited="auto".
enum class Tristate { no, yes, automatic };

struct SpecJoint {
    std::string name{}, where{};
    int type = Hinge::type;
    Vec3d pos{0, 0, 0};
    Vec3d axis{0, 0, 1};
    double ref = 0;
    Tristate align = Tristate::automatic;  // free joints: put the frame at the centre of mass
    Vec3<double> stiffness{0, 0, 0};     // linear, quadratic, cubic
    double springref = 0;
    Vec<double, 2> springdamper{0, 0};   // time constant, damping ratio; replaces stiffness and damping when positive
    Tristate limited = Tristate::automatic;
    Vec<double, 2> range{0, 0};
    double margin = 0;
    SolRef solref_limit = default_solref;
    SolImp solimp_limit = default_solimp;
    Tristate actfrclimited = Tristate::automatic;
    Vec<double, 2> actfrcrange{0, 0};
    double armature = 0;
    Vec3<double> damping{0, 0, 0};  // linear, quadratic, cubic
    double frictionloss = 0;
    SolRef solref_friction = default_solref;
    SolImp solimp_friction = default_solimp;
    int group = 0;
    bool actgravcomp = false;
    List<double> user{};
    int tag = 0;  // of the reader: follows the joint through copies
};

struct SpecGeom {
    std::string name{}, where{};
    int type = shape::sphere;
    Vec3d pos{0, 0, 0};
    Quatd quat{1, 0, 0, 0};
    Vec3d size{0, 0, 0};
    Given<Vec6<double>> fromto{};  // capsule, cylinder, ellipsoid, box: the ends of the axis; size[0] is the radius
    int contype = 1, conaffinity = 1, condim = 3, group = 0, priority = 0;
    Vec3d friction{1, 0.005, 0.0001};
    double solmix = 1;
    SolRef solref = default_solref;
    SolImp solimp = default_solimp;
    double margin = 0, gap = 0;
    Vec6<double> surfacevel{0, 0, 0, 0, 0, 0};
    double adhesion = 0;
    std::optional<double> mass{};
    double density = 1000;
    bool shellinertia = false;
    bool fluid_ellipsoid = false;
    Vec<double, 5> fluid_coefs{0.5, 0.25, 1.5, 1.0, 1.0};
    std::string mesh{}, hfield{};
    std::string material{};
    Rgba rgba = default_rgba;  // rays pass through geoms that are fully transparent
    double fitscale = 1;
    bool trimesh = false;  // a mesh geom collides by its triangles as they are, not by its convex hull
    // Geoms of type sdf without a mesh: sphere (radius), box (half sizes), capsule (radius, half length), torus (ring, tube), gear
    // (angle, diameter, teeth, thickness, bore), bowl (height, radius, thickness), bolt or nut (radius) with its parameters; or
    // user, the model type's own sdf_distance(geom, point) inside a box of half sizes `size`. Their mass must be given by the
    // body's inertial. With a mesh as well, the mesh gives mass and bounds and meets planes; everything else meets the field.
    std::string sdf{};
    List<double> sdf_params{};
    List<double> user{};
};

struct SpecSite {
    std::string name{}, where{};
    int type = shape::sphere;
    Vec3d pos{0, 0, 0};
    Quatd quat{1, 0, 0, 0};
    Vec3d size{0.005, 0.005, 0.005};
    Given<Vec6<double>> fromto{};
    std::string mesh{};  // a site of type mesh is its convex hull, in the frame of the mesh's file
    int group = 0;
    std::string material{};
    Rgba rgba = default_rgba;
    List<double> user{};
};

struct SpecCamera {
    std::string name{}, where{};
    int mode = camlight::fixed;
    std::string target{};
    Vec3d pos{0, 0, 0};
    Quatd quat{1, 0, 0, 0};
    bool orthographic = false;
    double fovy = 45;
    Vec<int, 2> resolution{1, 1};
    Vec<double, 2> sensorsize{0, 0}, focal_length{0, 0}, focal_pixel{0, 0}, principal_length{0, 0}, principal_pixel{0, 0};
};

struct SpecLight {
    std::string name{}, where{};
    int mode = camlight::fixed;
    std::string target{};
    Vec3d pos{0, 0, 0};
    Vec3d dir{0, 0, -1};
    LightLook look{};
};

struct SpecInertial {
    Vec3d pos{0, 0, 0};
    Quatd quat{1, 0, 0, 0};
    double mass = 0;
    Vec3d diaginertia{0, 0, 0};
    Given<Vec6<double>> fullinertia{};  // xx yy zz xy xz yz
};

// The elasticity of a cable: a chain of bodies, each the child of the one before by a ball joint (stage/cable.hpp). All of them have it,
// with the same numbers; `chain` tells one cable from another.
struct SpecCable {
    std::string chain{};
    double twist = 0, bend = 0;  // moduli of shear and elasticity
    bool flat = false;  // straight at rest, whatever its shape at first
    double vmax = 0;  // for viewers: the stress that has the last colour
};

// Options of the compiler element that decide how a Spec becomes a Model. Those about files and angles end in the reader.
struct SpecCompiler {
    bool autolimits = true;
    double boundmass = 0, boundinertia = 0, settotalmass = -1;
    bool balanceinertia = false, fitaabb = false, discardvisual = false, fusestatic = false, alignfree = false;
    Tristate inertiafromgeom = Tristate::automatic;
    Vec<int, 2> inertiagrouprange{0, 5};
    // lengthrange element
    int lr_mode = 1;  // 0 none, 1 muscle, 2 muscle and user, 3 all
    bool lr_useexisting = true, lr_uselimit = false;
    double lr_accel = 20, lr_maxforce = 0, lr_timeconst = 1, lr_timestep = 0.01, lr_inttotal = 10, lr_interval = 2, lr_tolrange = 0.05;
};

struct SpecBody {
    std::string name{}, where{};
    Vec3d pos{0, 0, 0};
    Quatd quat{1, 0, 0, 0};
    std::optional<SpecInertial> inertial{};
    std::optional<SpecCable> cable{};
    std::optional<std::pair<Vec3d, Quatd>> own_pose{};  // before the frames around it: where a body without mass has its inertial frame
    bool mocap = false;
    bool simple = true;  // may be taken for a body that slides along its own axes (stage/constants.hpp)
    double gravcomp = 0;
    int sleep = sleep_policy::automatic;
    List<double> user{};
    SpecList<SpecJoint> joints{};
    SpecList<SpecGeom> geoms{};
    SpecList<SpecSite> sites{};
    SpecList<SpecCamera> cameras{};
    SpecList<SpecLight> lights{};
    SpecList<SpecBody> bodies{};
    std::shared_ptr<const SpecCompiler> compiler{};  // of the model it was attached from; null: the Spec's own
    int tag = 0;  // of the reader, as in SpecJoint

    // References stay valid while the tree grows.
    SpecBody& add_body(SpecBody b) { return bodies.emplace_back(std::move(b)); }
    SpecJoint& add_joint(SpecJoint j) { return joints.emplace_back(std::move(j)); }
    SpecGeom& add_geom(SpecGeom g) { return geoms.emplace_back(std::move(g)); }
    SpecSite& add_site(SpecSite s) { return sites.emplace_back(std::move(s)); }
    SpecCamera& add_camera(SpecCamera c) { return cameras.emplace_back(std::move(c)); }
    SpecLight& add_light(SpecLight l) { return lights.emplace_back(std::move(l)); }
};

namespace mesh_inertia {
enum : int { convex, exact, legacy, shell };
}

struct SpecMesh {
    std::string name{}, where{};
    std::string file{};  // resolved path, empty when the vertices are given
    std::string content_type{};
    List<float> vert{};  // given inline: x y z ...
    List<int> face{};  // given inline or empty: the convex hull of the vertices
    List<float> texcoord{};  // given inline: two for each vertex; for viewers
    std::string builtin{};  // sphere, hemisphere, cone, ... with params
    List<double> params{};
    std::string sdf{};  // the surface of a field by formula, with sdf_params as in SpecGeom
    List<double> sdf_params{};
    Vec3d scale{1, 1, 1}, refpos{0, 0, 0};
    Quatd refquat{1, 0, 0, 0};
    int inertia = mesh_inertia::legacy;
    int maxhullvert = -1;
};

struct SpecHfield {
    std::string name{}, where{};
    std::string file{}, content_type{};
    int nrow = 0, ncol = 0;
    Vec<double, 4> size{0, 0, 0, 0};
    List<float> elevation{};  // rows from -y to +y
};

struct SpecPair {
    std::string name{}, where{};
    std::string geom1{}, geom2{};
    std::optional<int> condim{};
    Given<SolRef> solref{}, solreffriction{};
    Given<SolImp> solimp{};
    std::optional<double> margin{}, gap{}, adhesion{};
    Given<Vec<double, 5>> friction{};
};

struct SpecExclude {
    std::string name{}, where{};
    std::string body1{}, body2{};
};

struct SpecEquality {
    std::string name{}, where{};
    int type = eq::connect;
    int objtype = obj::body;  // body or site for connect and weld
    std::string name1{}, name2{};
    bool active = true;
    SolRef solref = default_solref;
    SolImp solimp = default_solimp;
    Vec<double, neqdata> data{};
};

struct SpecWrap {
    int type = wrap::site;
    std::string name{};  // site, geom or joint
    std::string sidesite{};  // geoms only
    double prm = 0;  // pulley divisor or joint coefficient
    std::string where{};
};

struct SpecTendon {
    std::string name{}, where{};
    List<SpecWrap> path{};
    Vec3<double> stiffness{0, 0, 0}, damping{0, 0, 0};
    Vec<double, 2> springlength{-1, -1};
    double frictionloss = 0, armature = 0;
    SolRef solref_friction = default_solref, solref_limit = default_solref;
    SolImp solimp_friction = default_solimp, solimp_limit = default_solimp;
    Tristate limited = Tristate::automatic, actfrclimited = Tristate::automatic;
    Vec<double, 2> range{0, 0}, actfrcrange{0, 0};
    double margin = 0;
    int group = 0;
    std::string material{};
    Rgba rgba = default_rgba;
    double width = 0.003;
    List<double> user{};
};

struct SpecActuator {
    std::string name{}, where{};
    int gaintype = gain::fixed, biastype = bias::none, dyntype = dyn::none, trntype = trn::undefined;
    Vec<double, ngain> gainprm{1};
    Vec<double, nbias> biasprm{};
    Vec<double, ndyn> dynprm{1};
    int actdim = -1, ctrlspec = 0;
    bool actearly = false;
    Vec<double, 2> velrange{0, 0}, ffrange{0, 0};
    Vec6<double> gear{1, 0, 0, 0, 0, 0};
    std::string target{}, refsite{}, slidersite{};
    double cranklength = 0;
    Vec<double, 2> lengthrange{0, 0};
    double inheritrange = 0;
    Vec3<double> damping{0, 0, 0};
    double armature = 0;
    Tristate ctrllimited = Tristate::automatic, forcelimited = Tristate::automatic, actlimited = Tristate::automatic;
    Vec<double, 2> ctrlrange{0, 0}, forcerange{0, 0}, actrange{0, 0};
    int group = 0, nsample = 0, interp = 0;
    double delay = 0;
    List<double> user{};
    int tag = 0;  // of the reader, as in SpecJoint
};

struct SpecSensor {
    std::string name{}, where{};
    int type = sens::user;
    int objtype = obj::unknown, reftype = obj::unknown;
    std::string objname{}, refname{};
    Vec<int, nsens> intprm{};
    int datatype = datatype::real, needstage = needs::acc, dim = 0;  // user sensors only; others follow their type
    Vec<double, 2> fov{
        0, 0};  // of a touch grid, whose channels, columns and rows are in intprm: horizontal and vertical, degrees to each side
    double gamma = 0;  // and how much finer it is in the middle, 0 to 1
    double cutoff = 0, noise = 0;
    int nsample = 0, interp = 0;
    double delay = 0;
    Vec<double, 2> interval{0, 0};
    List<double> user{};
};

struct SpecNumeric {
    std::string name{}, where{};
    List<double> data{};
};
struct SpecText {
    std::string name{}, where{}, data{};
};
struct SpecTuple {
    std::string name{}, where{};
    struct Entry {
        int objtype;
        std::string objname;
        double prm;
    };
    List<Entry> entries{};
};
struct SpecKey {
    std::string name{}, where{};
    double time = 0;
    List<double> qpos{}, qvel{}, act{}, mpos{}, mquat{}, ctrl{};  // empty, or NaN in qpos, mpos, mquat: the default
};

struct SpecStatistic {
    std::optional<double> meaninertia{}, meanmass{}, meansize{}, extent{};
    Given<Vec3d> center{};
};

// All that physics needs of a material is whether rays see it.
struct SpecMaterial {
    std::string name{}, where{};
    std::string texture{};
    MaterialLook look{};  // but for the number of its texture
    bool clear() const { return look.rgba[3] == 0; }
};

struct SpecTexture {
    std::string name{}, where{};
    TextureLook look{};
};

struct Spec {
    std::string name{}, where{};
    List<std::string> files{};  // the model file and those it includes, when it was read from files
    Budget budget{};  // of compiling it
    SpecCompiler compiler;
    Option<double> option;
    SpecStatistic statistic;
    ViewLook view{};
    int nuserdata = 0, njmax = -1, nconmax = -1, nkey = 0;
    SpecBody world;
    List<ShapeRow> shapes{};  // of the user's own: compile<Shape>(spec) sets them
    SpecList<SpecMesh> meshes{};
    SpecList<SpecHfield> hfields{};
    SpecList<SpecTexture> textures{};
    SpecList<SpecMaterial> materials{};
    SpecList<SpecPair> pairs{};
    SpecList<SpecExclude> excludes{};
    SpecList<SpecEquality> equalities{};
    SpecList<SpecTendon> tendons{};
    SpecList<SpecActuator> actuators{};
    SpecList<SpecSensor> sensors{};
    SpecList<SpecNumeric> numerics{};
    SpecList<SpecText> texts{};
    SpecList<SpecTuple> tuples{};
    SpecList<SpecKey> keys{};

    SpecMesh& add_mesh(SpecMesh m) { return meshes.emplace_back(std::move(m)); }
    SpecHfield& add_hfield(SpecHfield h) { return hfields.emplace_back(std::move(h)); }
    SpecTexture& add_texture(SpecTexture t) { return textures.emplace_back(std::move(t)); }
    SpecMaterial& add_material(SpecMaterial m) { return materials.emplace_back(std::move(m)); }
    SpecPair& add_pair(SpecPair p) { return pairs.emplace_back(std::move(p)); }
    SpecExclude& add_exclude(SpecExclude x) { return excludes.emplace_back(std::move(x)); }
    SpecEquality& add_equality(SpecEquality q) { return equalities.emplace_back(std::move(q)); }
    SpecTendon& add_tendon(SpecTendon t) { return tendons.emplace_back(std::move(t)); }
    SpecActuator& add_actuator(SpecActuator a) { return actuators.emplace_back(std::move(a)); }
    SpecSensor& add_sensor(SpecSensor s) { return sensors.emplace_back(std::move(s)); }
    SpecNumeric& add_numeric(SpecNumeric n) { return numerics.emplace_back(std::move(n)); }
    SpecText& add_text(SpecText t) { return texts.emplace_back(std::move(t)); }
    SpecTuple& add_tuple(SpecTuple t) { return tuples.emplace_back(std::move(t)); }
    SpecKey& add_key(SpecKey k) { return keys.emplace_back(std::move(k)); }
};

}  // namespace mjx::inner
