// Derivatives of a step with contacts, sensors and activations beside MuJoCo's (mjd_transitionFD); and of one with tendons, activations of
// every kind, equalities, and contacts of meshes and a height field.
//
// Contacts of meshes are smooth only piece by piece: where a corner of a patch comes or goes the step has a kink, and its differences
// to the two sides are not the same. Only there they may differ from the derivative.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/derivative/check.hpp"
#include "mjx/derivative/inverse.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/solver/newton.hpp"

#include <algorithm>
#include <vector>

namespace {

using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;

// The next state of (x, u) with column c changed by `change`, measured from that of `middle`.
std::vector<double> moved(const Sim& sim, const Sim& middle, int c, double change) {
    auto to = std::make_unique<Sim>(sim);
    const auto& m = sim.model();
    auto& d = to->data();
    mjx::vary(m, d, c, c + 1, [&](int) { return change; });
    to->step();
    std::vector<double> x(static_cast<std::size_t>(2 * m.nv + m.na));
    mjx::Span<double> dq{x.data(), m.nv};
    mjx::differentiate_pos(m, dq, d.qpos, middle.data().qpos);
    for (int i = 0; i < m.nv; ++i) x[static_cast<std::size_t>(m.nv + i)] = d.qvel[i] - middle.data().qvel[i];
    for (int i = 0; i < m.na; ++i) x[static_cast<std::size_t>(2 * m.nv + i)] = d.act[i] - middle.data().act[i];
    return x;
}

void check_derivatives(const Sim& sim) {
    const double h = 1e-6;
    const auto& m = sim.model();
    auto exact = mjx::derivatives(sim);
    const auto middle = std::make_unique<Sim>(sim);
    middle->step();
    const int rows = 2 * m.nv + m.na, columns = rows + m.nu;
    int kinks = 0;
    for (int c = 0; c < columns; ++c) {
        const auto up = moved(sim, *middle, c, h), down = moved(sim, *middle, c, -h);
        double bend = 0, most = 1;
        for (std::size_t i = 0; i < up.size(); ++i) {
            bend = std::max(bend, std::abs(up[i] + down[i]) / h);
            most = std::max(most, std::abs(up[i] - down[i]) / (2 * h));
        }
        const bool kink = bend > 1e-3 * most;
        kinks += kink;
        for (int r = 0; r < rows; ++r) {
            INFO("row " << r << ", column " << c);
            const auto i = static_cast<std::size_t>(r);
            const double derivative = mjx::transition_entry(exact, m, r, c);
            CHECK(std::isfinite(derivative));
            if (!kink) CHECK(derivative == Approx((up[i] - down[i]) / (2 * h)).epsilon(1e-5).margin(1e-5));
        }
    }
    CHECK(kinks <= columns / 10);
}

}  // namespace

TEST_CASE("derivatives with tendons, activations, equalities and contacts of meshes equal differences, at rest and in motion") {
    auto model = load_scene("workshop");
    model.opt.tolerance = 0;  // differences see where the solver stops
    model.opt.ls_tolerance = 1e-10;
    const auto sim = std::make_unique<Sim>(model);
    // away from zero, where a muscle's activation has a kink
    for (int i = 0; i < model.na; ++i) sim->act()[i] = 0.2;
    for (int i = 0; i < model.nu; ++i) sim->ctrl()[i] = 0.1;
    check_derivatives(*sim);
    for (const int steps : {20, 70}) {
        sim->step(steps);
        CHECK(sim->data().ncon > 5);
        check_derivatives(*sim);
    }
}

namespace {

// A finger that presses a ball to the ground, and A, B, C and D by MuJoCo 3.12: centered differences of 1e-6, one-sided for the second
// control, which is at the end of its range.
const char* const finger = R"(
<mujoco><option timestep="0.005" tolerance="0" iterations="100" ls_tolerance="1e-10"/>
  <worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 .285"><joint name="shoulder" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
    <body pos=".3 0 0"><joint name="wrist" type="ball" damping=".02"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02"/><geom type="sphere" pos="0 .02 -.25" size=".05"/>
      <site name="tip" pos="0 .02 -.25"/></body></body></worldbody>
  <actuator><general name="general" joint="shoulder" dyntype="filter" dynprm=".02" gainprm="3"/>
    <motor joint="wrist" gear=".3 .2 .1" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos joint="shoulder"/><ballangvel joint="wrist"/><framelinvel objtype="site" objname="tip"/><accelerometer site="tip"/>
    <actuatorfrc actuator="general"/></sensor></mujoco>)";
const mjx::Matrix<double> native_A = {
    {0.93707277, 0.014081645, -0.0048024773, -0.00039171476, 0.0025361478, 6.4777021e-06, -3.9990788e-06, -8.0083509e-08, 4.5489891e-05},
    {0.015551309, 0.99699044, 0.0069668061, -0.00077117383, 7.0094652e-05, 0.0025084078, 5.9880921e-05, 1.8776571e-05, 9.3686734e-06},
    {0.063788875, -0.019826187, 1.0046343, -0.00023938898, -0.00018980809, -7.6803819e-05, 0.0023560165, -8.0994126e-05, -5.1447816e-05},
    {-0.01383352, 0.020436701, 0.0061670291, 0.99732636, 0.0033909491, 0.0017566841, 0.0037566553, 0.0044786903, 7.409573e-06},
    {-12.585445, 2.816329, -0.96049547, -0.078342953, 0.50722957, 0.0012955406, -0.00079981549, -1.6016799e-05, 0.0090979783},
    {3.0664993, -0.58222185, 0.18483666, 0.59953508, 0.015413013, 0.50238868, 0.011970545, 0.0054941564, 0.001907595},
    {12.767266, -2.7591976, 0.93099567, -0.068738514, -0.037952499, -0.013862835, 0.47120112, -0.016231466, -0.010283945},
    {-2.7718927, 3.3336274, 1.2512462, -0.53443877, 0.67816057, 0.35038916, 0.75133254, 0.89572906, 0.0014778327},
    {0, 0, 0, 0, 0, 0, 0, 0, 0.75}};
const mjx::Matrix<double> native_B = {{0, -3.1227104e-06}, {0, 5.0698412e-05}, {0, -0.00010692179}, {0, 0.0031855977}, {0, -0.00062454197},
                                      {0, 0.011406227},    {0, -0.021384981},  {0, 0.63709852},     {0.25, 0}};
const mjx::Matrix<double> native_C = {
    {1, 0, 0, 0, 0, 0, 0, 0, 0},
    {0, 0, 0, 0, 0, 1, 0, 0, 0},
    {0, 0, 0, 0, 0, 0, 1, 0, 0},
    {0, 0, 0, 0, 0, 0, 0, 1, 0},
    {-0.15515819, 0.029155407, -0.021161738, 0.10322356, -0.24924602, -0.061576689, -0.2422593, -0.019380744, 0},
    {0, 0.021504102, -0.028545731, -0.10551656, 0, 0.23342956, -0.057024207, -0.0045619366, 0},
    {0.2062312, -0.047443534, 0.22230341, -0.010148312, -0.30643252, 0.067962888, -0.023636279, -0.0018909024, 0},
    {42.645467, -38.730898, -53.681081, 11.615263, 25.530461, -0.78803385, 23.478507, 1.3151349, 0.017308848},
    {152.93718, 26.242472, 0.88612406, -13.13181, 0.80731905, -24.937854, 0.5957978, 0.14576821, 0.097936693},
    {741.74352, -176.13904, 62.298105, 3.9476811, 28.976433, -2.1784921, 0.49342921, 0.048626305, -0.51942023},
    {0, 0, 0, 0, 0, 0, 0, 0, 3}};
const mjx::Matrix<double> native_D = {{0, 0}, {0, 0},          {0, 0},          {0, 0},           {0, 0}, {0, 0},
                                      {0, 0}, {0, -1.4946809}, {0, 0.57256948}, {0, 0.071130287}, {0, 0}};

// The same for the inverse dynamics at some acceleration (mjd_inverseFD with actuation, from both sides of 1e-6).
const mjx::InverseDerivatives<double> native_inverse = {
    // DfDq
    {{4419.194, -1085.1023, -53.153465, -39.580328},
     {-1061.5953, -24.740027, -54.134335, 53.509831},
     {57.472779, -75.78209, -234.79584, 43.571095},
     {7.8700795, -21.539164, -22.952313, 5.664505}},
    // DfDv
    {{278.22425, -21.172512, 98.866125, 4.242842},
     {-21.161371, 91.615731, -1.5840892, -1.3543005},
     {98.988082, -1.5898238, 87.359122, 3.5100593},
     {4.2614473, -1.336195, 3.5212592, 0.1788375}},
    // DfDa
    {{2.7866902, -0.2047054, 0.98085644, 0.043166153},
     {-0.20470537, 0.90771942, -0.015082506, -0.012690037},
     {0.98085642, -0.015082499, 0.86706471, 0.036068855},
     {0.043166161, -0.012690034, 0.036068858, 0.0023050832}},
    // DsDq
    {{1, 0, 0, 0},
     {0, 0, 0, 0},
     {0, 0, 0, 0},
     {0, 0, 0, 0},
     {-0.15515819, 0.029155407, -0.021161738, 0.10322356},
     {0, 0.021504102, -0.028545731, -0.10551656},
     {0.2062312, -0.047443534, 0.22230341, -0.010148312},
     {-9.5062547, 0.16753705, -8.7053999, 1.9276097},
     {2.3804179, 8.8369205, 0.12680543, -0.055736371},
     {0.44814235, -1.7852189, 0.77445666, -0.023385817},
     {0, 0, 0, 0}},
    // DsDv
    {{0, 0, 0, 0},
     {0, 1, 0, 0},
     {0, 0, 1, 0},
     {0, 0, 0, 1},
     {-0.24924602, -0.061576689, -0.2422593, -0.019380744},
     {0, 0.23342956, -0.057024207, -0.0045619366},
     {-0.30643252, 0.067962888, -0.023636279, -0.0018909024},
     {-0.26171181, 0.017344272, -0.0060000003, 0.075},
     {0.15520632, 0.0083504501, -0.0078648839, -0.12962919},
     {0.41694054, -0.10438063, 0.44411445, 0.025209157},
     {0, 0, 0, 0}},
    // DsDa
    {{0, 0, 0, 0},
     {0, 0, 0, 0},
     {0, 0, 0, 0},
     {0, 0, 0, 0},
     {0, 0, 0, 0},
     {0, 0, 0, 0},
     {0, 0, 0, 0},
     {-0.27050035, 0, -0.25, -0.02},
     {0.0011141497, 0.25, 0, 0},
     {-0.28784159, 0.02, 0, 0},
     {0, 0, 0, 0}},
    // DmDq
    {{0, -0.043363765, -0.087686878, -0.005725647},
     {0, -0.046018799, 0.0075247619, 0.041611929},
     {0, 0, 0, 0},
     {0, -0.010357435, -0.046007132, 0.0003916035},
     {0, 0, 0, 0},
     {0, 0, 0, 0},
     {0, -0.0013012309, -0.0028821505, -1.1667348e-05},
     {0, 0, 0, 0},
     {0, 0, 0, 0},
     {0, 0, 0, 0}}};

void bend(Sim& sim) {
    const double qpos[] = {0.03, 0.98, 0.1, -0.05, 0.12}, qvel[] = {0.4, -0.3, 0.5, 0.2};
    for (int i = 0; i < 5; ++i) sim.qpos()[i] = qpos[i];
    for (int i = 0; i < 4; ++i) sim.qvel()[i] = qvel[i];
    sim.act()[0] = 0.3;
    sim.ctrl()[0] = 0.7;
    sim.ctrl()[1] = 1;
}

}  // namespace

TEST_CASE("A, B, C and D of a finger in contact are MuJoCo's, however they are computed") {
    const auto sim = std::make_unique<Sim>(load_model_string(finger));
    bend(*sim);
    for (const auto method : {mjx::Differentiation::exact, mjx::Differentiation::hybrid, mjx::Differentiation::differences}) {
        const auto [A, B, C, D] = mjx::transition(*sim, {.method = method});
        CAPTURE(static_cast<int>(method));
        CHECK(mjx::max_relative_error(A, native_A) < 1e-6);
        CHECK(mjx::max_relative_error(B, native_B) < 1e-6);
        CHECK(mjx::max_relative_error(C, native_C) < 1e-6);
        CHECK(mjx::max_relative_error(D, native_D) < 1e-6);
    }
}

TEST_CASE("derivatives of the finger's inverse dynamics are MuJoCo's") {
    const auto sim = std::make_unique<Sim>(load_model_string(finger));
    bend(*sim);
    const double qacc[] = {3, -20, 15, 8};
    for (int i = 0; i < 4; ++i) sim->qacc()[i] = qacc[i];
    using Inverse = mjx::InverseDerivatives<double>;
    const Inverse exact = mjx::inverse_derivatives<5>(*sim, true);
    int which = 0;
    for (const auto matrix :
         {&Inverse::DfDq, &Inverse::DfDv, &Inverse::DfDa, &Inverse::DsDq, &Inverse::DsDv, &Inverse::DsDa, &Inverse::DmDq}) {
        CAPTURE(which++);
        REQUIRE((exact.*matrix).shape() == (native_inverse.*matrix).shape());
        CHECK(mjx::max_relative_error(exact.*matrix, native_inverse.*matrix) < 1e-6);
    }
}
