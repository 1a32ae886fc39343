// Packs: rows are those of any lane, yet lane k of a solve is the solve of environment k alone.
#include "catch.hpp"
#include "solver/scenes.hpp"

#include "mjx/solver/newton.hpp"
#include "mjx/solver/penalty.hpp"
#include "mjx/solver/pgs.hpp"

namespace {

template <class P, class Solver>
struct Case {
    using pack = P;
    using solver = Solver;
};

}  // namespace

TEMPLATE_TEST_CASE("each lane of a pack is solved as if it were alone", "", (Case<mjx::pack<double>, mjx::Newton>),
                   (Case<mjx::pack<float>, mjx::Newton>), (Case<mjx::pack<double>, mjx::CG>), (Case<mjx::pack<double>, mjx::PGS>),
                   (Case<mjx::pack<double>, mjx::Penalty>)) {
    using P = typename TestType::pack;
    using T = mjx::value_t<P>;
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic}) {
        auto model = load_scene("humanoid");
        model.opt.cone = cone;
        model.opt.iterations = 1000;
        const auto m = mjx::cast<T>(model);
        scenes::Data<P> d(m);
        scenes::Data<T> alone(m);
        mjx::reset(m, d);
        for (int k = 0; k < mjx::lanes_v<P>; ++k) scenes::set(m, d, k, scenes::state(model, static_cast<unsigned>(k)));
        mjx::forward<typename TestType::solver>(m, d);
        int most = 0;
        for (int k = 0; k < mjx::lanes_v<P>; ++k) {
            mjx::reset(m, alone);
            scenes::set(m, alone, 0, scenes::state(model, static_cast<unsigned>(k)));
            mjx::forward<typename TestType::solver>(m, alone);
            most = std::max(most, alone.nefc[0]);
            const double scale = 1 + scenes::norm(alone.qacc, m.nv), tolerance = std::is_same_v<T, float> ? 1e-3 : 1e-5;
            CAPTURE(cone, k, alone.nefc[0], d.nefc[0]);
            for (int i = 0; i < m.nv; ++i) CHECK(std::abs(double(mjx::lane(d.qacc[i], k)) - double(alone.qacc[i])) < tolerance * scale);
        }
        CHECK(d.nefc[0] >= most);
    }
}

TEST_CASE("a row that is zero in one lane's state exists in the other lanes") {
    using P = mjx::pack<double>;
    // the residual x - x²/2 of one angle stands still where x = 1
    const auto m = load_model_string(R"(<mujoco><worldbody><body><joint name="x" axis="0 1 0"/><geom size="0.1" pos="0.2 0 0"/></body>
        </worldbody><tendon><fixed name="a"><joint joint="x" coef="1"/></fixed><fixed name="b"><joint joint="x" coef="1"/></fixed></tendon>
        <equality><tendon tendon1="a" tendon2="b" polycoef="0 0 0.5 0 0"/></equality></mujoco>)");
    scenes::Data<P> d(m);
    scenes::Data<double> alone(m);
    mjx::reset(m, d);
    for (int k = 0; k < mjx::lanes_v<P>; ++k) mjx::set_lane(d.qpos[0], k, k == 1 ? 1.0 : 0.3 * k);
    mjx::forward<mjx::Newton>(m, d);
    REQUIRE(d.nefc[0] == 1);
    for (int k = 0; k < mjx::lanes_v<P>; ++k) {
        mjx::reset(m, alone);
        alone.qpos[0] = k == 1 ? 1.0 : 0.3 * k;
        mjx::forward<mjx::Newton>(m, alone);
        CAPTURE(k);
        CHECK(alone.nefc[0] == (k == 1 ? 0 : 1));
        CHECK(mjx::lane(d.efc_force[0], k) == Approx(alone.nefc[0] ? alone.efc_force[0] : 0));
        CHECK(mjx::lane(d.qacc[0], k) == Approx(alone.qacc[0]).margin(1e-12));
    }
}
