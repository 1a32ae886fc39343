// Planners on a problem of which the answer is known: a mass on a rail, linear with a quadratic cost, solved by Riccati's recursion.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/control/ilqr.hpp"
#include "mjx/control/sampling.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/solver/newton.hpp"

namespace {

constexpr int horizon = 20;
constexpr double h = 0.05, mass = 2, for_place = 1.5, for_speed = 0.3, effort = 0.2, at_end = 4, start_q = 1, start_v = -0.4;

struct Cost {
    template <class M, class D, class R>
    void operator()(const M&, const D& d, bool last, R&& r) const {
        const double w = last ? at_end : 1;
        r(d.qpos[0] * (for_place * w));
        r(d.qvel[0] * (for_speed * w));
        if (!last) r(d.ctrl[0] * effort);
    }
};

mjx::Model<double> rail(const std::string& limits = "") {
    return load_model_string(R"(<mujoco><option timestep='0.05' gravity='0 0 0'/><worldbody><body><joint name='rail' type='slide'/>
        <geom type='sphere' size='.1' mass='2'/></body></worldbody><actuator><motor joint='rail' )" +
                             limits + "/></actuator></mujoco>");
}

struct Answer {
    double controls[horizon], cost;
};

// v' = v + h u/m, q' = q + h v': the gains backwards, then the controls forwards.
Answer riccati() {
    const double A[2][2] = {{1, h}, {0, 1}}, B[2] = {h * h / mass, h / mass};
    double V[2][2] = {{for_place * for_place * at_end * at_end, 0}, {0, for_speed * for_speed * at_end * at_end}}, gain[horizon][2];
    for (int t = horizon - 1; t >= 0; --t) {
        double VA[2][2], VB[2], Quu = effort * effort, Qux[2] = {0, 0};
        for (int i = 0; i < 2; ++i) {
            VB[i] = V[i][0] * B[0] + V[i][1] * B[1];
            for (int j = 0; j < 2; ++j) VA[i][j] = V[i][0] * A[0][j] + V[i][1] * A[1][j];
        }
        for (int i = 0; i < 2; ++i) Quu += B[i] * VB[i];
        for (int j = 0; j < 2; ++j) Qux[j] = B[0] * VA[0][j] + B[1] * VA[1][j];
        for (int i = 0; i < 2; ++i) {
            gain[t][i] = -Qux[i] / Quu;
            for (int j = 0; j < 2; ++j) V[i][j] = A[0][i] * VA[0][j] + A[1][i] * VA[1][j] - Qux[i] * Qux[j] / Quu;
        }
        V[0][0] += for_place * for_place;
        V[1][1] += for_speed * for_speed;
    }
    double x[2] = {start_q, start_v};
    Answer answer{};
    answer.cost = (V[0][0] * x[0] * x[0] + 2 * V[0][1] * x[0] * x[1] + V[1][1] * x[1] * x[1]) / 2;
    for (int t = 0; t < horizon; ++t) {
        const double u = gain[t][0] * x[0] + gain[t][1] * x[1];
        answer.controls[t] = u;
        x[1] += h * u / mass;
        x[0] += h * x[1];
    }
    return answer;
}

using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
Sim started(const mjx::Model<double>& model) {
    Sim sim(model);
    sim.qpos()[0] = start_q;
    sim.qvel()[0] = start_v;
    return sim;
}

template <class S>
mjx::Matrix<double> sampled(const mjx::SamplingOptions& options, int iterations, double* cost = nullptr) {
    const auto model = rail();
    const Sim sim = started(model);
    auto plan = mjx::sampling<S, mjx::Euler, mjx::Newton>(model, Cost{}, options);
    for (int k = 0; k < iterations; ++k) plan.improve(mjx::State<double>(sim.data()));
    if (cost) *cost = plan.cost();
    return plan.controls();
}

}  // namespace

TEST_CASE("differential dynamic programming solves a linear-quadratic problem in one iteration, as Riccati's recursion does") {
    const Answer answer = riccati();
    const Sim sim = started(rail());
    mjx::ILQR plan(sim, Cost{}, horizon);
    plan.improve(sim);
    CHECK(plan.cost() == Approx(answer.cost).epsilon(1e-10));
    for (int t = 0; t < horizon; ++t) CHECK(plan.controls()(static_cast<std::size_t>(t), 0) == Approx(answer.controls[t]).epsilon(1e-8));
    CHECK(!plan.improve(sim));
}

TEST_CASE("controls that the box holds are at its end, and no other would be cheaper") {
    const Sim sim = started(rail("ctrlrange='-2 1' ctrllimited='true'"));
    mjx::ILQR plan(sim, Cost{}, horizon);
    for (int k = 0; k < 30 && plan.improve(sim, 1e-14); ++k) {
    }
    int held = 0;
    const auto total = [&](int changed, double change) {
        Sim copy(sim);
        double sum = 0;
        for (int t = 0; t <= horizon; ++t) {
            if (t < horizon) copy.ctrl()[0] = plan.controls()(static_cast<std::size_t>(t), 0) + (t == changed ? change : 0);
            copy.step1();
            sum += mjx::evaluate_cost(Cost{}, copy.model(), copy.data(), t == horizon);
            if (t < horizon) copy.step2();
        }
        return sum;
    };
    for (int t = 0; t < horizon; ++t) {
        const double u = plan.controls()(static_cast<std::size_t>(t), 0);
        const double up = u == 1 ? 0 : 1e-5, down = u == -2 ? 0 : 1e-5, slope = (total(t, up) - total(t, -down)) / (up + down);
        held += u == -2 || u == 1;
        CHECK(u >= -2);
        CHECK(u <= 1);
        if (u == -2) CHECK(slope > 0);
        if (u == 1) CHECK(slope < 0);
        if (u > -1.999 && u < 0.999) CHECK(std::abs(slope) < 1e-4);
    }
    CHECK(held > 0);
}

TEST_CASE("sampling comes near the answer of a linear-quadratic problem, and never below it") {
    const Answer answer = riccati();
    for (const double temperature : {0.0, 0.1}) {
        double first, cost;
        const mjx::SamplingOptions options{
            .horizon = horizon, .samples = 256, .knots = 6, .noise = 0.5, .temperature = temperature, .threads = 1};
        sampled<mjx::pack<double>>(options, 1, &first);
        const auto controls = sampled<mjx::pack<double>>(options, 60, &cost);
        INFO("temperature " << temperature << ", from " << first << " to " << cost << " of " << answer.cost);
        CHECK(cost > answer.cost);
        CHECK(cost < 1.02 * answer.cost);
        for (int t = 0; t < horizon / 2; ++t)
            CHECK(controls(static_cast<std::size_t>(t), 0) == Approx(answer.controls[t]).margin(0.15 * std::abs(answer.controls[0])));
    }
}

TEST_CASE("a seed gives the same plan whatever the threads and lanes, another seed another") {
    const auto plan = [](int threads, unsigned seed, double temperature) {
        return mjx::SamplingOptions{.horizon = horizon, .samples = 37, .temperature = temperature, .threads = threads, .seed = seed};
    };
    for (const double temperature : {0.0, 0.1}) {
        const auto one = sampled<mjx::pack<double>>(plan(1, 3, temperature), 5);
        for (const int threads : {2, 3}) CHECK((sampled<mjx::pack<double>>(plan(threads, 3, temperature), 5) == one));
        CHECK((sampled<double>(plan(2, 3, temperature), 5) == one));
        CHECK((sampled<mjx::pack<double>>(plan(1, 4, temperature), 5) != one));
    }
}
