// What people ask of a robot around its step: poses, Jacobians, inertias, forces, momenta, contacts, rays, distances.
//
//     auto J = mjx::jacobian(sim, mjx::site("tcp"));                    // 6 x nv, rotation first, world axes; or sim.site("tcp")
//     auto R = mjx::jacobian(sim, mjx::relative(mjx::body("hand"), mjx::body("head")));
//     auto M = mjx::mass_matrix(sim);
//     mjx::gravity_force(sim, sim.qfrc_applied());                      // into the caller's buffer: gravity compensation
//     mjx::InverseKinematics ik(model);  ik.position(mjx::site("tcp"), target);  ik.solve(sim.qpos());
//
// Functions of a simulator also take a model and its data, and results without a buffer at the end are xtensor arrays (mjx/views.hpp).
// They read what sim.forward() left in the data; forward_kinematics(sim) and forward_inertia(sim) compute no more than they need.
//
// Frames: body, inertia_of, geom, site, camera, by index or name; handles such as sim.site("tcp"); point(frame, offset); local(frame);
// relative(frame, to); com(body) and angular_momentum(body) of a subtree.
#pragma once

#include "mjx/collision/distance.hpp"
#include "mjx/collision/ray.hpp"
#include "mjx/robotics/contacts.hpp"
#include "mjx/robotics/equilibrium.hpp"
#include "mjx/robotics/forces.hpp"
#include "mjx/robotics/forward.hpp"
#include "mjx/robotics/inverse_kinematics.hpp"
#include "mjx/robotics/jacobian.hpp"
#include "mjx/robotics/position.hpp"
#include "mjx/solver/inverse.hpp"

namespace mjx {

using inner::angular_momentum;
using inner::body;
using inner::camera;
using inner::com;
using inner::geom;
using inner::inertia_of;
using inner::local;
using inner::MatrixSpan;
using inner::point;
using inner::Pose;
using inner::relative;
using inner::site;

// Stages.
inline constexpr inner::Answer forward_kinematics{[](const auto& m, auto& d) { inner::forward_kinematics(m, d); }, 0};
inline constexpr inner::Answer forward_inertia{[](const auto& m, auto& d) { inner::forward_inertia(m, d); }, 0};
using inner::compare_forward_inverse;
// The forces that make qacc, into qfrc_inverse: inverse(sim), or inverse<Integrator>(m, d). With the invdiscrete flag qacc is what a step
// of the integrator makes of the velocity, (v' - v)/h.
using inner::inverse;
template <class Sim>
void inverse(Sim& sim) {
    inner::inverse<typename Sim::integrator>(sim.model(), sim.data());
}

// Where a frame is, and how it moves.
inline constexpr inner::Query pose{[](const auto& m, const auto& d, const auto& frame) { return inner::pose(m, d, frame); }};
inline constexpr inner::Query orientation{[](const auto& m, const auto& d, const auto& frame) { return inner::orientation(m, d, frame); }};
inline constexpr inner::Query velocity{[](const auto& m, const auto& d, const auto& frame) { return inner::velocity(m, d, frame); }};
inline constexpr inner::Query jacobian_dot_times_v{
    [](const auto& m, const auto& d, const auto& frame) { return inner::jacobian_dot_times_v(m, d, frame); }};
inline constexpr inner::Answer jacobian{
    [](const auto& m, const auto& d, const auto& frame, auto& J) -> void { inner::jacobian(m, d, frame, J); },
    [](const auto& m, const auto& frame) {
        return inner::MatrixShape{inner::jacobian_rows(frame), m.nv};
    }};
// Of gravity, springs and motion: energy(sim).kinetic.
inline constexpr inner::Query energy{[](const auto& m, auto& d) { return inner::energies(m, d); }};
// Of a body's subtree: angular, then linear momentum about its centre of mass; the same by dofs; and the rate of that.
inline constexpr inner::Query momentum{[](const auto& m, const auto& d, int body) { return inner::momentum(m, d, body); }};
inline constexpr inner::Answer centroidal_momentum{
    [](const auto& m, const auto& d, int body, auto& A) -> void { inner::centroidal_momentum(m, d, body, A); },
    [](const auto& m, int) {
        return inner::MatrixShape{6, m.nv};
    }};
inline constexpr inner::Answer centroidal_momentum_rate{
    [](const auto& m, const auto& d, int body, auto& A) -> void { inner::centroidal_momentum_rate(m, d, body, A); },
    [](const auto& m, int) {
        return inner::MatrixShape{6, m.nv};
    }};

// Inertia: M, M x, M⁻¹ x, and half of that; (J M⁻¹ Jᵀ)⁻¹ for a J of so many rows, which is used up.
inline constexpr inner::Answer mass_matrix{[](const auto& m, const auto& d, auto& M) -> void { inner::mass_matrix(m, d, M); },
                                           [](const auto& m) {
                                               return inner::MatrixShape{m.nv, m.nv};
                                           }};
inline constexpr inner::Answer multiply_mass{
    [](const auto& m, const auto& d, const auto& x, auto& out) -> void { inner::multiply_mass(m, d, x, out); },
    [](const auto& m, const auto&) { return inner::VectorShape{m.nv}; }};
inline constexpr inner::Answer solve_mass{
    [](const auto& m, const auto& d, const auto& x, auto& out) -> void { inner::solve_mass(m, d, x, out); },
    [](const auto& m, const auto&) { return inner::VectorShape{m.nv}; }};
inline constexpr inner::Answer half_solve_mass{
    [](const auto& m, const auto& d, const auto& x, auto& out) -> void { inner::half_solve_mass(m, d, x, out); },
    [](const auto& m, const auto&) { return inner::VectorShape{m.nv}; }};
inline constexpr inner::Answer operational_inertia{
    [](const auto& m, const auto& d, auto& J, int rows, auto& out) -> void { inner::operational_inertia(m, d, J, rows, out); },
    [](const auto&, const auto&, int rows) {
        return inner::MatrixShape{rows, rows};
    }};

// Forces: M qacc + C qvel + gravity = all that acts.
inline constexpr inner::Answer bias_force{[](const auto& m, const auto& d, auto& out) -> void { inner::bias_force(m, d, out); },
                                          [](const auto& m) { return inner::VectorShape{m.nv}; }};
inline constexpr inner::Answer gravity_force{[](const auto& m, const auto& d, auto& out) -> void { inner::gravity_force(m, d, out); },
                                             [](const auto& m) { return inner::VectorShape{m.nv}; }};
inline constexpr inner::Answer coriolis_matrix{[](const auto& m, const auto& d, auto& C) -> void { inner::coriolis_matrix(m, d, C); },
                                               [](const auto& m) {
                                                   return inner::MatrixShape{m.nv, m.nv};
                                               }};
inline constexpr inner::Answer inverse_dynamics{
    [](const auto& m, const auto& d, const auto& qacc, auto& out) -> void { inner::inverse_dynamics(m, d, qacc, out); },
    [](const auto& m, const auto&) { return inner::VectorShape{m.nv}; }};
inline constexpr inner::Answer regressor{
    [](const auto& m, const auto& d, const auto& qacc, auto& Y) -> void { inner::regressor(m, d, qacc, Y); },
    [](const auto& m, const auto&) {
        return inner::MatrixShape{m.nv, 10 * m.nbody};
    }};
using inner::inertial_parameters;

// Positions.
using inner::integrate_position;
using inner::interpolate_position;
using inner::position_difference;
using inner::random_position;

// Joint angles for given poses, and the forces that hold one.
using inner::IkOptions;
using inner::IkResult;
using inner::InverseKinematics;
using inner::static_equilibrium;

// Contacts, rays, distances.
inline constexpr inner::Answer contact_jacobian{
    [](const auto& m, const auto& d, int contact, auto& J) -> void { inner::contact_jacobian(m, d, contact, J); },
    [](const auto& m, int) {
        return inner::MatrixShape{6, m.nv};
    }};
inline constexpr inner::Query contact_force{[](const auto& m, const auto& d, int contact) { return inner::contact_force(m, d, contact); }};
inline constexpr inner::Query contact_force_world{
    [](const auto& m, const auto& d, int contact) { return inner::contact_force_world(m, d, contact); }};
inline constexpr inner::Query body_contact_force{
    [](const auto& m, const auto& d, int body) { return inner::body_contact_force(m, d, body); }};
using inner::geom_distance;
using inner::ray;
using inner::RayFilter;
using inner::RayHit;

}  // namespace mjx
