// The kinds of sensors: one row each says all but the measuring, which is one function, read_sensor (sensor/position.hpp,
// velocity.hpp, acceleration.hpp). The MJCF reader, the compiler and the stages go by this table.
//
// A new kind is a number in sens::, a row here and its function. Numbers are MuJoCo's, and after them those of its plugins; rows stand in
// the order of its manual.
#pragma once

#include "mjx/model/types.hpp"

#include <cstdint>

namespace mjx::inner {

// Laid out by hand: enumerations in as few lines as they need.
// clang-format off
namespace sens {
enum : int {
    touch, accelerometer, velocimeter, gyro, force, torque, magnetometer, rangefinder, camprojection, jointpos, jointvel,
    tendonpos, tendonvel, actuatorpos, actuatorvel, actuatorfrc, jointactfrc, tendonactfrc, ballquat, ballangvel,
    jointlimitpos, jointlimitvel, jointlimitfrc, tendonlimitpos, tendonlimitvel, tendonlimitfrc, framepos, framequat,
    framexaxis, frameyaxis, framezaxis, framelinvel, frameangvel, framelinacc, frameangacc, subtreecom, subtreelinvel,
    subtreeangmom, insidesite, geomdist, geomnormal, geomfromto, contact, e_potential, e_kinetic, clock, tactile, plugin, user,
    grid
};
}
// The results a sensor needs: it is read when the stage of positions, velocities or accelerations is done.
namespace needs { enum : int { none, pos, vel, acc }; }
namespace datatype { enum : int { real, positive, axis, quaternion }; }
namespace condata { enum : int { found, force, torque, dist, pos, normal, tangent, count }; }
namespace raydata { enum : int { dist, dir, origin, point, normal, depth, count }; }
// clang-format on

// How many numbers a sensor gives, where its kind does not say: as many as the actuator has outputs, slots and fields of a contact
// sensor, rays and fields of a rangefinder, what the user's sensor says, channels, columns and rows of a grid, or
// three for each vertex of a mesh.
namespace sensor_dim {
enum : int { outputs = -1, contacts = -2, rays = -3, given = -4, grid = -5, taxels = -6 };
}

// What is checked about a sensor's objects, beyond their kinds, when the model is compiled (compile/sensors.hpp).
enum class SensorDemand {
    nothing,
    scalar_joint,
    ball_joint,
    limited_joint,
    limited_tendon,
    simple_site,
    rays,
    camera,
    site,
    distance,
    contacts,
    grid
};

// What a sensor is attached to. The attributes that name the object, or what it is relative to: the first that is present counts;
// those of kind obj::unknown have their kind in objtype or reftype.
struct ObjectAttribute {
    const char* name = nullptr;
    int kind = obj::unknown;
};
struct SensorObject {
    const char* rule;  // its attributes in MJCF: a row of io/mjcf/schema_table.hpp
    ObjectAttribute object[4]{}, reference[3]{};
    int nkind = 0;  // kinds of objects it may be attached to; 0: not asked
    int kinds[5]{};
    SensorDemand demand = SensorDemand::nothing;
    int intprm[nsens]{};  // what sensor_intprm starts from: data fields, reduction, number of contacts; channels, columns, rows
};

// Laid out by hand: a table.
// clang-format off
namespace sensor_object {
inline constexpr ObjectAttribute named{"objname"}, relative{"refname"};
inline constexpr SensorObject world{"plain_sensor"}, user{"user", {named}},
    site{"site_sensor", {{"site", obj::site}}, {}, 1, {obj::site}},
    touched{"site_sensor", {{"site", obj::site}}, {}, 1, {obj::site}, SensorDemand::simple_site},
    scalar_joint{"joint_sensor", {{"joint", obj::joint}}, {}, 1, {obj::joint}, SensorDemand::scalar_joint},
    ball_joint{"joint_sensor", {{"joint", obj::joint}}, {}, 1, {obj::joint}, SensorDemand::ball_joint},
    joint_limit{"joint_sensor", {{"joint", obj::joint}}, {}, 1, {obj::joint}, SensorDemand::limited_joint},
    tendon{"tendon_sensor", {{"tendon", obj::tendon}}, {}, 1, {obj::tendon}},
    tendon_limit{"tendon_sensor", {{"tendon", obj::tendon}}, {}, 1, {obj::tendon}, SensorDemand::limited_tendon},
    actuator{"actuator_sensor", {{"actuator", obj::actuator}}, {}, 1, {obj::actuator}},
    touch_grid{"sensor_plugin", {named}, {relative}, 1, {obj::site}, SensorDemand::grid, {1, 0, 0}},
    taxels{"tactile", {{"mesh", obj::mesh}}, {{"geom", obj::geom}}, 1, {obj::mesh}},
    subtree{"body_sensor", {{"body", obj::body}}, {}, 1, {obj::body}},
    frame{"frame_sensor", {named}, {relative}, 5, {obj::body, obj::xbody, obj::geom, obj::site, obj::camera}},
    world_frame{"acceleration_sensor", {named}, {}, 5, {obj::body, obj::xbody, obj::geom, obj::site, obj::camera}},
    in_site{"insidesite", {named}, {{"site", obj::site}}, 5, {obj::body, obj::xbody, obj::geom, obj::site, obj::camera},
            SensorDemand::site},
    in_picture{"camprojection", {{"site", obj::site}}, {{"camera", obj::camera}}, 1, {obj::site}, SensorDemand::camera},
    rays{"rangefinder", {{"site", obj::site}, {"camera", obj::camera}}, {}, 2, {obj::site, obj::camera}, SensorDemand::rays,
         {1 << raydata::dist, 0, 0}},
    two_geoms{"distance_sensor", {{"body1", obj::body}, {"geom1", obj::geom}}, {{"body2", obj::body}, {"geom2", obj::geom}}, 2,
              {obj::body, obj::geom}, SensorDemand::distance},
    contacts{"contact_sensor", {{"site", obj::site}, {"body1", obj::body}, {"subtree1", obj::xbody}, {"geom1", obj::geom}},
             {{"body2", obj::body}, {"subtree2", obj::xbody}, {"geom2", obj::geom}}, 5,
             {obj::site, obj::body, obj::xbody, obj::geom, obj::unknown}, SensorDemand::contacts, {1 << condata::found, 0, 1}};
}  // namespace sensor_object
// clang-format on

// What the stages know about a kind, as bits: it reads subtree velocities; what rne_post_constraint computes; the force through its
// body's joint; its function uses the cutoff itself; at a site it reads contacts of whatever is in the site's volume; it is the user's own,
// read by a hook.
namespace sensor_fact {
enum : unsigned { subtree_vel = 1, post = 2, joint_force = 4, own_cutoff = 8, volume = 16, own = 32 };
}

struct SensorKind {
    const char* tag;  // in MJCF
    int type;  // sens::
    const SensorObject& object;
    int needs;  // needs::
    int datatype;  // datatype::
    int dim;  // a number, or sensor_dim::
    unsigned facts = 0;
    const char* plugin = nullptr;  // of MuJoCo's, that it is
};

inline constexpr SensorKind sensor_kinds[] = {
    {"touch", sens::touch, sensor_object::touched, needs::acc, datatype::positive, 1},
    {"accelerometer", sens::accelerometer, sensor_object::site, needs::acc, datatype::real, 3, sensor_fact::post},
    {"velocimeter", sens::velocimeter, sensor_object::site, needs::vel, datatype::real, 3},
    {"gyro", sens::gyro, sensor_object::site, needs::vel, datatype::real, 3},
    {"force", sens::force, sensor_object::site, needs::acc, datatype::real, 3, sensor_fact::post | sensor_fact::joint_force},
    {"torque", sens::torque, sensor_object::site, needs::acc, datatype::real, 3, sensor_fact::post | sensor_fact::joint_force},
    {"magnetometer", sens::magnetometer, sensor_object::site, needs::pos, datatype::real, 3},
    {"camprojection", sens::camprojection, sensor_object::in_picture, needs::pos, datatype::real, 2},
    {"rangefinder", sens::rangefinder, sensor_object::rays, needs::pos, datatype::real, sensor_dim::rays},
    {"jointpos", sens::jointpos, sensor_object::scalar_joint, needs::pos, datatype::real, 1},
    {"jointvel", sens::jointvel, sensor_object::scalar_joint, needs::vel, datatype::real, 1},
    {"tendonpos", sens::tendonpos, sensor_object::tendon, needs::pos, datatype::real, 1},
    {"tendonvel", sens::tendonvel, sensor_object::tendon, needs::vel, datatype::real, 1},
    {"actuatorpos", sens::actuatorpos, sensor_object::actuator, needs::pos, datatype::real, sensor_dim::outputs},
    {"actuatorvel", sens::actuatorvel, sensor_object::actuator, needs::vel, datatype::real, sensor_dim::outputs},
    {"actuatorfrc", sens::actuatorfrc, sensor_object::actuator, needs::acc, datatype::real, sensor_dim::outputs},
    {"jointactuatorfrc", sens::jointactfrc, sensor_object::scalar_joint, needs::acc, datatype::real, 1},
    {"tendonactuatorfrc", sens::tendonactfrc, sensor_object::tendon, needs::acc, datatype::real, 1},
    {"ballquat", sens::ballquat, sensor_object::ball_joint, needs::pos, datatype::quaternion, 4},
    {"ballangvel", sens::ballangvel, sensor_object::ball_joint, needs::vel, datatype::real, 3},
    {"jointlimitpos", sens::jointlimitpos, sensor_object::joint_limit, needs::pos, datatype::real, 1},
    {"jointlimitvel", sens::jointlimitvel, sensor_object::joint_limit, needs::vel, datatype::real, 1},
    {"jointlimitfrc", sens::jointlimitfrc, sensor_object::joint_limit, needs::acc, datatype::real, 1},
    {"tendonlimitpos", sens::tendonlimitpos, sensor_object::tendon_limit, needs::pos, datatype::real, 1},
    {"tendonlimitvel", sens::tendonlimitvel, sensor_object::tendon_limit, needs::vel, datatype::real, 1},
    {"tendonlimitfrc", sens::tendonlimitfrc, sensor_object::tendon_limit, needs::acc, datatype::real, 1},
    {"framepos", sens::framepos, sensor_object::frame, needs::pos, datatype::real, 3},
    {"framequat", sens::framequat, sensor_object::frame, needs::pos, datatype::quaternion, 4},
    {"framexaxis", sens::framexaxis, sensor_object::frame, needs::pos, datatype::axis, 3},
    {"frameyaxis", sens::frameyaxis, sensor_object::frame, needs::pos, datatype::axis, 3},
    {"framezaxis", sens::framezaxis, sensor_object::frame, needs::pos, datatype::axis, 3},
    {"framelinvel", sens::framelinvel, sensor_object::frame, needs::vel, datatype::real, 3},
    {"frameangvel", sens::frameangvel, sensor_object::frame, needs::vel, datatype::real, 3},
    {"framelinacc", sens::framelinacc, sensor_object::world_frame, needs::acc, datatype::real, 3, sensor_fact::post},
    {"frameangacc", sens::frameangacc, sensor_object::world_frame, needs::acc, datatype::real, 3, sensor_fact::post},
    {"subtreecom", sens::subtreecom, sensor_object::subtree, needs::pos, datatype::real, 3},
    {"subtreelinvel", sens::subtreelinvel, sensor_object::subtree, needs::vel, datatype::real, 3, sensor_fact::subtree_vel},
    {"subtreeangmom", sens::subtreeangmom, sensor_object::subtree, needs::vel, datatype::real, 3, sensor_fact::subtree_vel},
    {"insidesite", sens::insidesite, sensor_object::in_site, needs::pos, datatype::positive, 1},
    {"distance", sens::geomdist, sensor_object::two_geoms, needs::pos, datatype::real, 1},
    {"normal", sens::geomnormal, sensor_object::two_geoms, needs::pos, datatype::axis, 3, sensor_fact::own_cutoff},
    {"fromto", sens::geomfromto, sensor_object::two_geoms, needs::pos, datatype::real, 6, sensor_fact::own_cutoff},
    {"contact", sens::contact, sensor_object::contacts, needs::acc, datatype::real, sensor_dim::contacts,
     sensor_fact::own_cutoff | sensor_fact::volume},
    {"tactile", sens::tactile, sensor_object::taxels, needs::acc, datatype::real, sensor_dim::taxels},
    {"e_potential", sens::e_potential, sensor_object::world, needs::pos, datatype::real, 1},
    {"e_kinetic", sens::e_kinetic, sensor_object::world, needs::pos, datatype::real, 1},
    {"clock", sens::clock, sensor_object::world, needs::pos, datatype::real, 1},
    // the stage and the type of its data are the sensor's own; it may read anything
    {"user", sens::user, sensor_object::user, needs::acc, datatype::real, sensor_dim::given,
     sensor_fact::subtree_vel | sensor_fact::post | sensor_fact::own},
    {"plugin", sens::grid, sensor_object::touch_grid, needs::acc, datatype::real, sensor_dim::grid, 0, "mujoco.sensor.touch_grid"},
};
inline constexpr int nsensor_kinds = sizeof(sensor_kinds) / sizeof(SensorKind);

// The row of a type; null for a number that is none.
constexpr const SensorKind* find_sensor_kind(int type) {
    for (const SensorKind& kind : sensor_kinds)
        if (kind.type == type) return &kind;
    return nullptr;
}

// The types of which a fact holds, as bits: the stages carry the fact, not the table.
constexpr std::uint64_t sensors_that(unsigned fact) {
    std::uint64_t types = 0;
    for (const SensorKind& kind : sensor_kinds)
        if (kind.facts & fact) types |= std::uint64_t{1} << kind.type;
    return types;
}
// A type as a parameter of read_sensor.
template <int Type>
struct sensor {};

template <unsigned Fact>
constexpr bool sensor_does(int type) {
    constexpr std::uint64_t types = sensors_that(Fact);
    return (types >> type & 1) != 0;
}

}  // namespace mjx::inner
