// What a joint has to be, for every kind of them, one of a program's own included.
#include "joint_scene.hpp"

#include "mjx/constraint/make.hpp"
#include "mjx/integrators.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"
#include "mjx/stage/energy.hpp"

using namespace joint_scene;

namespace {

using Number = dual<double, 1>;
using Sim = Simulator<double, Euler, PGS, JointModel>;
using Moved = Data<Number, JointModel>;

// Positions and inertias at q ⊕ h v for a variable h, at h = 0: the derivatives are rates along v.
void move_along(const JointModel& m, const Data<double, JointModel>& d, const Array<double>& v, Moved& moved) {
    for (int i = 0; i < m.nq; ++i) moved.qpos[i] = Number(d.qpos[i]);
    for (int i = 0; i < m.nv; ++i) moved.qvel[i] = Number(v[i]);
    integrate_pos(m, moved.qpos, moved.qvel, Number::variable(0, 0));
    kinematics(m, moved);
    com_pos(m, moved);
    crba(m, moved);
}

template <class F>
void for_each_kind(F&& f) {
    for (const JointKind& kind : Joints::kinds) {
        CAPTURE(kind.name);
        f(kind, compile<Joints>(alone(kind)));
    }
}

Array<double> zeros(int n) {
    Array<double> x;
    x.resize(n);
    return x;
}

// f(b) for each body that dof i moves.
template <class F>
void for_each_body_of(const JointModel& m, int i, F&& f) {
    for (int b = 1; b < m.nbody; ++b)
        for_each_dof_of(m, b, [&](int dof) {
            if (dof == i) f(b);
        });
}

double entry(const JointModel& m, const Data<double, JointModel>& d, int i, int j) {
    for (int c = m.M_rowadr[i]; c < m.M_rowadr[i] + m.M_rownnz[i]; ++c)
        if (m.M_colind[c] == j) return d.M[c];
    return 0;
}

}  // namespace

TEST_CASE("Moving along a velocity and comparing positions are inverse") {
    for_each_kind([](const JointKind&, const JointModel& m) {
        Sim sim(m);
        scatter(m, sim.data());
        auto& d = sim.data();
        Array<double> to = zeros(m.nq), between = zeros(m.nv);
        for (int i = 0; i < m.nq; ++i) to[i] = d.qpos[i];
        integrate_pos(m, to, d.qvel, 1.5);
        differentiate_pos(m, between, to, d.qpos);
        for (int i = 0; i < m.nv; ++i) CHECK(between[i] == Approx(1.5 * d.qvel[i]).margin(1e-12));
        integrate_pos(m, d.qpos, between, 1.0);
        for (int i = 0; i < m.nq; ++i) CHECK(d.qpos[i] == Approx(to[i]).margin(1e-12));
    });
}

TEST_CASE("Axes are what moves when a dof does") {
    for_each_kind([](const JointKind&, const JointModel& m) {
        Sim sim(m);
        scatter(m, sim.data());
        sim.forward();
        const auto& d = sim.data();
        Moved moved(m);
        Array<double> unit = zeros(m.nv);
        for (int i = 0; i < m.nv; ++i) {
            for (int k = 0; k < m.nv; ++k) unit[k] = k == i;
            move_along(m, d, unit, moved);
            for_each_body_of(m, i, [&](int b) {
                const Vec3<double> velocity = point_column(m, d, b, d.xipos[b], i), w = angular(d.cdof[i]);
                for (int k = 0; k < 3; ++k) {
                    CHECK(moved.xipos[b][k].partial[0] == Approx(velocity[k]).margin(1e-12));
                    const Vec3<double> column = cross(w, d.ximat[b].column(k));
                    for (int r = 0; r < 3; ++r) CHECK(moved.ximat[b](r, k).partial[0] == Approx(column[r]).margin(1e-12));
                }
            });
        }
    });
}

TEST_CASE("The inertia matrix is the sum over bodies of what moves with each pair of dofs") {
    for_each_kind([](const JointKind&, const JointModel& m) {
        Sim sim(m);
        scatter(m, sim.data());
        sim.forward();
        const auto& d = sim.data();
        for (int i = 0; i < m.nv; ++i)
            for (int j = 0; j <= i; ++j) {
                double sum = i == j ? m.dof_armature[i] : 0;
                for_each_body_of(m, i, [&](int b) {
                    sum += m.body_mass[b] * dot(point_column(m, d, b, d.xipos[b], i), point_column(m, d, b, d.xipos[b], j));
                    const Vec3<double> wi = transpose_mul(d.ximat[b], angular(d.cdof[i]));
                    const Vec3<double> wj = transpose_mul(d.ximat[b], angular(d.cdof[j]));
                    for (int k = 0; k < 3; ++k) sum += wi[k] * m.body_inertia[b][k] * wj[k];
                });
                CHECK(entry(m, d, i, j) == Approx(sum).margin(1e-12));
            }
    });
}

TEST_CASE("Energy changes by the power of the motors") {
    for_each_kind([](const JointKind&, const JointModel& m) {
        Sim sim(m);
        scatter(m, sim.data());
        sim.forward();
        const auto& d = sim.data();
        Array<double> velocity = zeros(m.nv);
        double power = 0;
        for (int i = 0; i < m.nv; ++i) {
            velocity[i] = d.qvel[i];
            power += d.qfrc_actuator[i] * d.qvel[i];
        }
        Moved moved(m);
        move_along(m, d, velocity, moved);
        for (int i = 0; i < m.nv; ++i) moved.qvel[i] = Number(d.qvel[i]) + Number::variable(0, 0) * d.qacc[i];
        energy_pos(m, moved);
        energy_vel(m, moved);
        CHECK(std::abs(power) > 1e-4);
        CHECK((moved.energy[0] + moved.energy[1]).partial[0] == Approx(power).epsilon(1e-10).margin(1e-10));
    });
}

TEST_CASE("The moment of a motor is the slope of its length") {
    for_each_kind([](const JointKind& kind, const JointModel& m) {
        if (kind.rotation >= 0) return;  // the length of a rotation is along its axis alone, as in MuJoCo
        Sim sim(m);
        scatter(m, sim.data());
        sim.forward();
        const auto& d = sim.data();
        Array<double> velocity = zeros(m.nv);
        for (int i = 0; i < m.nv; ++i) velocity[i] = d.qvel[i];
        Moved moved(m);
        move_along(m, d, velocity, moved);
        transmission(m, moved);
        CHECK(moved.actuator_length[0].partial[0] == Approx(d.actuator_velocity[0]).epsilon(1e-12));
    });
}

TEST_CASE("A limit pushes back") {
    for (const JointKind& kind : Joints::kinds) {
        CAPTURE(kind.name);
        Spec spec = alone(kind);
        spec.option.gravity = {0, 0, 0};
        SpecJoint& joint = spec.world.bodies.front().joints.front();
        joint.stiffness = {0, 0, 0};
        joint.limited = Tristate::yes;
        joint.range = {kind.scalar ? -0.3 : 0, 0.4};
        const JointModel m = compile<Joints>(spec);
        for (const double side : {-1.0, 1.0}) {
            Sim sim(m);
            auto& d = sim.data();
            Array<double> velocity = zeros(m.nv);
            for (int k = 0; k < kind.nv; ++k) velocity[k] = side * 0.9;
            integrate_pos(m, d.qpos, velocity, 1.0);
            sim.forward();
            if (kind.limit_entries == 0) {
                CHECK(d.nefc == 0);
                continue;
            }
            REQUIRE(d.nefc == 1);
            CHECK(d.efc_force[0] > 0);
            const double depth = d.efc_pos[0];
            CHECK(depth < -0.1);
            // the row's Jacobian is the slope of the distance
            Moved moved(m);
            for (int k = 0; k < m.nv; ++k) velocity[k] = 0.3 + 0.1 * k;
            move_along(m, d, velocity, moved);
            Number distance(0);
            Joints::visit(kind.type, [&](auto j) {
                j.limits(m, moved, 0, [&](const Number& x, const auto&) {
                    if (x.value < -0.1) distance = x;
                });
            });
            double slope = 0;
            for (int c = 0; c < kind.limit_entries; ++c) slope += d.efc_J[c] * velocity[d.efc_J_colind[c]];
            CHECK(distance.partial[0] == Approx(slope).epsilon(1e-10));
            sim.step(400);
            CHECK((d.nefc == 0 || d.efc_pos[0] > 0.1 * depth));
        }
    }
}

TEST_CASE("A planar joint is two slides and a hinge") {
    for (const Vec3<double>& axis : {Vec3<double>{{0.3, -0.4, 0.8}}, Vec3<double>{{0, 0, 1}}, Vec3<double>{{0.1, 0.2, -0.9}}}) {
        Spec one = alone(kind_of<Planar>), three = one;
        SpecBody& body = three.world.bodies.front();
        SpecJoint joint = body.joints.front();
        joint.axis = one.world.bodies.front().joints.front().axis = axis;
        for (Spec* spec : {&one, &three}) spec->world.bodies.front().joints.front().stiffness = {3, 0, 0};
        const Mat3<double> plane = to_mat3(z_to(normalize(axis)));
        joint.stiffness = {3, 0, 0};
        body.joints.clear();
        three.actuators.clear();
        for (const int k : {0, 1, 2}) {
            joint.name = std::string("part") + std::to_string(k);
            joint.type = k < 2 ? Slide::type : Hinge::type;
            joint.ref = k < 2 ? 0 : 0.2;
            joint.springref = k < 2 ? 0 : -0.1;
            joint.axis = k < 2 ? plane.column(k) : axis;
            body.add_joint(joint);
            three.add_actuator({.name = joint.name, .trntype = trn::joint, .gear = {one.actuators.front().gear[k]}, .target = joint.name});
        }
        Sim planar(compile<Joints>(one)), parts(compile<Joints>(three));
        scatter(planar.model(), planar.data());
        for (int i = 0; i < 4; ++i) {
            parts.qpos()[i] = planar.qpos()[i];
            parts.qvel()[i] = planar.qvel()[i];
        }
        for (int k = 0; k < 3; ++k) parts.ctrl()[k] = planar.ctrl()[0];
        planar.step(200);
        parts.step(200);
        for (int i = 0; i < 4; ++i) {
            CHECK(planar.qpos()[i] == Approx(parts.qpos()[i]).epsilon(1e-10));
            CHECK(planar.qvel()[i] == Approx(parts.qvel()[i]).epsilon(1e-9));
        }
    }
}

TEST_CASE("A joint outside the set is an error that says so") {
    CHECK_THROWS_WITH((compile<joint_set<Hinge, Slide>>(alone(kind_of<Screw>))),
                      "joint 'screw': type 100 is not in the joint_set of this model, expected one of slide, hinge");
    CHECK_THROWS_WITH((compile<joint_set<Hinge, Screw>>(alone(kind_of<Ball>))),
                      "joint 'ball': type ball is not in the joint_set of this model, expected one of hinge, screw");
    CHECK_THROWS_WITH((cast<double, joint_set<Hinge, Slide>>(compile<Joints>(alone(kind_of<Screw>)))),
                      Catch::Contains("joint 'screw' is a screw joint, which is not in the joint_set"));
}
