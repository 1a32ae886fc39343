// Every kind of joint, the library's and one of a program's own, in models that leave nothing at zero: tilted axes, anchors beside the
// body's origin, springs, armature, motors, a child that moves.
#pragma once

#include "catch.hpp"

#include "../../examples/screw_joint.hpp"

#include "mjx/compile.hpp"
#include "mjx/integrator/advance.hpp"

#include <random>

namespace joint_scene {

using namespace mjx;
using Joints = joint_set<Free, Ball, Slide, Hinge, Planar, Screw>;
using JointModel = Model<double, Joints>;

// A body on a joint of this kind.
inline SpecBody& add_link(SpecBody& parent, const JointKind& kind, const Vec3<double>& at) {
    SpecBody& b = parent.add_body({.name = kind.name, .pos = at, .quat = {0.9, 0.1, -0.2, 0.3}});
    b.add_joint({.name = kind.name,
                 .type = kind.type,
                 .pos = {0.1, -0.2, 0.15},
                 .axis = {0.3, -0.4, 0.8},
                 .ref = 0.2,
                 .stiffness = {3, 0.5, 0.2},
                 .springref = -0.1,
                 .armature = 0.02,
                 .user = {0.07}});
    b.add_geom({.type = shape::box, .pos = {0.1, 0.05, -0.1}, .size = {0.1, 0.2, 0.3}, .contype = 0});
    return b;
}
inline void add_motor(Spec& spec, const std::string& joint) {
    spec.add_actuator({.name = joint, .trntype = trn::joint, .gear = {0.5, -0.4, 0.3, 0.2, 0.1, -0.2}, .target = joint});
}

// One joint, with a hinge behind it.
inline Spec alone(const JointKind& kind) {
    Spec spec;
    SpecBody& child = add_link(add_link(spec.world, kind, {0, 0, 1}), kind_of<Hinge>, {0.2, 0.3, 0.1});
    child.name = child.joints.front().name = "child";
    add_motor(spec, kind.name);
    return spec;
}

// All joints in one tree: the free one carries two branches.
inline Spec together() {
    Spec spec;
    SpecBody& root = add_link(spec.world, kind_of<Free>, {0, 0, 1});
    SpecBody& left = add_link(add_link(root, kind_of<Planar>, {0.2, 0, 0.3}), kind_of<Ball>, {0.2, 0.3, 0.1});
    SpecBody& right = add_link(add_link(root, kind_of<Screw>, {-0.2, 0.1, 0.3}), kind_of<Slide>, {0.2, -0.3, 0.1});
    add_link(left, kind_of<Hinge>, {0, 0.1, 0.2}).joints.front().name = "left hinge";
    SpecBody& last = add_link(right, kind_of<Hinge>, {0, 0.1, -0.2});
    last.name = "last";
    add_motor(spec, "screw");
    add_motor(spec, "planar");
    return spec;
}

// The state of every lane, away from rest and different in each.
template <class M, class D>
void scatter(const M& m, D& d, unsigned seed = 1) {
    using S = typename D::scalar;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-0.7, 0.7);
    const auto lanes = [&] {
        S x(static_cast<value_t<S>>(number(random)));
        if constexpr (lanes_v<S> > 1)
            for (int k = 1; k < lanes_v<S>; ++k) set_lane(x, k, static_cast<value_t<S>>(number(random)));
        return x;
    };
    reset(m, d);
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = lanes();
    integrate_pos(m, d.qpos, d.qvel, value_t<S>(1));
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = lanes();
    for (int i = 0; i < m.nu; ++i) d.ctrl[i] = lanes();
}

}  // namespace joint_scene
