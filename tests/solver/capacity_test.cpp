// Solvers at the limits of their memory: a Hessian too large to store, and rows over more dofs than any body has above it.
#include "catch.hpp"
#include "solver/scenes.hpp"

#include "mjx/solver/newton.hpp"
#include "mjx/solver/pgs.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace {

// Sliders side by side, and tendons that each depend on all of them.
std::string sliders(int count, int tendons) {
    std::string text = R"(<mujoco><option gravity="-1 0 0" tolerance="0"/><worldbody>)";
    for (int i = 0; i < count; ++i)
        text += "<body pos='0 " + std::to_string(i) + " 0'><joint name='j" + std::to_string(i) +
                "' type='slide' axis='1 0 0'/><geom size='0.1' mass='1' contype='0'/></body>";
    text += "</worldbody><tendon>";
    for (int t = 0; t < tendons; ++t) {
        text += "<fixed range='" + std::to_string(0.01 * (t + 1)) + " 1e6' limited='true'>";
        for (int i = 0; i < count; ++i)
            text += "<joint joint='j" + std::to_string(i) + "' coef='" + std::to_string(1 + ((i + 1) * (t + 3)) % 7) + "'/>";
        text += "</fixed>";
    }
    return text + "</tendon></mujoco>";
}

// Balls in a row that touch their neighbours, their ids mixed up; or in a block, where each touches up to six.
std::string balls(int count, bool block) {
    std::string text = "<mujoco><option gravity='0 0 0' tolerance='0' iterations='200'/><worldbody>";
    for (int k = 0; k < count; ++k) {
        const int i = (k * 37) % count;
        const int x = block ? i % 4 : i, y = block ? i / 4 % 4 : 0, z = block ? i / 16 : 0;
        text += "<body pos='" + std::to_string(0.199 * x) + " " + std::to_string(0.1985 * y) + " " + std::to_string(0.198 * z) +
                "'><freejoint/><geom size='.1'/></body>";
    }
    return text + "</worldbody></mujoco>";
}

}  // namespace

TEST_CASE("the factor of bodies in a row has no fill, whatever their ids") {
    const int n = 30;
    const auto m = load_model_string(balls(n, false));
    scenes::Data<double> d(m);
    mjx::reset(m, d);
    mjx::forward<mjx::Newton>(m, d);
    REQUIRE(d.ncon == n - 1);
    const auto w = mjx::borrow<mjx::SolverWork>(m, d);
    mjx::find_islands(m, d);
    REQUIRE(mjx::make_filled_pattern(m, d, w->hessian.colind));
    int entries = 0;
    for (int i = 0; i < m.nv; ++i) entries += w->hessian.rownnz[i];
    CHECK(entries == 21 * n + 36 * (n - 1));
}

TEST_CASE("the order of elimination does not change the solution of a heap") {
    const auto m = load_model_string(balls(64, true));
    scenes::Data<double> d(m), other(m);
    mjx::reset(m, d);
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = 0.1 * ((i * 7) % 11 - 5);
    other = d;
    mjx::forward<mjx::Newton>(m, d);
    mjx::forward<mjx::CG>(m, other);
    REQUIRE(d.ncon == 3 * 48);
    double largest = 0;
    for (int i = 0; i < m.nv; ++i) largest = std::max(largest, std::abs(d.qacc[i]));
    for (int i = 0; i < m.nv; ++i) CHECK(d.qacc[i] == Approx(other.qacc[i]).margin(1e-7 * largest));
}

TEST_CASE("Newton goes on by conjugate gradients where its Hessian does not fit") {
    const auto m = load_model_string(sliders(1100, 1));
    scenes::Data<double> d(m);
    mjx::reset(m, d);
    mjx::forward<mjx::Newton>(m, d);
    REQUIRE(d.nefc == 1);
    const auto w = mjx::borrow<mjx::SolverWork>(m, d);
    mjx::find_islands(m, d);
    REQUIRE(mjx::needs_fill(m, d));
    REQUIRE(!mjx::make_filled_pattern(m, d, w->hessian.colind));
    // one row, unit masses: (J Jᵀ + R) force = aref - J qacc_smooth
    auto& row = w->primal.search;
    mjx::jacobian_row(m, d, 0, row);
    double A = 0, smooth = 0;
    for (int i = 0; i < m.nv; ++i) {
        A += row[i] * row[i];
        smooth += row[i] * d.qacc_smooth[i];
    }
    const double force = (d.efc_aref[0] - smooth) / (A + d.efc_R[0]);
    CHECK(force > 0);
    CHECK(d.efc_force[0] == Approx(force).epsilon(1e-8));
    for (int i = 0; i < m.nv; i += 99) CHECK(d.qacc[i] == Approx(-1 + row[i] * force).epsilon(1e-8));
}

TEST_CASE("solvers have the room that they ask for, however many rows there may be") {
    const auto m = load_model_string(
        "<mujoco><size njmax='100000'/><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
    REQUIRE(m.njmax == 100000);
    const std::size_t room = mjx::standard_space::bytes<double>(m);
    CHECK(room >= mjx::work_bytes<mjx::PGS, double>(m));
    CHECK(room >= mjx::work_bytes<mjx::Newton, double>(m));
}

TEST_CASE("tendons over many trees fit into solvers in force space") {
    auto m = load_model_string(sliders(40, 60));
    m.opt.iterations = 20000;
    scenes::Data<double> d(m), other(m);
    mjx::reset(m, d);
    mjx::reset(m, other);
    mjx::forward<mjx::Newton>(m, d);
    REQUIRE(d.nefc == 60);
    mjx::forward<mjx::PGS>(m, other);
    const double scale = 1 + scenes::norm(d.qacc, m.nv);
    for (int i = 0; i < m.nv; ++i) CHECK(std::abs(d.qacc[i] - other.qacc[i]) < 1e-5 * scale);
}
