// A solver of one's own with work space of its own: nothing of the library changes for it, and it needs no more than the porch has.
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/scalars.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include <memory>

namespace {

struct LargeSize {
    template <class M>
    constexpr int operator()(const M&, int) const {
        return 200000;
    }
};
inline constexpr LargeSize large_size;

template <class S, class M>
struct JacobiWork {
    mjx::WorkPlace<M>* at;
    template <class T, auto Size>
    using array = mjx::WorkArray<T, Size, S, M>;
    array<S, mjx::Dim::njmax> residual{at};
    array<S, large_size> large{at};  // more than all of the library's algorithms have
    array<S, mjx::Dim::nv> push{at};
};

// Projected Jacobi: every row at once gives way to its residual, pushing never pulling. For limits and pyramids.
struct Jacobi : mjx::SolverDefaults {
    static constexpr const char* name = "Jacobi";
    template <class S, class M>
    using work = JacobiWork<S, M>;

    template <class M, class D>
    static void solve(const M& m, D& d) {
        using S = typename D::scalar;
        const auto w = mjx::borrow<JacobiWork>(m, d);
        const int most = large_size(m, 1);
        for (int i = 0; i < most; ++i) w->large[i] = S(1);
        for (int i = 0; i < d.nefc; ++i) d.efc_force[i] = S(0);
        for (int i = 0; i < m.nv; ++i) d.qacc[i] = d.qacc_smooth[i];
        const S share = S(mjx::value_t<S>(1) / mjx::value_t<S>(d.nefc + 1)) * w->large[most - 1];
        for (int iteration = 0; iteration < 400; ++iteration) {
            mjx::jacobian_product<S>(d, d.qacc, w->residual);
            for (int i = 0; i < d.nefc; ++i) {
                const S slope = w->residual[i] - d.efc_aref[i] + d.efc_R[i] * d.efc_force[i];
                const S next = mjx::max(S(d.efc_force[i] - share * slope / (d.efc_diagA[i] + d.efc_R[i])), S(0));
                d.efc_force[i] = mjx::select(d.efc_D[i] > S(0), next, S(0));
            }
            mjx::jacobian_transpose_product<S>(m, d, d.efc_force, d.qfrc_constraint);
            for (int i = 0; i < m.nv; ++i) w->push[i] = d.qfrc_constraint[i];
            mjx::solve_ldl(m, d.qLD, d.qLDiagInv, w->push);
            for (int i = 0; i < m.nv; ++i) d.qacc[i] = d.qacc_smooth[i] + w->push[i];
        }
    }
};

}  // namespace

// From here on mjx:: is what tests see, the rooms too.
#include "catch.hpp"
#include "load.hpp"

#include "cheetah.hpp"

namespace {

template <class S, class M = mjx::Model<>>
using Sim = mjx::Simulator<S, mjx::Euler, Jacobi, M>;
using Cheetah = models::Cheetah;

}  // namespace

TEST_CASE("a solver with work of its own agrees with Newton at a limit") {
    const auto model = load_model_string(R"(<mujoco><option gravity="0 0 -9.81"/><worldbody><body><joint type="slide" axis="0 0 1"
        range="-0.1 1" limited="true"/><geom size="0.1"/></body></worldbody></mujoco>)");
    Sim<double> own(model);
    mjx::Simulator<double, mjx::Euler, mjx::Newton> newton(model);
    own.qpos()[0] = newton.qpos()[0] = -0.11;
    own.forward();
    newton.forward();
    CHECK(newton.data().efc_force[0] > 1);
    CHECK(own.data().efc_force[0] == Approx(newton.data().efc_force[0]).epsilon(1e-9));
    CHECK(own.qacc()[0] == Approx(newton.qacc()[0]).epsilon(1e-9));
}

TEST_CASE("a solver with work of its own steps fixed models and packs as it does one environment") {
    const auto one = std::make_unique<Sim<double, Cheetah>>();
    const auto lanes = std::make_unique<Sim<mjx::pack<double>, Cheetah>>();
    static_assert(sizeof(one->data()) > sizeof(mjx::Data<double, Cheetah>));
    one->qpos()[3] = 1.4;  // beyond the joint's limit
    for (int k = 0; k < mjx::lanes_v<mjx::pack<double>>; ++k) mjx::set_lane(lanes->qpos()[3], k, k == 1 ? 1.4 : 0.3);
    for (int step = 0; step < 5; ++step) {
        one->step();
        lanes->step();
        CHECK(one->data().nefc > 0);
    }
    for (int i = 0; i < Cheetah::nq; ++i) CHECK(mjx::lane(lanes->qpos()[i], 1) == Approx(one->qpos()[i]).epsilon(1e-9).margin(1e-12));
}
