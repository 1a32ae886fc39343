// Constraint rows against what they stand for: the rate of a residual is J v, its second rate contains J' v, and the impedance is
// a smooth rise from one number to another.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/constraint/make.hpp"
#include "mjx/integrator/advance.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"

#include <cmath>
#include <sstream>
#include <tuple>
#include <vector>

namespace {

struct NoIntegration : mjx::IntegratorDefaults {
    template <class M, class D, class Forward>
    static void integrate(const M&, D&, Forward&&) {}
};
using Sim = mjx::Simulator<double, NoIntegration, mjx::Newton>;

// Every kind of equality constraint and limit, on joints of every kind, one contact; away from its rest position.
Sim scene() {
    Sim sim(load_model_string(R"(<mujoco><option cone="elliptic"/><worldbody><geom type="plane" size="5 5 1"/>
        <site name="fixed" pos="0.4 0.1 1" euler="5 8 -9"/>
        <body name="a" pos="0 0 1"><freejoint/><geom name="ga" size="0.1 0.05 0.07" type="box"/>
          <body name="b" pos="0.3 0 0"><joint name="ball" type="ball" range="0 0.2" limited="true"/><geom type="capsule" size="0.05 0.1"/>
            <site name="sb" pos="0.1 0 0.1" euler="20 0 10"/></body></body>
        <body name="c" pos="0 1 1"><joint name="h" axis="0 1 0.3" range="-0.1 0.1" limited="true"/><geom name="gc" size="0.08" pos="0.2 0 0"/>
          <body name="e" pos="0.4 0 0"><joint name="s" type="slide" axis="1 0.2 0" range="-0.05 0.05" limited="true"/><geom size="0.05"/>
          </body></body>
        <body pos="2 2 0.0995"><freejoint/><geom size="0.1"/></body>
        </worldbody>
        <tendon><fixed name="t1" limited="true" range="-0.02 0.02"><joint joint="h" coef="1.5"/><joint joint="s" coef="-2"/></fixed>
          <fixed name="t2" frictionloss="1"><joint joint="s" coef="1"/></fixed></tendon>
        <equality><connect body1="b" body2="e" anchor="0.1 0.2 0.3"/><weld body1="b" body2="c" torquescale="0.7"/>
          <weld site1="sb" site2="fixed"/><connect site1="sb" site2="fixed"/><joint joint1="h" joint2="s" polycoef="0.1 2 -1 0.5 3"/>
          <tendon tendon1="t1" tendon2="t2" polycoef="0 0.3 0.4 0 0"/></equality></mujoco>)"));
    const auto& m = sim.model();
    auto& d = sim.data();
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = 0.3 * std::sin(1.7 * i + 0.4);
    mjx::integrate_pos(m, d.qpos, d.qvel, 1.0);
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = std::cos(2.3 * i);
    // the ball that rests on the floor stays above it
    d.qpos[m.nq - 5] = 0.0995;
    return sim;
}

// The residual (or velocity) of all rows a time h along the velocity.
std::vector<double> along(double h, bool velocity) {
    Sim sim = scene();
    auto& d = sim.data();
    mjx::integrate_pos(sim.model(), d.qpos, d.qvel, h);
    sim.forward();
    std::vector<double> r;
    for (int i = 0; i < d.nefc; ++i) r.push_back(velocity ? d.efc_vel[i] : d.efc_pos[i]);
    return r;
}

}  // namespace

TEST_CASE("the rows of every constraint are the rates of their residuals") {
    Sim sim = scene();
    sim.forward();
    const auto& d = sim.data();
    const auto ahead = along(1e-6, false), behind = along(-1e-6, false);
    REQUIRE(static_cast<int>(ahead.size()) == d.nefc);
    REQUIRE(d.ne == 3 + 6 + 6 + 3 + 1 + 1);
    REQUIRE(d.nf == 1);
    REQUIRE(d.nl == 4);
    for (int i = 0; i < d.nefc; ++i) {
        const int type = d.efc_type[i];
        const bool measured = type != mjx::cnstr::friction_tendon && (type != mjx::cnstr::contact_elliptic || d.efc_type[i - 1] != type);
        CAPTURE(i, type);
        if (measured) CHECK(d.efc_vel[i] == Approx((ahead[std::size_t(i)] - behind[std::size_t(i)]) / 2e-6).margin(1e-7));
    }
}

TEST_CASE("the reference acceleration of connect and weld leaves out what happens by itself") {
    Sim sim = scene();
    sim.forward();
    const auto& d = sim.data();
    const auto ahead = along(1e-6, true), behind = along(-1e-6, true);
    for (int i = 0; i < 18; ++i) {
        const auto& k = d.efc_KBIP[i];
        const double spring = -k[1] * d.efc_vel[i] - k[0] * k[2] * d.efc_pos[i];
        CAPTURE(i);
        CHECK(spring - d.efc_aref[i] == Approx((ahead[std::size_t(i)] - behind[std::size_t(i)]) / 2e-6).margin(1e-6));
    }
}

TEST_CASE("a dense row is the block's row: J times the velocity") {
    Sim sim = scene();
    sim.model().opt.cone = mjx::cone::pyramidal;
    sim.forward();
    const auto& d = sim.data();
    std::vector<double> row(static_cast<std::size_t>(sim.model().nv));
    for (int i = 0; i < d.nefc; ++i) {
        mjx::jacobian_row(sim.model(), d, i, row);
        double v = 0;
        for (int k = 0; k < sim.model().nv; ++k) v += row[std::size_t(k)] * d.qvel[k];
        CHECK(v == Approx(d.efc_vel[i]).margin(1e-12));
    }
}

TEST_CASE("an inactive equality constraint and disabled kinds make no rows") {
    Sim sim = scene();
    sim.data().eq_active[1] = 0;
    sim.forward();
    CHECK(sim.data().ne == 14);
    sim.model().opt.disableflags |= mjx::disable::equality | mjx::disable::frictionloss | mjx::disable::contact;
    sim.forward();
    CHECK(sim.data().nefc == sim.data().nl);
    sim.model().opt.disableflags |= mjx::disable::constraint;
    sim.forward();
    CHECK(sim.data().nefc == 0);
}

TEST_CASE("rows that do not fit are dropped and counted") {
    Sim sim = scene();
    sim.model().njmax = 5;
    mjx::Data<double, mjx::Model<double>> d(sim.model());
    mjx::reset(sim.model(), d);
    for (int i = 0; i < sim.model().nq; ++i) d.qpos[i] = sim.qpos()[i];
    mjx::forward<mjx::Newton>(sim.model(), d);
    CHECK(d.nefc <= 5);
    CHECK(d.warning[mjx::warning::cnstrfull] > 0);
    for (int i = 0; i < sim.model().nv; ++i) CHECK(std::isfinite(d.qacc[i]));
}

TEMPLATE_TEST_CASE("the impedance rises from dmin to dmax with the slope it reports", "", float, double, mjx::pack<double>) {
    using S = TestType;
    using T = mjx::value_t<S>;
    for (const double power : {1.0, 2.0, 3.5})
        for (const double mid : {0.2, 0.5}) {
            const mjx::Vec<S, 5> solimp{{S(0.3), S(0.9), S(0.01), S(T(mid)), S(T(power))}};
            const auto value = [&](double r) { return double(mjx::lane(mjx::impedance(solimp, S(T(r)), S(0)).value, 0)); };
            CHECK(value(0) == Approx(0.3));
            CHECK(value(0.02) == Approx(0.9));
            CHECK(value(-0.02) == Approx(0.9));
            CHECK(value(0.01 * mid) == Approx(0.3 + 0.6 * mid).epsilon(1e-5));
            CHECK(value(-0.004) == Approx(value(0.004)).epsilon(1e-6));
            const double h = std::is_same_v<T, float> ? 1e-5 : 1e-8;
            for (const double r : {0.001, 0.0035, 0.0071, -0.0062}) {
                const double slope = (value(r + h) - value(r - h)) / (2 * h);
                CHECK(double(mjx::lane(mjx::impedance(solimp, S(T(r)), S(0)).slope, 0)) == Approx(slope).epsilon(0.02));
            }
        }
}

TEST_CASE("impedances made four blocks at a time are those of each block, bit by bit") {
    for (const char* solref : {"0.015 1", "-900 -40", "0.001 1"})
        for (const char* solimp : {"0.9 0.99 0.003 0.3 2", "0.2 0.95 0.01 0.5 3", "0.9 0.9 0.001 0.5 2"}) {
            Sim sim(load_scene("humanoid"));
            auto m = sim.model();
            auto& d = sim.data();
            for (int g = 0; g < m.ngeom; ++g) m.geom_margin[g] = 0.002;
            for (int g = 3; g < m.ngeom; ++g)
                for (auto [text, table, count] :
                     {std::tuple{solref, &m.geom_solref[g][0], mjx::nref}, {solimp, &m.geom_solimp[g][0], mjx::nimp}}) {
                    std::istringstream in(text);
                    for (int k = 0; k < count; ++k) in >> table[k];
                }
            for (int i = 7; i < m.nq; ++i) d.qpos[i] = m.qpos0[i] + 0.9 * std::sin(3.0 * i);
            for (const double height : {0.05, 0.2, 0.4}) {
                d.qpos[2] = height;
                mjx::forward_poses(m, d);
                mjx::collision(m, d);
                d.ne = d.nf = d.nl = d.nefc = d.nJ = d.nblock = 0;
                mjx::add_limit_rows(m, d);
                mjx::add_contact_rows(m, d, mjx::cone::pyramidal, false);
                REQUIRE(d.nblock > 8);
                auto alone = d;
                mjx::make_impedance(m, d);
                for (int b = 0; b < d.nblock; ++b) mjx::make_block_impedance(m, alone, b);
                for (int i = 0; i < d.nefc; ++i) {
                    for (int k = 0; k < 4; ++k) CHECK(d.efc_KBIP[i][k] == alone.efc_KBIP[i][k]);
                    CHECK(d.efc_R[i] == alone.efc_R[i]);
                    CHECK(d.efc_D[i] == alone.efc_D[i]);
                    CHECK(d.efc_diagA[i] == alone.efc_diagA[i]);
                }
            }
        }
}
