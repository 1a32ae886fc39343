// What people ask around a step, on the humanoid: Jacobians, inertia, momentum, positions; against MuJoCo's functions in the same run.
#include "axes.hpp"

#include "humanoid.hpp"

#include "mjx/parameters.hpp"
#include "mjx/robotics.hpp"

#include <cmath>
#include <vector>

namespace {

constexpr int nv = 27;
constexpr int falling = 500;  // steps, after which the humanoid lies on the floor

// The same pose and motion for everybody, with the feet in the floor.
template <class Q, class V>
void stir(Q&& qpos, V&& qvel) {
    qpos[2] -= 0.1;
    for (int i = 7; i < nv + 1; ++i) qpos[i] = 0.3 * std::sin(1.3 * i);
    for (int i = 0; i < nv; ++i) qvel[i] = 0.5 * std::cos(0.7 * i);
}

struct Contests {
    bench::Contest frame{"humanoid: Jacobian of a hand"}, com{"humanoid: Jacobian of the centre of mass"},
        momentum{"humanoid: matrix of the angular momentum"}, bias{"humanoid: J-dot v of a hand"}, dense{"humanoid: dense M"},
        multiply{"humanoid: M x"}, solve{"humanoid: M⁻¹ x"}, half{"humanoid: half of M⁻¹ x"}, velocity{"humanoid: velocity of a hand"},
        contact{"humanoid: forces of all contacts"}, move{"humanoid: position moved along a velocity"},
        difference{"humanoid: difference of positions"}, kinematics{"humanoid: forward kinematics"}, constants{"humanoid: constants"};
};

#ifdef MJX_HAVE_MUJOCO
void enter_mujoco(Contests& c, int hand) {
    auto r = std::make_shared<bench::Mujoco>(bench::scene("humanoid"), true);
    stir(r->d->qpos, r->d->qvel);
    mj_forward(r->m, r->d);
    auto J = std::make_shared<std::vector<double>>(6 * nv), x = std::make_shared<std::vector<double>>(nv, 1.0);
    auto M = std::make_shared<std::vector<double>>(nv * nv);
    double* const p = J->data();
    c.frame.add("MuJoCo", [=] {
        mj_jacBody(r->m, r->d, p + 3 * nv, p, hand);
        bench::clobber();
        (void)J;
    });
    c.com.add("MuJoCo", [=] {
        mj_jacSubtreeCom(r->m, r->d, p, 1);
        bench::clobber();
        (void)J;
    });
    c.momentum.add("MuJoCo", [=] {
        mj_angmomMat(r->m, r->d, p, 1);
        bench::clobber();
        (void)J;
    });
    c.bias.add("MuJoCo (mj_jacDot)", [=] {
        mj_jacDot(r->m, r->d, p + 3 * nv, p, r->d->xpos + 3 * hand, hand);
        bench::clobber();
        (void)J;
    });
    c.dense.add("MuJoCo", [=] {
        mj_fullM(r->m, r->d, M->data());
        bench::clobber();
    });
    c.multiply.add("MuJoCo", [=] {
        mj_mulM(r->m, r->d, p, x->data());
        bench::clobber();
        (void)J;
    });
    c.solve.add("MuJoCo", [=] {
        mj_solveM(r->m, r->d, p, x->data(), 1);
        bench::clobber();
        (void)J;
    });
    c.half.add("MuJoCo", [=] {
        mj_solveM2(r->m, r->d, p, x->data(), M->data(), 1);
        bench::clobber();
        (void)J;
    });
    c.velocity.add("MuJoCo", [=] {
        mj_objectVelocity(r->m, r->d, mjOBJ_XBODY, hand, p, 0);
        bench::clobber();
        (void)J;
    });
    auto fallen = std::make_shared<bench::Mujoco>(bench::scene("humanoid"), true);
    for (int i = 0; i < falling; ++i) mj_step(fallen->m, fallen->d);
    mj_forward(fallen->m, fallen->d);
    c.contact.add("MuJoCo, " + std::to_string(fallen->d->ncon) + " contacts", [=] {
        for (int i = 0; i < fallen->d->ncon; ++i) mj_contactForce(fallen->m, fallen->d, i, p + 6 * (i % 8));
        bench::clobber();
        (void)J;
    });
    auto q = std::make_shared<std::vector<double>>(r->d->qpos, r->d->qpos + nv + 1);
    c.move.add("MuJoCo", [=] {
        mj_integratePos(r->m, q->data(), x->data(), 1e-9);
        bench::clobber();
    });
    c.difference.add("MuJoCo", [=] {
        mj_differentiatePos(r->m, p, 1, r->m->qpos0, q->data());
        bench::clobber();
        (void)J;
    });
    c.kinematics.add("MuJoCo", [=] {
        mj_kinematics(r->m, r->d);
        mj_comPos(r->m, r->d);
        mj_camlight(r->m, r->d);
        mj_comVel(r->m, r->d);
        bench::clobber();
    });
    auto other = std::make_shared<bench::Mujoco>(bench::scene("humanoid"), true);
    c.constants.add("MuJoCo", [=] {
        mj_setConst(other->m, other->d);
        bench::clobber();
    });
}
#endif

template <class Sim, class... Arguments>
void enter(Contests& c, const std::string& name, int hand, const Arguments&... arguments) {
    auto sim = std::make_shared<Sim>(arguments...);
    stir(sim->qpos(), sim->qvel());
    sim->forward();
    auto J = std::make_shared<std::vector<double>>(6 * nv), x = std::make_shared<std::vector<double>>(nv, 1.0);
    auto M = std::make_shared<std::vector<double>>(nv * nv);
    const mjx::MatrixSpan rows{J->data(), 6, nv}, square{M->data(), nv, nv};
    c.frame.add(name, [=] {
        mjx::jacobian(*sim, mjx::body(hand), rows);
        bench::clobber();
        (void)J;
    });
    c.com.add(name, [=] {
        mjx::jacobian(*sim, mjx::com(1), rows);
        bench::clobber();
        (void)J;
    });
    c.momentum.add(name, [=] {
        mjx::jacobian(*sim, mjx::angular_momentum(1), rows);
        bench::clobber();
        (void)J;
    });
    c.bias.add(name, [=] {
        const auto a = mjx::jacobian_dot_times_v(*sim, mjx::body(hand));
        for (int k = 0; k < 6; ++k) (*J)[std::size_t(k)] = a[k];
        bench::clobber();
    });
    c.dense.add(name, [=] {
        mjx::mass_matrix(*sim, square);
        bench::clobber();
        (void)M;
    });
    c.multiply.add(name, [=] {
        mjx::multiply_mass(*sim, *x, *J);
        bench::clobber();
    });
    c.solve.add(name, [=] {
        mjx::solve_mass(*sim, *x, *J);
        bench::clobber();
    });
    c.half.add(name, [=] {
        mjx::half_solve_mass(*sim, *x, *J);
        bench::clobber();
    });
    c.velocity.add(name, [=] {
        const auto v = mjx::velocity(*sim, mjx::body(hand));
        for (int k = 0; k < 6; ++k) (*J)[std::size_t(k)] = v[k];
        bench::clobber();
    });
    auto fallen = std::make_shared<Sim>(arguments...);
    for (int i = 0; i < falling; ++i) fallen->step();
    fallen->forward();
    c.contact.add(name + ", " + std::to_string(fallen->data().ncon) + " contacts", [=] {
        for (int i = 0; i < fallen->data().ncon; ++i) {
            const auto f = mjx::contact_force(*fallen, i);
            for (int k = 0; k < 6; ++k) (*J)[std::size_t(6 * (i % 8) + k)] = f[k];
        }
        bench::clobber();
    });
    auto q = std::make_shared<std::vector<double>>(sim->qpos().begin(), sim->qpos().end());
    c.move.add(name, [=] {
        mjx::integrate_position(sim->model(), *q, *x, 1e-9);
        bench::clobber();
    });
    c.difference.add(name, [=] {
        mjx::position_difference(sim->model(), sim->model().qpos0, *q, *J);
        bench::clobber();
    });
    c.kinematics.add(name, [=] {
        mjx::forward_kinematics(*sim);
        bench::clobber();
    });
    if constexpr (sizeof...(Arguments) > 0) {
        auto other = std::make_shared<Sim>(arguments...);
        c.constants.add(name, [=] {
            mjx::set_constants(other->model(), other->data());
            bench::clobber();
        });
    }
}

}  // namespace

int main(int argc, char** argv) {
    Contests c;
    const mjx::Model model = mjx::load_mjcf(bench::scene("humanoid"));
    const int hand = model.nbody - 1;
#ifdef MJX_HAVE_MUJOCO
    enter_mujoco(c, hand);
#endif
    enter<mjx::Simulator<double, mjx::Euler, mjx::Newton>>(c, "double, runtime model", hand, model);
    enter<mjx::Simulator<double, mjx::Euler, mjx::Newton, models::Humanoid>>(c, "double, fixed model", hand);
    return bench::run_all({c.frame, c.com, c.momentum, c.bias, c.dense, c.multiply, c.solve, c.half, c.velocity, c.contact, c.move,
                           c.difference, c.kinematics, c.constants},
                          argc, argv);
}
