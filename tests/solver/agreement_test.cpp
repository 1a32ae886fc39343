// All solvers find the one minimum of the one convex problem, and inverse dynamics takes it apart again.
#include "catch.hpp"
#include "solver/scenes.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/solver/inverse.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/pgs.hpp"

#include <cmath>

namespace {

using Model = mjx::Model<double>;
using Data = scenes::Data<double>;

mjx::Array<double> zeros(int n) {
    mjx::Array<double> items;
    items.resize(n);
    return items;
}

// The cost that all solvers minimize, at qacc.
double cost(const Model& m, const Data& d) {
    auto jar = zeros(d.nefc), force = jar, weight = jar, x = zeros(m.nv), Mx = x;
    mjx::residuals(d, d.qacc, jar);
    double sum = mjx::apply_laws<double>(d, jar, force, weight);
    for (int i = 0; i < m.nv; ++i) x[i] = d.qacc[i] - d.qacc_smooth[i];
    mjx::multiply_symmetric(m, d.M, x, Mx);
    for (int i = 0; i < m.nv; ++i) sum += 0.5 * x[i] * Mx[i];
    return sum;
}

Model humanoid(int cone) {
    Model m = load_scene("humanoid");
    m.opt.cone = cone;
    m.opt.tolerance = 0;
    m.opt.iterations = 100;
    return m;
}

// The humanoid, and balls beyond its reach.
Model humanoid_beside(int balls, int cone) {
    std::string text = "<mujoco><option tolerance='0' iterations='100'/><asset><model name='h' file='" + std::string(MJX_TESTS_DIR) +
                       "/models/humanoid.xml'/></asset><worldbody><geom type='plane' size='0 0 1'/><frame><attach model='h' body='torso' "
                       "prefix='h'/></frame>";
    for (int k = 0; k < balls; ++k) text += "<body pos='" + std::to_string(10 + k) + " 0 0.09'><freejoint/><geom size='.1'/></body>";
    Model m = load_model_string(text + "</worldbody></mujoco>");
    m.opt.cone = cone;
    return m;
}

}  // namespace

TEST_CASE("Newton's forces and acceleration satisfy the equations of motion and the force laws") {
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic}) {
        const Model m = humanoid(cone);
        int rows = 0;
        for (unsigned k = 0; k < 20; ++k) {
            Data d(m);
            mjx::reset(m, d);
            scenes::set(m, d, 0, scenes::state(m, k));
            mjx::forward<mjx::Newton>(m, d);
            rows += d.nefc;
            auto jar = zeros(d.nefc), force = jar, weight = jar, Ma = zeros(m.nv), Jf = Ma;
            mjx::residuals(d, d.qacc, jar);
            mjx::apply_laws<double>(d, jar, force, weight);
            for (int i = 0; i < d.nefc; ++i) CHECK(force[i] == Approx(d.efc_force[i]).epsilon(1e-6).margin(1e-6));
            mjx::jacobian_transpose_product<double>(m, d, d.efc_force, Jf);
            mjx::multiply_symmetric(m, d.M, d.qacc, Ma);
            const double scale = 1 + scenes::norm(d.qfrc_constraint, m.nv);
            for (int i = 0; i < m.nv; ++i) {
                CHECK(std::abs(Jf[i] - d.qfrc_constraint[i]) < 1e-9 * scale);
                CHECK(std::abs(Ma[i] - d.qfrc_smooth[i] - Jf[i]) < 1e-8 * scale);
            }
        }
        CHECK(rows > 150);
    }
}

TEST_CASE("wherever Newton starts, and whatever zones it guesses, it ends at the same acceleration") {
    Model m = humanoid(mjx::cone::pyramidal);
    int rows = 0, changed = 0;
    for (unsigned k = 0; k < 20; ++k) {
        Data exact(m);
        mjx::reset(m, exact);
        scenes::set(m, exact, 0, scenes::state(m, k));
        m.opt.tolerance = 0;  // nothing is guessed
        mjx::forward<mjx::Newton>(m, exact);
        rows += exact.nefc;
        m.opt.tolerance = 1e-8;
        std::mt19937 random(k);
        std::normal_distribution<double> normal;
        for (const double distance : {0.0, 1e-3, 0.1, 1.0, 10.0}) {
            Data d = exact;
            const double size = distance * scenes::norm(exact.qacc, m.nv) / std::sqrt(m.nv);
            for (int i = 0; i < m.nv; ++i) d.qacc_warmstart[i] = exact.qacc[i] + size * normal(random);
            mjx::forward<mjx::Newton>(m, d);
            changed += d.solver_niter > 0;
            CHECK(d.solver_niter < 15);
            const double scale = 1 + scenes::norm(exact.qacc, m.nv);
            for (int i = 0; i < m.nv; ++i) CHECK(std::abs(d.qacc[i] - exact.qacc[i]) < 1e-6 * scale);
        }
    }
    CHECK(rows > 150);
    CHECK(changed > 60);
}

TEST_CASE("at rest Newton has the zones of the last step, and takes fewer iterations than MuJoCo's 1.50") {
    const Model m = load_scene("humanoid");
    Data d(m);
    mjx::reset(m, d);
    for (int t = 0; t < 4000; ++t) mjx::step<mjx::Euler, mjx::Newton>(m, d);
    int iterations = 0;
    for (int t = 0; t < 48; ++t) {
        mjx::step<mjx::Euler, mjx::Newton>(m, d);
        iterations += d.solver_niter;
        CHECK(d.ncon >= 8);
        CHECK(d.solver_gradient < 1e-8);
    }
    CHECK(iterations < 1.5 * 48);
}

TEST_CASE("the cost of all rows is what their laws cost, and Newton reports it") {
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic}) {
        Model m = humanoid(cone);
        for (int i = 6; i < m.nv; ++i) m.dof_frictionloss[i] = 0.1;
        for (unsigned k = 0; k < 20; ++k) {
            Data d(m);
            mjx::reset(m, d);
            scenes::set(m, d, 0, scenes::state(m, k));
            mjx::forward<mjx::Newton>(m, d);
            auto jar = zeros(d.nefc), force = jar, weight = jar;
            for (const auto* qacc : {&d.qacc, &d.qacc_smooth}) {
                mjx::residuals(d, *qacc, jar);
                CHECK(mjx::constraint_cost<double>(d, jar) == Approx(mjx::apply_laws<double>(d, jar, force, weight)).epsilon(1e-12));
            }
            CHECK(d.solver_cost == Approx(cost(m, d)).epsilon(1e-9));
        }
    }
}

TEST_CASE("residuals at two accelerations in one pass are those of two passes, bit by bit") {
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic}) {
        const Model m = humanoid(cone);
        int rows = 0;
        for (unsigned k = 0; k < 20; ++k) {
            Data d(m);
            mjx::reset(m, d);
            scenes::set(m, d, 0, scenes::state(m, k));
            mjx::forward<mjx::Newton>(m, d);
            auto first = zeros(d.nefc), second = first;
            mjx::jacobian_product<double>(d, d.qacc, first);
            mjx::jacobian_product<double>(d, d.qvel, second);
            int visited = 0;
            for (int b = 0; b < d.nblock; ++b)
                mjx::block_rows_products<double>(d, b, d.qacc, d.qvel, [&](int i, double x, double y) {
                    CHECK(x == first[i]);
                    CHECK(y == second[i]);
                    ++visited;
                });
            CHECK(visited == d.nefc);
            rows += visited;
        }
        CHECK(rows > 150);
    }
}

TEST_CASE("what Newton finds is the same whether its Hessian has whole rows or those of a pattern") {
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic}) {
        const Model alone = humanoid_beside(0, cone), many = humanoid_beside(7, cone);
        REQUIRE(alone.nv <= mjx::max_lane_dofs);
        REQUIRE(many.nv > mjx::max_lane_dofs);
        int filled = 0;
        for (unsigned k = 0; k < 20; ++k) {
            Data d(alone), other(many);
            mjx::reset(alone, d);
            mjx::reset(many, other);
            scenes::set(alone, d, 0, scenes::state(alone, k));
            for (int i = 0; i < alone.nq; ++i) other.qpos[i] = d.qpos[i];
            for (int i = 0; i < alone.nv; ++i) other.qvel[i] = d.qvel[i];
            for (int i = 0; i < alone.nv; ++i) other.qfrc_applied[i] = d.qfrc_applied[i];
            mjx::forward<mjx::Newton>(alone, d);
            mjx::forward<mjx::Newton>(many, other);
            REQUIRE(other.ncon == d.ncon + 7);
            filled += mjx::needs_fill(many, other);
            const double scale = 1 + scenes::norm(d.qacc, alone.nv);
            for (int i = 0; i < alone.nv; ++i) CHECK(std::abs(d.qacc[i] - other.qacc[i]) < 1e-8 * scale);
        }
        CHECK(filled > 5);
        CHECK(filled < 20);
    }
}

TEST_CASE("CG and PGS reach Newton's cost") {
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic}) {
        Model m = humanoid(cone);
        for (unsigned k = 0; k < 6; ++k) {
            Data d(m);
            mjx::reset(m, d);
            scenes::set(m, d, 0, scenes::state(m, k));
            m.opt.iterations = 100;
            mjx::forward<mjx::Newton>(m, d);
            const double best = cost(m, d);
            m.opt.iterations = 20000;
            mjx::CG::solve(m, d);
            CHECK(cost(m, d) - best <= 1e-6 * std::abs(best));
            mjx::PGS::solve(m, d);
            CHECK(cost(m, d) - best <= 1e-6 * std::abs(best));
        }
    }
}

// Balls on one hinge, pressed into the floor: far more rows than the one dof can tell apart, so the problem in force space is nearly singular.
TEST_CASE("PGS comes closer to the solution with every iteration, however stiff the problem") {
    Model m = load_model_string(R"(<mujoco><option tolerance="0"/><worldbody><geom type="plane" size="5 5 1"/>
        <body pos="0 0 0.08"><joint axis="0 1 0"/><geom size="0.1" pos="-0.3 0 0"/><geom size="0.1" pos="-0.1 0.05 0"/>
        <geom size="0.1" pos="0.15 0 0"/><geom size="0.1" pos="0.35 0 0"/></body></worldbody></mujoco>)");
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic}) {
        m.opt.cone = cone;
        m.opt.iterations = 100;
        Data d(m);
        mjx::reset(m, d);
        d.qvel[0] = 0.2;
        mjx::forward<mjx::Newton>(m, d);
        const double best = cost(m, d);
        CHECK(d.nefc >= 12);
        double before = 0;
        for (m.opt.iterations = 1; m.opt.iterations <= 64; ++m.opt.iterations) {
            mjx::PGS::solve(m, d);
            CHECK(d.solver_cost >= before * (1 - 1e-12));
            CHECK(d.solver_cost <= best * (1 + 1e-12));
            before = d.solver_cost;
        }
        m.opt.iterations = 3000;
        mjx::PGS::solve(m, d);
        CHECK(cost(m, d) - best <= 1e-6 * best);
        CHECK(d.solver_cost == Approx(best).epsilon(1e-9));
    }
}

// A box that slides and turns on four corners: near the solution the steps after sweeps are long, and go by differences of rounded numbers.
TEST_CASE("PGS stays at the solution, however long it goes on") {
    Model m = load_model_string(R"(<mujoco><option tolerance="0" iterations="500"/><worldbody>
        <geom type="plane" size="5 5 1" friction="0.5 0.005 0.0001"/><body pos="0 0 0.0999"><freejoint/>
        <geom type="box" size="0.1 0.1 0.1" mass="2" friction="0.5 0.005 0.0001"/></body></worldbody></mujoco>)");
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic}) {
        m.opt.cone = cone;
        for (int start = 0; start < 4; ++start) {
            Data d(m), other(m);
            mjx::reset(m, d);
            mjx::reset(m, other);
            d.qvel[0] = 0.5;
            d.qvel[1] = 0.1 * start;
            d.qvel[5] = 0.3 * start;
            for (int step = 0; step < 60; ++step) {
                for (int i = 0; i < m.nq; ++i) other.qpos[i] = d.qpos[i];
                for (int i = 0; i < m.nv; ++i) other.qvel[i] = d.qvel[i];
                mjx::forward<mjx::PGS>(m, d);
                mjx::forward<mjx::Newton>(m, other);
                const double scale = 1 + scenes::norm(other.qacc, m.nv);
                for (int i = 0; i < m.nv; ++i) REQUIRE(std::abs(d.qacc[i] - other.qacc[i]) < 1e-6 * scale);
                mjx::step<mjx::Euler, mjx::PGS>(m, d);
            }
        }
    }
}

TEST_CASE("a solver may choose the cone in the model's place") {
    const Model asks_pyramids = humanoid(mjx::cone::pyramidal), asks_ellipses = humanoid(mjx::cone::elliptic);
    Data d(asks_pyramids), expected(asks_ellipses);
    mjx::reset(asks_pyramids, d);
    scenes::set(asks_pyramids, d, 0, scenes::state(asks_pyramids, 3));
    expected = d;
    mjx::forward<mjx::WithCone<mjx::Newton, mjx::cone::elliptic>>(asks_pyramids, d);
    mjx::forward<mjx::Newton>(asks_ellipses, expected);
    CHECK(d.ncon > 0);
    CHECK(d.nefc == expected.nefc);
    for (int i = 0; i < asks_pyramids.nv; ++i) CHECK(d.qacc[i] == expected.qacc[i]);
}

TEST_CASE("no acceleration nearby costs less than Newton's") {
    const Model m = humanoid(mjx::cone::elliptic);
    Data d(m);
    mjx::reset(m, d);
    scenes::set(m, d, 0, scenes::state(m, 3));
    mjx::forward<mjx::Newton>(m, d);
    const double best = cost(m, d);
    Data other = d;
    for (int i = 0; i < m.nv; ++i)
        for (const double step : {-1e-3, 1e-3}) {
            other.qacc[i] = d.qacc[i] + step;
            CHECK(cost(m, other) >= best * (1 - 1e-12));
            other.qacc[i] = d.qacc[i];
        }
}

TEST_CASE("inverse dynamics returns the forces that forward dynamics was given") {
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic}) {
        const Model m = humanoid(cone);
        for (unsigned k = 0; k < 10; ++k) {
            Data d(m);
            mjx::reset(m, d);
            scenes::set(m, d, 0, scenes::state(m, k));
            mjx::forward<mjx::Newton>(m, d);
            const double scale = 1 + scenes::norm(d.qfrc_constraint, m.nv);
            const auto difference = mjx::compare_forward_inverse(m, d);
            CHECK(difference[0] < 1e-9 * scale);
            CHECK(difference[1] < 1e-9 * scale);
            mjx::inverse_at_qacc(m, d);
            for (int i = 0; i < m.nv; ++i) CHECK(std::abs(d.qfrc_inverse[i] - d.qfrc_applied[i] - d.qfrc_actuator[i]) < 1e-9 * scale);
        }
    }
}

TEST_CASE("islands change the iterations, not the result") {
    Model m = load_model_string(
        R"(<mujoco><option tolerance="0"/><worldbody><geom type="plane" size="5 5 1"/><replicate count="4" offset="1 0 0">
        <body pos="0 0 0.099"><freejoint/><geom size="0.1"/></body>
        <body pos="0.02 0 0.295"><freejoint/><geom size="0.1 0.1 0.1" type="box"/></body></replicate></worldbody></mujoco>)");
    Data d(m), whole(m);
    mjx::reset(m, d);
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = 0.3 * std::sin(i);
    whole = d;
    mjx::forward<mjx::Newton>(m, d);
    CHECK(d.nisland == 4);
    m.opt.disableflags |= mjx::disable::island;
    mjx::forward<mjx::Newton>(m, whole);
    CHECK(whole.nisland == 1);
    for (int i = 0; i < m.nv; ++i) CHECK(d.qacc[i] == Approx(whole.qacc[i]).epsilon(1e-8).margin(1e-8));
}

TEST_CASE("the exact diagonal is that of the inverse inertia seen by the rows") {
    Model m = humanoid(mjx::cone::elliptic);
    m.opt.enableflags |= mjx::enable::diagexact;
    Data d(m);
    mjx::reset(m, d);
    scenes::set(m, d, 0, scenes::state(m, 3));
    mjx::forward<mjx::Newton>(m, d);
    auto row = zeros(m.nv);
    for (int i = 0; i < d.nefc; ++i) {
        // friction rows follow from the normal row
        if (d.efc_type[i] == mjx::cnstr::contact_elliptic && d.contact[d.efc_id[i]].efc_address != i) continue;
        mjx::jacobian_row(m, d, i, row);
        auto x = row;
        mjx::solve_ldl(m, d.qLD, d.qLDiagInv, x);
        double A = 0;
        for (int k = 0; k < m.nv; ++k) A += x[k] * row[k];
        CHECK(d.efc_diagA[i] == Approx(A).epsilon(1e-9));
    }
}
