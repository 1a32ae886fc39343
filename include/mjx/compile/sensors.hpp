// Sensors: what they are attached to, how many numbers they give and at which stage, and their history buffers.
#pragma once

#include "mjx/compile/actuators.hpp"

#include <array>
#include <numbers>

namespace mjx::inner::compiler {

// Numbers in the fields a bit mask selects.
template <std::size_t N>
int selected_size(int mask, const std::array<int, N>& sizes) {
    int sum = 0;
    for (std::size_t i = 0; i < N; ++i)
        if (mask & (1 << i)) sum += sizes[i];
    return sum;
}

[[gnu::cold]] inline long long sensor_size(const CompiledModel& m, const SensorKind& kind, const SpecSensor& s, int id) {
    switch (kind.dim) {
        case sensor_dim::outputs: return m.actuator_outnum[id];
        case sensor_dim::contacts: return static_cast<long long>(s.intprm[2]) * selected_size(s.intprm[0], std::array{1, 3, 3, 1, 3, 3, 3});
        case sensor_dim::rays: {
            const long long rays = s.objtype == obj::camera ? 1LL * m.cam_resolution[id][0] * m.cam_resolution[id][1] : 1;
            return rays * selected_size(s.intprm[0], std::array{1, 3, 3, 3, 3, 1});
        }
        case sensor_dim::given: return s.dim;
        case sensor_dim::taxels: return 3LL * m.mesh_vertnum[id];
        case sensor_dim::grid: return static_cast<long long>(s.intprm[0]) * s.intprm[1] * s.intprm[2];
        default: return kind.dim;
    }
}

[[noreturn, gnu::cold]] inline void fail_sensor(const SpecSensor& s, Pieces what) { fail(s, "sensor", what); }
[[noreturn, gnu::cold]] inline void fail_sensor(const SpecSensor& s, std::string_view what) { fail(s, "sensor", what); }

[[gnu::cold]] inline void check_kind(const SpecSensor& s, const SensorObject& object) {
    std::string kinds;
    for (int k = 0; k < object.nkind; ++k) {
        if (s.objtype == object.kinds[k]) return;
        kinds += (kinds.empty() ? "" : ", ") + std::string(kind_name(object.kinds[k]));
    }
    if (object.nkind > 0) fail_sensor(s, {"must be attached to one of: ", kinds});
}

[[gnu::cold]] inline void check_fields(const SpecSensor& s, int fields) {
    const int mask = (1 << fields) - 1;
    if (s.intprm[0] <= 0 || (s.intprm[0] & ~mask) != 0) fail_sensor(s, "invalid selection of data fields");
}

[[gnu::cold]] inline void check_grid(const SpecSensor& s) {
    if (s.intprm[0] < 1 || s.intprm[0] > 6) fail_sensor(s, "nchannel must be from 1 to 6");
    for (const int count : {s.intprm[1], s.intprm[2]})
        if (count < 1 || count > max_history) fail_sensor(s, "size must be two positive numbers, up to 2^24");
    if (!(s.fov[0] > 0 && s.fov[0] <= 180 && s.fov[1] > 0 && s.fov[1] <= 90))
        fail_sensor(s, "fov must be positive, up to 180 and 90 degrees");
    if (!(s.gamma >= 0 && s.gamma <= 1)) fail_sensor(s, "gamma must be from 0 to 1");
}

// What the object must be.
[[gnu::cold]] inline void check_object(const CompiledModel& m, SensorDemand demand, const SpecSensor& s, int id) {
    const auto demanded = [&](bool holds, const char* what) {
        if (!holds) fail_sensor(s, what);
    };
    switch (demand) {
        case SensorDemand::scalar_joint: return demanded(m.kind(id).scalar, "the joint must be a slide or hinge");
        case SensorDemand::ball_joint: return demanded(m.kind(id).is_rotation(), "the joint must be a ball");
        case SensorDemand::limited_joint: return demanded(m.jnt_limited[id] != 0, "the joint must be limited");
        case SensorDemand::limited_tendon: return demanded(m.tendon_limited[id] != 0, "the tendon must be limited");
        case SensorDemand::simple_site: return demanded(m.site_dataid[id] < 0, "the site cannot be a mesh");
        case SensorDemand::rays: return check_fields(s, raydata::count);
        case SensorDemand::contacts: return check_fields(s, condata::count);
        case SensorDemand::grid: return check_grid(s);
        default: return;
    }
}

// What it may be relative to.
[[gnu::cold]] inline void check_reference(const CompiledModel& m, SensorDemand demand, const SpecSensor& s, int id, int ref) {
    const bool body_or_geom = s.reftype == obj::body || s.reftype == obj::geom;
    switch (demand) {
        case SensorDemand::camera:
            if (s.reftype != obj::camera) fail_sensor(s, "needs a camera");
            if (m.cam_resolution[ref][0] <= 0 || m.cam_resolution[ref][1] <= 0) fail_sensor(s, "the camera needs a resolution");
            break;
        case SensorDemand::site:
            if (s.reftype != obj::site) fail_sensor(s, "needs a site");
            break;
        case SensorDemand::distance: {
            if (!body_or_geom) fail_sensor(s, "needs a second body or geom");
            if (s.objtype == s.reftype && id == ref) fail_sensor(s, "needs two different bodies or geoms");
            const auto hfield = [&](int kind, int g) { return kind == obj::geom && is_of_hfield(m.geom_type[g]); };
            if (hfield(s.objtype, id) || hfield(s.reftype, ref)) fail_sensor(s, "cannot measure the distance to a height field");
            break;
        }
        case SensorDemand::contacts:
            if (s.reftype != obj::unknown && s.reftype != obj::xbody && !body_or_geom)
                fail_sensor(s, "the second object must be a body or geom");
            if (s.intprm[1] < 0 || s.intprm[1] > 3) fail_sensor(s, "unknown way to reduce contacts");
            if (s.intprm[2] <= 0) fail_sensor(s, "num must be positive");
            break;
        default: break;
    }
    const bool frame = body_or_geom || s.reftype == obj::xbody || s.reftype == obj::site || s.reftype == obj::camera;
    if (s.reftype != obj::unknown && !frame) fail_sensor(s, "can only be relative to a body, geom, site or camera");
}

[[gnu::cold]] inline void check_sensor(const SpecSensor& s) {
    if (s.noise < 0) fail_sensor(s, "noise cannot be negative");
    if (s.cutoff < 0) fail_sensor(s, "cutoff cannot be negative");
    if (s.interval[0] < 0) fail_sensor(s, "interval cannot be negative");
    if (s.interval[1] > 0) fail_sensor(s, "the phase of interval cannot be positive");
    if (s.interval[0] > 0 && s.interval[1] <= -s.interval[0]) fail_sensor(s, "the phase of interval must be above -period");
    if (s.delay > 0 && s.nsample <= 0) fail_sensor(s, "delay needs a history buffer (nsample)");
    if (s.nsample > max_history) fail_sensor(s, "nsample is above 2^24");
    if (!sensor_does<sensor_fact::own>(s.type)) return;
    if (s.dim < 0) fail_sensor(s, "dim cannot be negative");
    if (s.datatype == datatype::axis && s.dim != 3) fail_sensor(s, "an axis has dim 3");
    if (s.datatype == datatype::quaternion && s.dim != 4) fail_sensor(s, "a quaternion has dim 4");
}

// The edges of a grid's cells along one axis, from -fov to fov: by steps that add up, as MuJoCo's do, and drawn to the middle by gamma.
[[gnu::cold]] inline void push_edges(CompiledModel& m, int cells, double fov, double gamma) {
    const double step = 2.0 / cells;
    double x = -1;
    for (int k = 0; k <= cells; ++k, x += step) {
        const double drawn = gamma == 0 ? x : gamma * (x * x * x * x * x) + (1 - gamma) * x;
        m.grid_edge.push_back(drawn * (fov * std::numbers::pi / 180));
    }
}

[[gnu::cold]] inline void push_sensor(CompiledModel& m, const SensorKind& kind, const SpecSensor& s, int id, int ref) {
    const bool user = sensor_does<sensor_fact::own>(s.type);
    const int data = user ? s.datatype : kind.datatype;
    const long long size = sensor_size(m, kind, s, id);
    if (size * (1 + s.nsample) > max_history) fail_sensor(s, "gives more than 2^24 numbers");
    const int dim = static_cast<int>(size);
    const bool direction = data == datatype::axis || data == datatype::quaternion;
    if (s.cutoff > 0 && direction && !(kind.facts & sensor_fact::own_cutoff)) fail_sensor(s, "axes and quaternions have no cutoff");
    ++m.nsensor;
    m.sensor_name.push_back(s.name);
    m.sensor_type.push_back(s.type);
    m.sensor_datatype.push_back(data);
    m.sensor_needstage.push_back(user ? s.needstage : kind.needs);
    m.sensor_objtype.push_back(s.objtype);
    m.sensor_objid.push_back(id);
    m.sensor_reftype.push_back(s.reftype);
    m.sensor_refid.push_back(ref);
    m.sensor_intprm.push_back(s.intprm);
    m.sensor_dim.push_back(dim);
    m.sensor_adr.push_back(m.nsensordata);
    m.sensor_gridadr.push_back(kind.dim == sensor_dim::grid ? m.grid_edge.size() : -1);
    if (kind.dim == sensor_dim::grid) {
        push_edges(m, s.intprm[1], s.fov[0], s.gamma);
        push_edges(m, s.intprm[2], s.fov[1], s.gamma);
    }
    m.nsensordata += dim;
    m.sensor_cutoff.push_back(s.cutoff);
    m.sensor_noise.push_back(s.noise);
    m.sensor_delay.push_back(s.delay);
    m.sensor_interval.push_back(s.interval);
    m.sensor_history.push_back({{s.nsample, s.interp}});
    m.sensor_historyadr.push_back(s.nsample > 0 ? m.nhistory : -1);
    if (s.nsample > 0) m.nhistory += 2 + s.nsample * (1 + dim);  // user value, cursor, times, values
}

[[gnu::cold]] inline void make_sensors(CompiledModel& m, const Spec& spec, Names& names) {
    for (const SpecSensor& s : spec.sensors) {
        check_sensor(s);
        const auto find = [&](int kind, const std::string& name) {
            return kind == obj::unknown ? -1 : names.require(kind, name, s, "sensor");
        };
        const int id = find(s.objtype, s.objname), ref = find(s.reftype, s.refname);
        const SensorKind* kind = find_sensor_kind(s.type);
        if (!kind) fail_sensor(s, "this type of sensor is not supported");
        check_kind(s, kind->object);
        check_object(m, kind->object.demand, s, id);
        check_reference(m, kind->object.demand, s, id, ref);
        push_sensor(m, *kind, s, id, ref);
        if (static_cast<std::size_t>(std::max(m.nhistory, m.nsensordata)) > spec.budget.numbers)
            fail_sensor(s, {"the history buffers and sensor data up to here are ", over_budget(spec.budget.numbers, "numbers")});
    }
    names.set(obj::sensor, m.sensor_name, spec.where);
}

}  // namespace mjx::inner::compiler
