// What people ask around a step, on the humanoid: Jacobians, inertia, momentum; against MuJoCo's functions in the same run.
#include "axes.hpp"

#include "humanoid.hpp"

#include "mjx/robotics.hpp"

#include <cmath>
#include <vector>

namespace {

constexpr int nv = 27;

// The same pose and motion for everybody.
template <class Q, class V>
void stir(Q&& qpos, V&& qvel) {
    for (int i = 7; i < nv + 1; ++i) qpos[i] = 0.3 * std::sin(1.3 * i);
    for (int i = 0; i < nv; ++i) qvel[i] = 0.5 * std::cos(0.7 * i);
}

struct Contests {
    bench::Contest frame{"humanoid: Jacobian of a hand"}, com{"humanoid: Jacobian of the centre of mass"},
        momentum{"humanoid: matrix of the angular momentum"}, bias{"humanoid: J-dot v of a hand"}, dense{"humanoid: dense M"},
        multiply{"humanoid: M x"}, solve{"humanoid: M⁻¹ x"};
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
    return bench::run_all({c.frame, c.com, c.momentum, c.bias, c.dense, c.multiply, c.solve}, argc, argv);
}
