// One robot with every kind of tendon and transmission, for the tests of both.
#pragma once

#include "rooms.hpp"

#include "mjx/compile/load.hpp"
#include "mjx/integrator/advance.hpp"
#include "mjx/stage/com.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/reset.hpp"
#include "mjx/stage/tendon.hpp"
#include "mjx/stage/transmission.hpp"

namespace scene {

inline const char* const robot = R"(
<mujoco>
  <worldbody>
    <site name="post" pos="0.1 -.3 1.4" euler="10 20 30"/>
    <site name="wall" pos="-.2 .4 1.1" euler="40 -20 10"/>
    <geom name="drum" type="cylinder" size=".08 .2" pos=".05 .1 1.3" euler="80 10 0" contype="0" conaffinity="0"/>
    <geom name="ball" type="sphere" size=".11" pos="-.05 -.12 1.25" contype="0" conaffinity="0"/>
    <site name="over" pos=".05 .3 1.35"/>
    <site name="within" pos="-.05 -.1 1.25"/>
    <body pos="0 0 1.2">
      <joint name="shoulder" axis="0 1 0.2"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
      <site name="arm" pos=".15 .05 0.02" euler="15 25 35"/>
      <body pos=".3 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <joint name="rail" type="slide" axis="1 0 .1"/>
        <geom type="capsule" fromto="0 0 0 .25 0 0" size=".03"/>
        <geom name="pulley" type="cylinder" size=".05 .1" pos=".1 0 0" euler="90 0 0" contype="0" conaffinity="0"/>
        <site name="forearm" pos=".2 0.02 .03" euler="-15 5 55"/>
        <site name="side" pos=".1 0 .06"/>
        <body pos=".3 0 0">
          <joint name="wrist" type="ball"/>
          <geom type="box" size=".05 .04 .03" pos=".05 0 0"/>
          <site name="hand" pos=".08 .01 .02" euler="5 35 -20"/>
        </body>
      </body>
      <body pos="0 0.1 0.1">
        <joint name="fork" axis="1 0 0"/>
        <geom type="capsule" fromto="0 0 0 0 .2 0" size=".03"/>
        <site name="tip" pos="0 .2 .03" euler="15 -25 35"/>
      </body>
    </body>
    <body pos="0 .6 .4">
      <freejoint name="crate"/>
      <geom type="box" size=".1 .15 .1"/>
      <site name="hook" pos=".05 .05 .1" euler="1 2 3"/>
    </body>
    <body pos=".6 0 1">
      <joint name="crank" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .1 0 0" size=".02"/>
      <site name="pin" pos=".1 0 0"/>
    </body>
    <body pos="1 0 1">
      <joint name="slider" type="slide" axis="1 0 0"/>
      <geom type="box" size=".03 .03 .03"/>
      <site name="carriage" euler="0 90 0"/>
    </body>
  </worldbody>
  <tendon>
    <fixed name="sum"><joint joint="shoulder" coef=".5"/><joint joint="elbow" coef="-1.2"/></fixed>
    <spatial name="wrapped"><site site="post"/><site site="arm"/><geom geom="pulley" sidesite="side"/><site site="hand"/></spatial>
    <spatial name="branched"><site site="post"/><geom geom="drum" sidesite="over"/><site site="forearm"/><pulley divisor="2"/>
      <site site="arm"/><site site="tip"/><site site="wall"/><pulley divisor="3"/><site site="wall"/><geom geom="ball"/><site site="hook"/></spatial>
    <spatial name="inside"><site site="post"/><geom geom="ball" sidesite="within"/><site site="tip"/><geom geom="drum"/><site site="hand"/></spatial>
  </tendon>
  <actuator>
    <motor name="hinge" joint="shoulder" gear="2"/>
    <motor name="slide" joint="rail" gear="-3"/>
    <motor name="cable" tendon="wrapped" gear="1.3"/>
    <general name="rod" cranksite="pin" slidersite="carriage" cranklength=".5" gear="1.5"/>
    <general name="short" cranksite="pin" slidersite="carriage" cranklength=".05"/>
    <general name="reach" site="hand" refsite="post" gear="1 2 3 0 0 0"/>
    <general name="twist" joint="wrist" gear="1 2 3"/>
    <general name="thrust" site="hook" gear="1 2 3 .1 .2 .3"/>
    <general name="wrench" joint="crate" gear="1 2 3 .1 .2 .3"/>
  </actuator>
</mujoco>)";

template <class M, class D>
void positions(const M& m, D& d) {
    mjx::kinematics(m, d);
    mjx::com_pos(m, d);
    mjx::tendon(m, d);
    mjx::transmission(m, d);
}

// Configuration number k: away from the rest position by a fixed pattern.
template <class M, class Q>
void pose(const M& m, Q& qpos, int k) {
    using S = std::remove_cvref_t<decltype(qpos[0])>;
    std::vector<S> v;
    for (int i = 0; i < m.nv; ++i) v.push_back(S(static_cast<mjx::value_t<S>>(0.35 * std::sin(1.7 * i + 2.3 * k))));
    for (int i = 0; i < m.nq; ++i) qpos[i] = S(m.qpos0[i]);
    const mjx::Span<S> velocity{v.data(), m.nv};
    mjx::integrate_pos(m, qpos, velocity, mjx::value_t<S>(1));
}

}  // namespace scene
