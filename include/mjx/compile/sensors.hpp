// Sensors: what they are attached to, how many numbers they give and at which stage, and their history buffers.
#pragma once

#include "mjx/compile/actuators.hpp"

#include <array>

namespace mjx::inner::compiler {

inline int sensor_datatype(int type) {
    switch (type) {
        case sens::touch:
        case sens::insidesite: return datatype::positive;
        case sens::framexaxis:
        case sens::frameyaxis:
        case sens::framezaxis:
        case sens::geomnormal: return datatype::axis;
        case sens::ballquat:
        case sens::framequat: return datatype::quaternion;
        default: return datatype::real;
    }
}

inline int sensor_needstage(int type) {
    switch (type) {
        case sens::touch:
        case sens::accelerometer:
        case sens::force:
        case sens::torque:
        case sens::actuatorfrc:
        case sens::jointactfrc:
        case sens::tendonactfrc:
        case sens::jointlimitfrc:
        case sens::tendonlimitfrc:
        case sens::framelinacc:
        case sens::frameangacc:
        case sens::contact:
        case sens::tactile: return stage::acc;
        case sens::velocimeter:
        case sens::gyro:
        case sens::jointvel:
        case sens::tendonvel:
        case sens::actuatorvel:
        case sens::ballangvel:
        case sens::jointlimitvel:
        case sens::tendonlimitvel:
        case sens::framelinvel:
        case sens::frameangvel:
        case sens::subtreelinvel:
        case sens::subtreeangmom: return stage::vel;
        default: return stage::pos;
    }
}

// Numbers in the fields a bit mask selects.
template <std::size_t N>
int selected_size(int mask, const std::array<int, N>& sizes) {
    int sum = 0;
    for (std::size_t i = 0; i < N; ++i)
        if (mask & (1 << i)) sum += sizes[i];
    return sum;
}

inline long long sensor_dim(const CompiledModel& m, const SpecSensor& s, int id) {
    switch (s.type) {
        case sens::camprojection: return 2;
        case sens::accelerometer:
        case sens::velocimeter:
        case sens::gyro:
        case sens::force:
        case sens::torque:
        case sens::magnetometer:
        case sens::ballangvel:
        case sens::framepos:
        case sens::framexaxis:
        case sens::frameyaxis:
        case sens::framezaxis:
        case sens::framelinvel:
        case sens::frameangvel:
        case sens::framelinacc:
        case sens::frameangacc:
        case sens::subtreecom:
        case sens::subtreelinvel:
        case sens::subtreeangmom:
        case sens::geomnormal: return 3;
        case sens::ballquat:
        case sens::framequat: return 4;
        case sens::geomfromto: return 6;
        case sens::actuatorpos:
        case sens::actuatorvel:
        case sens::actuatorfrc: return m.actuator_outnum[id];
        case sens::contact: return static_cast<long long>(s.intprm[2]) * selected_size(s.intprm[0], std::array{1, 3, 3, 1, 3, 3, 3});
        case sens::tactile: return 3LL * m.mesh_vertnum[id];
        case sens::rangefinder: {
            const long long rays = s.objtype == obj::camera ? 1LL * m.cam_resolution[id][0] * m.cam_resolution[id][1] : 1;
            return rays * selected_size(s.intprm[0], std::array{1, 3, 3, 3, 3, 1});
        }
        case sens::user: return s.dim;
        default: return 1;
    }
}

[[noreturn]] inline void fail_sensor(const SpecSensor& s, Pieces what) { fail(s, "sensor", what); }
[[noreturn]] inline void fail_sensor(const SpecSensor& s, std::string_view what) { fail(s, "sensor", what); }

inline void check_attachment(const SpecSensor& s, std::initializer_list<int> allowed) {
    if (std::find(allowed.begin(), allowed.end(), s.objtype) != allowed.end()) return;
    std::string kinds;
    for (const int kind : allowed) kinds += (kinds.empty() ? "" : ", ") + std::string(kind_name(kind));
    fail_sensor(s, {"must be attached to one of: ", kinds});
}

inline void check_fields(const SpecSensor& s, int fields) {
    const int mask = (1 << fields) - 1;
    if (s.intprm[0] <= 0 || (s.intprm[0] & ~mask) != 0) fail_sensor(s, "invalid selection of data fields");
}

// What a sensor of this type may be attached to.
inline void check_object(const CompiledModel& m, const SpecSensor& s, int id) {
    const auto demand = [&](int kind, const auto& holds, const char* what) {
        check_attachment(s, {kind});
        if (!holds()) fail_sensor(s, what);
    };
    switch (s.type) {
        case sens::touch:
        case sens::accelerometer:
        case sens::velocimeter:
        case sens::gyro:
        case sens::force:
        case sens::torque:
        case sens::magnetometer:
        case sens::camprojection: check_attachment(s, {obj::site}); break;
        case sens::rangefinder:
            check_attachment(s, {obj::site, obj::camera});
            check_fields(s, raydata::count);
            break;
        case sens::jointpos:
        case sens::jointvel:
        case sens::jointactfrc:
            demand(obj::joint, [&] { return m.jnt_type[id] == jnt::slide || m.jnt_type[id] == jnt::hinge; },
                   "the joint must be a slide or hinge");
            break;
        case sens::ballquat:
        case sens::ballangvel: demand(obj::joint, [&] { return m.jnt_type[id] == jnt::ball; }, "the joint must be a ball"); break;
        case sens::jointlimitpos:
        case sens::jointlimitvel:
        case sens::jointlimitfrc: demand(obj::joint, [&] { return m.jnt_limited[id] != 0; }, "the joint must be limited"); break;
        case sens::tendonpos:
        case sens::tendonvel:
        case sens::tendonactfrc: check_attachment(s, {obj::tendon}); break;
        case sens::tendonlimitpos:
        case sens::tendonlimitvel:
        case sens::tendonlimitfrc: demand(obj::tendon, [&] { return m.tendon_limited[id] != 0; }, "the tendon must be limited"); break;
        case sens::actuatorpos:
        case sens::actuatorvel:
        case sens::actuatorfrc: check_attachment(s, {obj::actuator}); break;
        case sens::subtreecom:
        case sens::subtreelinvel:
        case sens::subtreeangmom: check_attachment(s, {obj::body}); break;
        case sens::framepos:
        case sens::framequat:
        case sens::framexaxis:
        case sens::frameyaxis:
        case sens::framezaxis:
        case sens::framelinvel:
        case sens::frameangvel:
        case sens::framelinacc:
        case sens::frameangacc:
        case sens::insidesite: check_attachment(s, {obj::body, obj::xbody, obj::geom, obj::site, obj::camera}); break;
        case sens::geomdist:
        case sens::geomnormal:
        case sens::geomfromto: check_attachment(s, {obj::body, obj::geom}); break;
        case sens::contact:
            check_attachment(s, {obj::site, obj::body, obj::xbody, obj::geom, obj::unknown});
            check_fields(s, condata::count);
            break;
        case sens::tactile: fail_sensor(s, "tactile sensors are not supported"); break;
        case sens::e_potential:
        case sens::e_kinetic:
        case sens::clock:
        case sens::user: break;
        default: fail_sensor(s, "this type of sensor is not supported");
    }
}

// What it may be relative to.
inline void check_reference(const CompiledModel& m, const SpecSensor& s, int id, int ref) {
    const bool body_or_geom = s.reftype == obj::body || s.reftype == obj::geom;
    switch (s.type) {
        case sens::camprojection:
            if (s.reftype != obj::camera) fail_sensor(s, "needs a camera");
            if (m.cam_resolution[ref][0] <= 0 || m.cam_resolution[ref][1] <= 0) fail_sensor(s, "the camera needs a resolution");
            break;
        case sens::insidesite:
            if (s.reftype != obj::site) fail_sensor(s, "needs a site");
            break;
        case sens::geomdist:
        case sens::geomnormal:
        case sens::geomfromto: {
            if (!body_or_geom) fail_sensor(s, "needs a second body or geom");
            if (s.objtype == s.reftype && id == ref) fail_sensor(s, "needs two different bodies or geoms");
            const auto hfield = [&](int kind, int g) { return kind == obj::geom && is_of_hfield(m.geom_type[g]); };
            if (hfield(s.objtype, id) || hfield(s.reftype, ref)) fail_sensor(s, "cannot measure the distance to a height field");
            break;
        }
        case sens::contact:
            if (s.reftype != obj::unknown && s.reftype != obj::xbody && !body_or_geom)
                fail_sensor(s, "the second object must be a body or geom");
            if (s.intprm[1] < 0 || s.intprm[1] > 3) fail_sensor(s, "unknown way to reduce contacts");
            if (s.intprm[2] <= 0) fail_sensor(s, "num must be positive");
            break;
        case sens::tactile:
            if (s.reftype != obj::geom) fail_sensor(s, "needs a geom");
            break;
        default: break;
    }
    const bool frame = body_or_geom || s.reftype == obj::xbody || s.reftype == obj::site || s.reftype == obj::camera;
    if (s.reftype != obj::unknown && !frame) fail_sensor(s, "can only be relative to a body, geom, site or camera");
}

inline void check_sensor(const SpecSensor& s) {
    if (s.noise < 0) fail_sensor(s, "noise cannot be negative");
    if (s.cutoff < 0) fail_sensor(s, "cutoff cannot be negative");
    if (s.interval[0] < 0) fail_sensor(s, "interval cannot be negative");
    if (s.interval[1] > 0) fail_sensor(s, "the phase of interval cannot be positive");
    if (s.interval[0] > 0 && s.interval[1] <= -s.interval[0]) fail_sensor(s, "the phase of interval must be above -period");
    if (s.delay > 0 && s.nsample <= 0) fail_sensor(s, "delay needs a history buffer (nsample)");
    if (s.nsample > max_history) fail_sensor(s, "nsample is above 2^24");
    if (s.type != sens::user) return;
    if (s.dim < 0) fail_sensor(s, "dim cannot be negative");
    if (s.datatype == datatype::axis && s.dim != 3) fail_sensor(s, "an axis has dim 3");
    if (s.datatype == datatype::quaternion && s.dim != 4) fail_sensor(s, "a quaternion has dim 4");
}

inline void push_sensor(CompiledModel& m, const SpecSensor& s, int id, int ref) {
    const bool user = s.type == sens::user;
    const int data = user ? s.datatype : sensor_datatype(s.type);
    const long long size = sensor_dim(m, s, id);
    if (size * (1 + s.nsample) > max_history) fail_sensor(s, "gives more than 2^24 numbers");
    const int dim = static_cast<int>(size);
    const bool direction = data == datatype::axis && s.type != sens::geomnormal;
    if (s.cutoff > 0 && (data == datatype::quaternion || direction)) fail_sensor(s, "axes and quaternions have no cutoff");
    ++m.nsensor;
    m.sensor_name.push_back(s.name);
    m.sensor_type.push_back(s.type);
    m.sensor_datatype.push_back(data);
    m.sensor_needstage.push_back(user ? s.needstage : sensor_needstage(s.type));
    m.sensor_objtype.push_back(s.objtype);
    m.sensor_objid.push_back(id);
    m.sensor_reftype.push_back(s.reftype);
    m.sensor_refid.push_back(ref);
    m.sensor_intprm.push_back(s.intprm);
    m.sensor_dim.push_back(dim);
    m.sensor_adr.push_back(m.nsensordata);
    m.nsensordata += dim;
    m.sensor_cutoff.push_back(s.cutoff);
    m.sensor_noise.push_back(s.noise);
    m.sensor_delay.push_back(s.delay);
    m.sensor_interval.push_back(s.interval);
    m.sensor_history.push_back({{s.nsample, s.interp}});
    m.sensor_historyadr.push_back(s.nsample > 0 ? m.nhistory : -1);
    if (s.nsample > 0) m.nhistory += 2 + s.nsample * (1 + dim);  // user value, cursor, times, values
}

inline void make_sensors(CompiledModel& m, const Spec& spec, Names& names) {
    for (const SpecSensor& s : spec.sensors) {
        check_sensor(s);
        const auto find = [&](int kind, const std::string& name) {
            return kind == obj::unknown ? -1 : names.require(kind, name, s, "sensor");
        };
        const int id = find(s.objtype, s.objname), ref = find(s.reftype, s.refname);
        check_object(m, s, id);
        check_reference(m, s, id, ref);
        push_sensor(m, s, id, ref);
    }
    names.set(obj::sensor, m.sensor_name, spec.where);
}

}  // namespace mjx::inner::compiler
