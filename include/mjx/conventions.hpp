// The conventions that every header relies on: comments only. They are MuJoCo's.
//
// Units       metres, kilograms, seconds, radians. Degrees occur in files alone.
// Numbers     quaternions are w x y z and of unit length; matrices are row by row; indices start at 0, -1 means none.
//             Ids are in the order of a depth-first walk through the bodies; body 0 is the world.
// Frames      xpos, xquat, xmat take a body's coordinates to the world's: x_world = xpos + xmat x_body, so the columns
//             of xmat are the body's axes. Likewise xipos, ximat (the principal axes of its inertia), geom_*, site_* and
//             cam_*. In the model, poses are relative to the body; body_pos and body_quat to the parent. The axis of
//             capsules and cylinders and the normal of planes are z.
// Velocities  qvel has one number per degree of freedom: the rate of a hinge or slide; the angular velocity of a ball in
//             its own frame; of a free joint the linear velocity in the world's frame, then the angular velocity in its
//             own. qpos has a quaternion where qvel has three numbers, so differences of qpos live in the space of qvel
//             (model/joints.hpp).
// 6-vectors   rotation before translation: cvel, cacc, cdof, cfrc_*. Their axes are the world's, and they are taken at the
//             centre of mass of the body's kinematic tree (subtree_com of its root), where sums over bodies need no
//             lever arms. Inertias there (cinert) are 10 numbers: xx yy zz xy xz yz, mass times offset, mass. Two have
//             the force first and the torque behind: xfrc_applied (world's axes, at xipos) and contact_force() (axes
//             of the contact).
// Dynamics    M qacc + qfrc_bias = qfrc_passive + qfrc_actuator + qfrc_applied + Jᵀ efc_force, with xfrc_applied among
//             the applied forces. Of M the lower triangle is kept: row i has the dofs above dof i in the tree, then the
//             diagonal.
// Contacts    dist is negative inside; pos is midway between the surfaces; the rows of frame are the normal, from geom1
//             to geom2, and two tangents. geom1 is the one whose type comes first in shape::; users' own are before meshes.
// Tangents    A and B are derivatives of the state (difference of qpos, qvel, act), which has 2 nv + na numbers.
#pragma once
