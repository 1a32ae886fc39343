// A model with many features at once, for the derivatives of all of them.
#pragma once

#include <string>

// Equalities of joints and tendons, limits and dry friction of all kinds, a chain of balls that lies on boxes and on itself, muscles,
// filters, servos, a controller, springs along rotations, gravity compensation.
inline std::string features(const char* cone, int condim, const char* flags) {
    return std::string("<mujoco><option timestep='0.003' cone='") + cone + "' impratio='2'><flag " + flags + "/></option>" +
           "<default><geom condim='" + std::to_string(condim) +
           R"(' friction='0.7 0.02 0.01' solref='0.02 1.1' solimp='0.8 0.95 0.01 0.4 2'/>
  <joint solimplimit='0.5 0.97 0.2'/></default>
  <worldbody><geom type='plane' size='5 5 .1'/>
    <body pos='0 0 .16'><freejoint/><geom type='box' size='.1 .08 .05' pos='.01 0 0'/>
      <body pos='.12 0 0' gravcomp='0.6'><joint name='b1' type='ball' range='0 .3' limited='true' stiffness='1' damping='.02'/>
        <geom type='capsule' size='.03' fromto='0 0 0 .15 0 0'/>
        <body pos='.2 0 0'><joint name='h1' axis='0 1 0' damping='.1 .05' stiffness='2 1' frictionloss='.02'/>
          <joint name='h2' axis='0 0 1' range='-.1 .1' limited='true' margin='.02'/><geom type='sphere' size='.05' pos='.05 0 0'/></body></body></body>
    <body pos='.1 .02 .4'><freejoint/><geom type='sphere' size='.06'/></body>
    <body pos='.6 0 .3'><joint name='s1' type='slide' axis='0 0 1' damping='2'/><geom type='ellipsoid' size='.1 .05 .04'/>
      <body pos='0 .1 0'><joint name='h3' axis='1 0 0' armature='.01'/><geom type='capsule' size='.02' fromto='0 0 0 0 .2 0'/></body></body>
  </worldbody>
  <tendon><fixed name='t' stiffness='3' damping='.4' range='-.1 .2' limited='true' frictionloss='.05'><joint joint='h1' coef='1'/>
    <joint joint='h3' coef='-.5'/></fixed></tendon>
  <equality><joint joint1='h3' joint2='h2' polycoef='.1 .5 .4 -.3 .2'/></equality>
  <actuator><muscle joint='h1' force='3' lengthrange='-2 2'/><position joint='h2' kp='3' kv='.2' timeconst='.1'/><motor joint='h3' ctrlrange='-1 1'
    ctrllimited='true'/><general tendon='t' dyntype='filterexact' dynprm='.05' gainprm='2' biastype='affine' biasprm='0 -1 -.1'/>
    <position joint='b1' kp='.5' gear='1 .3 .2'/>
    <plugin joint='h1' plugin='mujoco.pid' dyntype='filter' dynprm='.1'><config key='kp' value='1'/><config key='ki' value='3'/>
    <config key='kd' value='.1'/><config key='imax' value='20'/><config key='slewmax' value='900'/></plugin></actuator></mujoco>)";
}
