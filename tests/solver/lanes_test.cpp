// Packs: rows are those of any lane, yet lane k of a solve is the solve of environment k alone.
#include "catch.hpp"
#include "solver/scenes.hpp"

#include "mjx/solver/newton.hpp"
#include "mjx/solver/penalty.hpp"
#include "mjx/solver/pgs.hpp"
#include "mjx/stage/contact_force.hpp"

#include <bit>

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
            most = std::max(most, alone.nefc);
            const double scale = 1 + scenes::norm(alone.qacc, m.nv), tolerance = std::is_same_v<T, float> ? 1e-3 : 1e-5;
            CAPTURE(cone, k, alone.nefc, d.nefc);
            for (int i = 0; i < m.nv; ++i) CHECK(std::abs(double(mjx::lane(d.qacc[i], k)) - double(alone.qacc[i])) < tolerance * scale);
        }
        CHECK(d.nefc >= most);
    }
}

TEMPLATE_TEST_CASE("a lane is solved the same, bit by bit, whatever contacts its neighbours have", "",
                   (Case<mjx::pack<double>, mjx::Newton>), (Case<mjx::pack<float>, mjx::Newton>), (Case<mjx::pack<double>, mjx::CG>),
                   (Case<mjx::pack<double>, mjx::PGS>)) {
    using P = typename TestType::pack;
    using Solver = typename TestType::solver;
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic}) {
        auto model = load_scene("humanoid");
        model.opt.cone = cone;
        const auto m = mjx::cast<mjx::value_t<P>>(model);
        scenes::Data<P> mixed(m), uniform(m);
        mjx::reset(m, mixed);
        for (int k = 0; k < mjx::lanes_v<P>; ++k) scenes::set(m, mixed, k, scenes::state(model, static_cast<unsigned>(k)));
        mjx::forward<Solver>(m, mixed);
        for (int k = 0; k < mjx::lanes_v<P>; ++k) {
            mjx::reset(m, uniform);
            for (int l = 0; l < mjx::lanes_v<P>; ++l) scenes::set(m, uniform, l, scenes::state(model, static_cast<unsigned>(k)));
            mjx::forward<Solver>(m, uniform);
            CAPTURE(cone, k, mixed.nefc, uniform.nefc);
            for (int i = 0; i < m.nv; ++i) CHECK(mjx::lane(mixed.qacc[i], k) == mjx::lane(uniform.qacc[i], 0));
        }
    }
}

namespace {

// Every lane in a state of its own, against each of them alone. Gives how many islands the lanes have, as bits of a set.
template <class P, class Solver>
unsigned compare_with_alone(mjx::Model<double> model, int cone) {
    using T = mjx::value_t<P>;
    model.opt.cone = cone;
    const auto m = mjx::cast<T>(model);
    scenes::Data<P> d(m);
    scenes::Data<T> alone(m);
    unsigned islands = 0;
    for (unsigned first = 0; first < 24; first += mjx::lanes_v<P>) {
        mjx::reset(m, d);
        for (int k = 0; k < mjx::lanes_v<P>; ++k) scenes::set(m, d, k, scenes::state(model, first + static_cast<unsigned>(k)));
        mjx::forward<Solver>(m, d);
        for (int k = 0; k < mjx::lanes_v<P>; ++k) {
            mjx::reset(m, alone);
            scenes::set(m, alone, 0, scenes::state(model, first + static_cast<unsigned>(k)));
            mjx::forward<Solver>(m, alone);
            islands |= 1u << alone.nisland;
            CAPTURE(cone, first, k, alone.nisland, d.nisland);
            for (int i = 0; i < m.nv; ++i) {
                CHECK(mjx::lane(d.qacc[i], k) == alone.qacc[i]);
                CHECK(mjx::lane(d.qfrc_constraint[i], k) == alone.qfrc_constraint[i]);
            }
        }
    }
    return islands;
}

}  // namespace

TEMPLATE_TEST_CASE("a lane is solved as it is alone, bit by bit, whatever trees its neighbours tie together", "",
                   (Case<mjx::pack<double>, mjx::Newton>), (Case<mjx::pack<float>, mjx::Newton>), (Case<mjx::pack<double>, mjx::CG>),
                   (Case<mjx::pack<double>, mjx::PGS>), (Case<mjx::pack<double>, mjx::Penalty>)) {
    using P = typename TestType::pack;
    using Solver = typename TestType::solver;
    auto tray = load_scene("tray");
    // more than 64 dofs, whose order of elimination goes by who touches whom
    const auto heap = load_model_string(R"(<mujoco><worldbody><geom type="plane" size="5 5 1"/><replicate count="4" offset="0.3 0 0">
        <replicate count="3" offset="0 0.3 0"><body pos="0 0 0.15"><freejoint/><geom size="0.13"/></body></replicate></replicate>
        </worldbody></mujoco>)");
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic}) {
        for (const int noslip : {0, 3})
            for (const double impratio : {1.0, 1e4}) {  // the second leaves nothing of the inertia in float
                tray.opt.noslip_iterations = noslip;
                tray.opt.impratio = impratio;
                const unsigned islands = compare_with_alone<P, Solver>(tray, cone);
                if (Solver::minimizes_cost) CHECK(std::popcount(islands) > 2);  // lanes differ
            }
        const unsigned islands = compare_with_alone<P, Solver>(heap, cone);
        if (Solver::minimizes_cost) CHECK(std::popcount(islands) > 2);
    }
}

namespace {

// Two limbs held together at their ends, with limits and dry friction, and a ball with more contact dimensions, over a floor.
const char* const linkage = R"(<mujoco><option timestep="0.005"/><default><geom condim="3" friction="0.7 0.02 0.01"/></default>
    <worldbody><geom type="plane" size="5 5 1"/>
    <body name="a" pos="0 0 0.3"><freejoint/><geom type="capsule" size="0.05" fromto="-0.2 0 0 0.2 0 0"/>
      <body name="b" pos="0.2 0.1 0"><joint name="j" axis="0 1 0" range="-30 30" limited="true" frictionloss="0.2"/>
        <geom type="capsule" size="0.04" fromto="0 0 0 0.3 0 0"/></body>
      <body name="c" pos="0.2 -0.1 0"><joint name="k" axis="0 1 0" range="-30 30" limited="true"/>
        <geom type="capsule" size="0.04" fromto="0 0 0 0.3 0 0" condim="4"/></body></body>
    <body name="ball" pos="0 0.5 0.1"><freejoint/><geom size="0.1" condim="6"/></body></worldbody>
    <equality><connect body1="b" body2="c" anchor="0.3 -0.1 0"/><joint joint1="j" joint2="k" polycoef="0 1 0 0 0"/></equality></mujoco>)";

// Environment k lies, leans or flies in its own way; some reach their limits.
template <class M, class D>
void set_pose(const M& m, D& d, int lane, int k) {
    using T = mjx::value_t<typename D::scalar>;
    const auto set = [&](auto& field, int i, double value) { mjx::set_lane(field[i], lane, static_cast<T>(value)); };
    const double turn = 0.2 * k, heights[] = {0.04, 0.3, 0.05, 0.1, 0.045, 1, 0.06, 0.04};
    const double qpos[] = {0.1 * k,
                           0,
                           heights[k % 8],
                           std::cos(turn),
                           0,
                           std::sin(turn),
                           0,
                           0.5 - 0.15 * k,
                           0.55 - 0.14 * k,
                           -1,
                           1 + 0.02 * k,
                           0.09 + 0.02 * (k % 3),
                           1,
                           0,
                           0,
                           0};
    for (int i = 0; i < m.nq; ++i) set(d.qpos, i, qpos[i]);
    for (int i = 0; i < m.nv; ++i) {
        set(d.qvel, i, 0.3 * std::sin(1.0 + i + 3 * k));
        set(d.qacc_warmstart, i, 0);
    }
}

// The forces of the rows that lane k has, in their order.
template <class D>
std::vector<double> lane_forces(const D& d, int k) {
    std::vector<double> forces;
    for (int i = 0; i < d.nefc; ++i)
        if (mjx::lane(d.efc_D[i], k) > 0) forces.push_back(double(mjx::lane(d.efc_force[i], k)));
    return forces;
}

// The forces and friction cones of the contacts that lane k has, contact by contact.
template <class M, class D>
std::vector<double> lane_contact_forces(const M& m, const D& d, int k) {
    std::vector<double> forces;
    for (int c = 0; c < d.ncon; ++c) {
        if (!mjx::lane(d.contact[c].active, k)) continue;
        const auto force = mjx::contact_force(m, d, c);
        for (int i = 0; i < 6; ++i) forces.push_back(double(mjx::lane(force[i], k)));
        forces.push_back(double(mjx::lane(d.contact[c].mu, k)));
    }
    return forces;
}

}  // namespace

TEMPLATE_TEST_CASE("lanes in poses of their own keep the forces of their own contacts, limits and equalities", "",
                   (Case<mjx::pack<double>, mjx::Newton>), (Case<mjx::pack<float>, mjx::Newton>), (Case<mjx::pack<double>, mjx::CG>),
                   (Case<mjx::pack<double>, mjx::PGS>)) {
    using P = typename TestType::pack;
    using T = mjx::value_t<P>;
    auto model = load_model_string(linkage);
    model.opt.iterations = 2000;
    // PGS stops when a sweep gains little, not when the gradient is small: it is to take all its sweeps
    if (std::is_same_v<typename TestType::solver, mjx::PGS>) model.opt.tolerance = 0;
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic})
        for (const int noslip : {0, 3}) {
            model.opt.cone = cone;
            model.opt.noslip_iterations = noslip;
            const auto m = mjx::cast<T>(model);
            scenes::Data<P> d(m);
            scenes::Data<T> alone(m);
            mjx::reset(m, d);
            for (int k = 0; k < mjx::lanes_v<P>; ++k) set_pose(m, d, k, k);
            mjx::forward<typename TestType::solver>(m, d);
            for (int k = 0; k < mjx::lanes_v<P>; ++k) {
                mjx::reset(m, alone);
                set_pose(m, alone, 0, k);
                mjx::forward<typename TestType::solver>(m, alone);
                CAPTURE(cone, noslip, k, alone.nefc, d.nefc);
                const double tolerance = std::is_same_v<T, float> ? 3e-3 : 1e-5;
                const double scale = 1 + scenes::norm(alone.qacc, m.nv), force_scale = 1 + scenes::norm(alone.qfrc_constraint, m.nv);
                for (int i = 0; i < m.nv; ++i) {
                    CHECK(std::abs(double(mjx::lane(d.qacc[i], k)) - double(alone.qacc[i])) < tolerance * scale);
                    CHECK(std::abs(double(mjx::lane(d.qfrc_constraint[i], k)) - double(alone.qfrc_constraint[i])) <
                          tolerance * force_scale);
                }
                const auto same = [&](const std::vector<double>& forces, const std::vector<double>& expected) {
                    REQUIRE(forces.size() == expected.size());
                    for (std::size_t i = 0; i < forces.size(); ++i) CHECK(std::abs(forces[i] - expected[i]) < 10 * tolerance * force_scale);
                };
                same(lane_forces(d, k), lane_forces(alone, 0));
                same(lane_contact_forces(m, d, k), lane_contact_forces(m, alone, 0));
            }
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
    REQUIRE(d.nefc == 1);
    for (int k = 0; k < mjx::lanes_v<P>; ++k) {
        mjx::reset(m, alone);
        alone.qpos[0] = k == 1 ? 1.0 : 0.3 * k;
        mjx::forward<mjx::Newton>(m, alone);
        CAPTURE(k);
        CHECK(alone.nefc == (k == 1 ? 0 : 1));
        CHECK(mjx::lane(d.efc_force[0], k) == Approx(alone.nefc ? alone.efc_force[0] : 0));
        CHECK(mjx::lane(d.qacc[0], k) == Approx(alone.qacc[0]).margin(1e-12));
    }
}

TEMPLATE_TEST_CASE("contacts of different lanes share their rows where the solver looks at rows alone", "", mjx::pack<double>,
                   mjx::pack<float>) {
    using P = TestType;
    using T = mjx::value_t<P>;
    // lane k stands on foot k of four: two contacts, one, two, or one without friction
    const auto m = mjx::cast<T>(load_model_string(R"(<mujoco><worldbody><geom type="plane" size="5 5 1" condim="1"/>
        <body pos="0 0 0.5"><freejoint/><geom size="0.1"/>
          <body pos=" 1 0 0"><joint type="slide" axis="0 0 1"/><geom size="0.1"/><geom size="0.12" pos="0 0.3 0"/></body>
          <body pos="-1 0 0"><joint type="slide" axis="0 0 1"/><geom size="0.1"/></body>
          <body pos="0  1 0"><joint type="slide" axis="0 0 1"/><geom size="0.1"/><geom size="0.12" pos="0 0.3 0"/></body>
          <body pos="0 -1 0"><joint type="slide" axis="0 0 1"/><geom size="0.1" condim="1"/></body></body></worldbody></mujoco>)"));
    scenes::Data<P> shared(m), apart(m);
    for (auto* d : {&shared, &apart}) {
        mjx::reset(m, *d);
        for (int k = 0; k < mjx::lanes_v<P>; ++k) mjx::set_lane(d->qpos[7 + k % 4], k, T(-0.41));
    }
    mjx::forward<mjx::Newton>(m, shared);
    mjx::forward<mjx::PGS>(m, apart);
    CHECK(apart.nefc == (mjx::lanes_v<P> < 4 ? 12 : 21));
    CHECK(shared.nefc == (mjx::lanes_v<P> < 4 ? 8 : 9));
    for (int k = 0; k < mjx::lanes_v<P>; ++k) {
        CHECK(lane_forces(shared, k).size() == (k % 4 == 3 ? 1 : k % 2 ? 4 : 8));
        CHECK(lane_forces(apart, k).size() == lane_forces(shared, k).size());
    }
}

// The hardest solimp there is, with friction stiffer by impratio: constraints outweigh the inertia by their product, and what float
// rounds away is so much larger. Newton's Hessian loses the inertia altogether.
TEST_CASE("float finds the accelerations of very stiff contact to what its precision leaves") {
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic})
        for (const double impratio : {1.0, 100.0}) {
            auto model = load_scene("humanoid");
            model.opt.cone = cone;
            model.opt.impratio = impratio;
            for (int g = 0; g < model.ngeom; ++g) model.geom_solimp[g][0] = model.geom_solimp[g][1] = 0.9999;
            for (int j = 0; j < model.njnt; ++j) model.jnt_solimp[j][0] = model.jnt_solimp[j][1] = 0.9999;
            const auto m = mjx::cast<float>(model);
            scenes::Data<float> d(m);
            scenes::Data<double> exact(model);
            for (unsigned k = 0; k < 100; ++k) {
                mjx::reset(m, d);
                mjx::reset(model, exact);
                scenes::set(m, d, 0, scenes::state(model, k));
                scenes::set(model, exact, 0, scenes::state(model, k));
                mjx::forward<mjx::Newton>(m, d);
                mjx::forward<mjx::Newton>(model, exact);
                double difference = 0;
                for (int i = 0; i < m.nv; ++i) difference = std::hypot(difference, double(d.qacc[i]) - exact.qacc[i]);
                CAPTURE(cone, impratio, k, d.nefc);
                CHECK(difference < 4 * mjx::epsilon_v<float> * 1e4 * impratio * (1 + scenes::norm(exact.qacc, m.nv)));
            }
        }
}

TEMPLATE_TEST_CASE("a factor of which only the rows that changed are made anew is that of all rows, bit by bit", "", mjx::pack<double>,
                   mjx::pack<float>) {
    using T = TestType;
    const auto model = load_scene("humanoid");
    const auto m = mjx::cast<mjx::value_t<T>>(model);
    scenes::Data<T> d(m);
    for (unsigned first = 0; d.nblock < 4 && first < 100; ++first) {
        mjx::reset(m, d);
        for (int k = 0; k < mjx::lanes_v<T>; ++k) scenes::set(m, d, k, scenes::state(model, first + static_cast<unsigned>(k)));
        mjx::forward<mjx::Newton>(m, d);
    }
    REQUIRE(d.nblock > 3);

    const auto w = mjx::borrow<mjx::SolverWork>(m, d);
    mjx::find_islands(m, d);
    mjx::make_lane_pattern(m, d, 0);
    auto& weight = mjx::primal(d).weight;
    for (int i = 0; i < d.nefc; ++i) weight[i] = d.efc_D[i];
    mjx::LaneHessian<scenes::Data<T>> H{d};
    const auto nobody = mjx::mask_t<T>(false);
    mjx::assemble_hessian(m, d, 0, H, nobody);
    const auto solve = [&](auto& form) {
        std::vector<T> x;
        for (int i = 0; i < m.nv; ++i) x.push_back(T(static_cast<mjx::value_t<T>>(1 + i % 5)));
        mjx::factor_hessian(m, d, 0, form, x);
        form.finish_solve(m, 0, x);
        return x;
    };
    solve(H);
    CHECK(H.changed == 0);
    int kept = 0;
    for (int b = 0; b < d.nblock; ++b) {
        const int row = d.block_row[b];
        weight[row] = T(0);
        mjx::update_hessian(d, 0, H, nobody);
        kept += m.nv - std::popcount(H.changed);
        const std::vector<T> x = solve(H);
        mjx::LaneHessian<scenes::Data<T>> all{d, ~std::uint64_t(0)};
        const std::vector<T> expected = solve(all);
        CAPTURE(b);
        for (int i = 0; i < m.nv; ++i) CHECK(mjx::all(x[static_cast<std::size_t>(i)] == expected[static_cast<std::size_t>(i)]));
    }
    CHECK(kept > 0);
}
