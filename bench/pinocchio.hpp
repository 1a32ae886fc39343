// A model's tree for Pinocchio: the same bodies, joints and armatures, for its derivatives of the articulated-body algorithm.
//
// Hinges along an axis of their own frame become its cheaper aligned joints, as its readers of robots make them.
#pragma once

#include <pinocchio/fwd.hpp>

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

template <class V>
Eigen::Vector3d eigen(const V& v) {
    return {v[0], v[1], v[2]};
}
template <class P, class Q>
pinocchio::SE3 eigen_pose(const P& pos, const Q& quat) {
    return {Eigen::Quaterniond(quat[0], quat[1], quat[2], quat[3]).toRotationMatrix(), eigen(pos)};
}

inline pinocchio::JointIndex add_hinge(pinocchio::Model& to, pinocchio::JointIndex parent, const Eigen::Vector3d& axis,
                                       const pinocchio::SE3& at, const std::string& name) {
    if (axis == Eigen::Vector3d::UnitX()) return to.addJoint(parent, pinocchio::JointModelRX(), at, name);
    if (axis == Eigen::Vector3d::UnitY()) return to.addJoint(parent, pinocchio::JointModelRY(), at, name);
    if (axis == Eigen::Vector3d::UnitZ()) return to.addJoint(parent, pinocchio::JointModelRZ(), at, name);
    return to.addJoint(parent, pinocchio::JointModelRevoluteUnaligned(axis), at, name);
}

// Free joints and hinges, of which any number may be on one body.
template <class M>
pinocchio::Model pinocchio_model(const M& m) {
    pinocchio::Model to;
    std::vector<pinocchio::JointIndex> joint(static_cast<std::size_t>(m.nbody), 0);
    std::vector<pinocchio::SE3> in_joint(joint.size(), pinocchio::SE3::Identity());  // the body's frame, seen from its last joint
    for (int b = 1; b < m.nbody; ++b) {
        const auto parent = static_cast<std::size_t>(m.body_parentid[b]), self = static_cast<std::size_t>(b);
        joint[self] = joint[parent];
        in_joint[self] = in_joint[parent] * eigen_pose(m.body_pos[b], m.body_quat[b]);
        for (int j = m.body_jntadr[b]; j < m.body_jntadr[b] + m.body_jntnum[b]; ++j) {
            const std::string name = "joint" + std::to_string(j);
            if (m.jnt_type[j] == mjx::jnt::free) {
                joint[self] = to.addJoint(joint[self], pinocchio::JointModelFreeFlyer(), pinocchio::SE3::Identity(), name);
                in_joint[self] = pinocchio::SE3::Identity();
                continue;
            }
            if (m.jnt_type[j] != mjx::jnt::hinge) throw std::runtime_error("only free joints and hinges are taken to Pinocchio");
            const pinocchio::SE3 anchor(Eigen::Matrix3d::Identity(), eigen(m.jnt_pos[j]));
            joint[self] = add_hinge(to, joint[self], eigen(m.jnt_axis[j]), in_joint[self] * anchor, name);
            in_joint[self] = anchor.inverse();
        }
        const Eigen::Matrix3d axes =
            Eigen::Quaterniond(m.body_iquat[b][0], m.body_iquat[b][1], m.body_iquat[b][2], m.body_iquat[b][3]).toRotationMatrix();
        const pinocchio::Inertia own(m.body_mass[b], eigen(m.body_ipos[b]),
                                     axes * eigen(m.body_inertia[b]).asDiagonal() * axes.transpose());
        to.appendBodyToJoint(joint[self], own, in_joint[self]);
    }
    for (int i = 0; i < m.nv; ++i) to.armature[i] = m.dof_armature[i];
    to.gravity.linear(eigen(m.opt.gravity));
    return to;
}

// A free joint's quaternion is wxyz here, xyzw there.
template <class M, class Q>
Eigen::VectorXd pinocchio_position(const M& m, const Q& qpos) {
    Eigen::VectorXd q(static_cast<Eigen::Index>(m.nq));
    for (int i = 0; i < m.nq; ++i) q[i] = qpos[static_cast<std::size_t>(i)];
    for (int j = 0; j < m.njnt; ++j) {
        const int at = m.jnt_qposadr[j] + 3;
        if (m.jnt_type[j] != mjx::jnt::free) continue;
        for (int k = 0; k < 4; ++k) q[at + k] = qpos[static_cast<std::size_t>(at + (k + 1) % 4)];
    }
    return q;
}

// The derivatives of the accelerations by position, velocity and force, at one state.
struct PinocchioDerivatives {
    pinocchio::Model model;
    pinocchio::Data data;
    Eigen::VectorXd q, v, force;

    template <class M, class Q, class V>
    PinocchioDerivatives(const M& m, const Q& qpos, const V& qvel)
        : model(pinocchio_model(m)), data(model), q(pinocchio_position(m, qpos)), v(model.nv), force(Eigen::VectorXd::Zero(model.nv)) {
        for (int i = 0; i < model.nv; ++i) v[i] = qvel[static_cast<std::size_t>(i)];
    }
    void operator()() { pinocchio::computeABADerivatives(model, data, q, v, force); }
};

}  // namespace bench
