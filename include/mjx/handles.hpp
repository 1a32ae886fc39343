// Handles: one object of a model with its numbers, found by name. What sim.joint("knee"), sim.body("torso") and the others return.
//
//     sim.joint("knee").qpos()[0] = 0.3;                  // spans, of as many numbers as the object has
//     sim.body("torso").xpos()[2];                        // frames in the world
//     sim.actuator("push").ctrl()[0] = 1;
//     for (const double x : sim.sensor("imu").data()) ...
//     mjx::jacobian(sim, sim.site("tcp"), J);             // bodies, geoms, sites, cameras are frames of robotics.hpp
//
// A handle is two references and an index: cheap to make, valid as long as its simulator. Finding a name is a walk over all of them, so
// loops keep the handle, or give an index in place of the name: sim.joint(3), sim.joint(models::Humanoid::joint("knee")).
// What a stage computes is that of the last step or forward(), as everywhere in Data.
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/model/names.hpp"
#include "mjx/robotics/frames.hpp"
#include "mjx/sensor/frame.hpp"

#include <concepts>

namespace mjx::inner {

// T as part of the data D: constant if the data is.
template <class D, class T = typename D::scalar>
using part_of = std::conditional_t<std::is_const_v<D>, const T, T>;

template <class D, class Field>
Span<part_of<D>> numbers(Field& field, int first, int count) {
    return {field.data() + first, count};
}

template <class M, class D>
struct BodyHandle : Frame<FrameKind::body> {
    const M& m;
    D& d;

    BodyHandle(const M& model, D& data, int index) : Frame<FrameKind::body>{index}, m(model), d(data) {}

    const auto& xpos() const { return d.xpos[id]; }
    const auto& xquat() const { return d.xquat[id]; }
    const auto& xmat() const { return d.xmat[id]; }
    const auto& xipos() const { return d.xipos[id]; }
    const auto& subtree_com() const { return d.subtree_com[id]; }
    auto linvel() const { return linear(object_velocity(m, d, obj::xbody, id)); }  // of the frame's origin, world
    auto angvel() const { return angular(object_velocity(m, d, obj::xbody, id)); }
    part_of<D, Vec6<typename D::scalar>>& xfrc_applied() const { return d.xfrc_applied[id]; }  // force, torque at the com; world
    const auto& mass() const { return m.body_mass[id]; }
    const auto& subtreemass() const { return m.body_subtreemass[id]; }
};

template <class M, class D>
struct JointHandle {
    const M& m;
    D& d;
    int id;

    auto qpos() const {
        return numbers<D>(d.qpos, m.jnt_qposadr[id], (id + 1 < m.njnt ? m.jnt_qposadr[id + 1] : m.nq) - m.jnt_qposadr[id]);
    }
    auto qvel() const { return dofs(d.qvel); }
    auto qacc() const { return dofs(d.qacc); }
    auto qfrc_applied() const { return dofs(d.qfrc_applied); }
    auto qfrc_actuator() const { return dofs(d.qfrc_actuator); }
    auto qfrc_passive() const { return dofs(d.qfrc_passive); }
    auto qfrc_constraint() const { return dofs(d.qfrc_constraint); }
    const auto& xanchor() const { return d.xanchor[id]; }
    const auto& xaxis() const { return d.xaxis[id]; }
    const auto& range() const { return m.jnt_range[id]; }

  private:
    // A joint's dofs end where the next joint's begin.
    template <class Field>
    auto dofs(Field& field) const {
        const int first = m.jnt_dofadr[id], next = id + 1 < m.njnt ? m.jnt_dofadr[id + 1] : m.nv;
        return numbers<D>(field, first, next - first);
    }
};

template <class M, class D>
struct GeomHandle : Frame<FrameKind::geom> {
    const M& m;
    D& d;

    GeomHandle(const M& model, D& data, int index) : Frame<FrameKind::geom>{index}, m(model), d(data) {}

    const auto& xpos() const { return d.geom_xpos[id]; }
    const auto& xmat() const { return d.geom_xmat[id]; }
    auto linvel() const { return linear(object_velocity(m, d, obj::geom, id)); }
    auto angvel() const { return angular(object_velocity(m, d, obj::geom, id)); }
    const auto& size() const { return m.geom_size[id]; }
    const auto& friction() const { return m.geom_friction[id]; }
};

template <class M, class D>
struct SiteHandle : Frame<FrameKind::site> {
    const M& m;
    D& d;

    SiteHandle(const M& model, D& data, int index) : Frame<FrameKind::site>{index}, m(model), d(data) {}

    const auto& xpos() const { return d.site_xpos[id]; }
    const auto& xmat() const { return d.site_xmat[id]; }
    auto linvel() const { return linear(object_velocity(m, d, obj::site, id)); }
    auto angvel() const { return angular(object_velocity(m, d, obj::site, id)); }
};

template <class M, class D>
struct CameraHandle : Frame<FrameKind::camera> {
    const M& m;
    D& d;

    CameraHandle(const M& model, D& data, int index) : Frame<FrameKind::camera>{index}, m(model), d(data) {}

    const auto& xpos() const { return d.cam_xpos[id]; }
    const auto& xmat() const { return d.cam_xmat[id]; }
};

template <class M, class D>
struct TendonHandle {
    const M& m;
    D& d;
    int id;

    const auto& length() const { return d.ten_length[id]; }
    const auto& velocity() const { return d.ten_velocity[id]; }
    const auto& range() const { return m.tendon_range[id]; }
};

// Most actuators have one control and one output.
template <class M, class D>
struct ActuatorHandle {
    const M& m;
    D& d;
    int id;

    auto ctrl() const { return numbers<D>(d.ctrl, m.actuator_ctrladr[id], m.actuator_ctrlnum[id]); }
    auto act() const { return numbers<D>(d.act, m.actuator_actadr[id], m.actuator_actnum[id]); }
    auto force() const { return numbers<D>(d.actuator_force, m.actuator_outadr[id], m.actuator_outnum[id]); }
    auto length() const { return numbers<D>(d.actuator_length, m.actuator_outadr[id], m.actuator_outnum[id]); }
    auto velocity() const { return numbers<D>(d.actuator_velocity, m.actuator_outadr[id], m.actuator_outnum[id]); }
};

template <class M, class D>
struct SensorHandle {
    const M& m;
    D& d;
    int id;

    auto data() const { return numbers<D>(d.sensordata, m.sensor_adr[id], m.sensor_dim[id]); }
};

template <class M, class D>
struct EqualityHandle {
    const M& m;
    D& d;
    int id;

    part_of<D, int>& active() const { return d.eq_active[id]; }
};

// The index of what is named `which`, or `which` itself if it is an index.
template <class Names, class Which>
int index_among(const char* kind, const Names& names, const Which& which) {
    if constexpr (std::integral<Which>) {
        require_index(kind, names.size(), which);
        return which;
    } else {
        return index_of(kind, names, which);
    }
}

}  // namespace mjx::inner

// Types that are deduced: template <class M, class D> void swing(mjx::JointHandle<M, D> joint).
namespace mjx {

using inner::ActuatorHandle;
using inner::BodyHandle;
using inner::CameraHandle;
using inner::EqualityHandle;
using inner::GeomHandle;
using inner::JointHandle;
using inner::SensorHandle;
using inner::SiteHandle;
using inner::TendonHandle;

}  // namespace mjx
