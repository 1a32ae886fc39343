// The law of a line search: a step never raises the cost, with however few digits. Rows of a humanoid's contacts, limits and friction
// with random stiffness and residuals are searched in float, and the cost is taken in double, from its definition.
#include "catch.hpp"
#include "solver/scenes.hpp"

#include "mjx/solver/newton.hpp"

namespace {

struct Cost {
    double value = 0, size = 0;  // size: of the terms, which bounds what rounding does to their sum
    void add(double x) {
        value += x;
        size += std::abs(x);
    }
};

template <class D>
void add_cone_cost(Cost& cost, const D& d, int row, const std::vector<double>& x) {
    const auto& contact = d.contact[d.efc_id[row]];
    const double mu = double(contact.mu), normal = mu * x[0], stiffness = double(d.efc_D[row]) / (mu * mu * (1 + mu * mu));
    double tangent = 0, quadratic = 0;
    for (int j = 0; j < contact.dim; ++j) {
        const double y = x[static_cast<std::size_t>(j)];
        quadratic += 0.5 * double(d.efc_D[row + j]) * y * y;
        if (j > 0) tangent = std::hypot(tangent, y * double(contact.friction[j - 1]));
    }
    if (normal >= mu * tangent) return;
    cost.add(mu * normal + tangent <= 0 ? quadratic : 0.5 * stiffness * (normal - mu * tangent) * (normal - mu * tangent));
}

// The cost of the rows and of the inertia at alpha, without what is the same everywhere on the line.
template <class M, class D>
Cost cost_at(const M& m, D& d, double alpha) {
    const auto& w = mjx::primal(d);
    Cost cost;
    for (int i = 0; i < m.nv; ++i)
        cost.add(alpha * double(w.search[i]) * (double(w.Ma[i]) - double(d.qfrc_smooth[i]) + 0.5 * alpha * double(w.Mv[i])));
    const auto at = [&](int i) { return double(w.jar[i]) + alpha * double(w.jv[i]); };
    mjx::for_each_run(d, 0, [&](int which, int first, int last) {
        for (int i = first; i < last; ++i) {
            const double x = at(i), D_i = double(d.efc_D[i]), loss = double(d.efc_frictionloss[i]), bound = double(d.efc_R[i]) * loss;
            if (which == mjx::law::quadratic) cost.add(0.5 * D_i * x * x);
            if (which == mjx::law::unilateral && x < 0) cost.add(0.5 * D_i * x * x);
            if (which == mjx::law::huber) cost.add(std::abs(x) < bound ? 0.5 * D_i * x * x : loss * (std::abs(x) - 0.5 * bound));
            if (which == mjx::law::cone) {
                std::vector<double> residuals;
                for (int j = 0; j < d.contact[d.efc_id[i]].dim; ++j) residuals.push_back(at(i + j));
                add_cone_cost(cost, d, i, residuals);
                i += d.contact[d.efc_id[i]].dim - 1;
            }
        }
    });
    return cost;
}

// New stiffnesses, residuals and accelerations over many orders of magnitude; a direction that goes down, by Newton's method or not.
template <class M, class D>
void randomize(const M& m, D& d, std::mt19937& random) {
    std::normal_distribution<double> normal;
    const auto spread = [&](double decades) { return std::pow(10.0, decades * normal(random)); };
    auto& w = mjx::primal(d);
    const double stiff = spread(2), far = spread(1);
    mjx::for_each_run(d, 0, [&](int which, int first, int last) {
        for (int i = first; i < last; ++i) {
            const int dim = which == mjx::law::cone ? d.contact[d.efc_id[i]].dim : 1;
            const double D_i = 100 * stiff * spread(1);
            for (int j = 0; j < dim; ++j) {
                const double ratio = j == 0 ? 1 : double(d.contact[d.efc_id[i]].friction[j - 1] / d.contact[d.efc_id[i]].mu);
                const double D_j = D_i * ratio * ratio;  // the zones of a cone join
                d.efc_D[i + j] = float(D_j), d.efc_R[i + j] = float(1 / D_j);
            }
            i += dim - 1;
        }
    });
    for (int i = 0; i < m.nv; ++i) w.qacc[i] = float(far * normal(random) * spread(0.5));
    mjx::jacobian_product<float>(d, w.qacc, w.jar);
    for (int i = 0; i < d.nefc; ++i) w.jar[i] += float(0.1 * far * normal(random));
    mjx::multiply_M(m, d, 0, w.qacc, w.Ma);
    mjx::update_constraints(m, d, 0);
    for (int i = 0; i < m.nv; ++i) w.search[i] = float(-double(w.grad[i]) / double(d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]) * spread(0.3));
    mjx::jacobian_product<float>(d, w.search, w.jv);
    mjx::multiply_M(m, d, 0, w.search, w.Mv);
}

// Lets the line lead through the axes of cones, as the steps of a solver do that ends a slip: there lengths of tangents are all rounding.
template <class M, class D>
void cross_axes(const M& m, D& d, std::mt19937& random) {
    std::normal_distribution<double> normal;
    auto& w = mjx::primal(d);
    mjx::for_each_run(d, 0, [&](int which, int first, int last) {
        if (which != mjx::law::cone) return;
        for (int i = first; i < last; i += d.contact[d.efc_id[i]].dim)
            for (int j = 1; j < d.contact[d.efc_id[i]].dim; ++j) w.jar[i + j] = float(-double(w.jv[i + j]) * (1 + 1e-4 * normal(random)));
    });
    mjx::update_constraints(m, d, 0);
}

}  // namespace

TEST_CASE("a step of the line search never raises the cost") {
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic}) {
        auto model = load_scene("humanoid");
        model.opt.cone = cone;
        model.opt.impratio = 100;
        for (int i = 6; i < model.nv; ++i) model.dof_frictionloss[i] = 0.5;
        const auto m = mjx::cast<float>(model);
        scenes::Data<float> d(m);
        std::mt19937 random(7);
        int steps = 0;
        for (unsigned k = 0; k < 20; ++k) {
            mjx::reset(m, d);
            scenes::set(m, d, 0, scenes::state(model, k));
            mjx::forward<mjx::Newton>(m, d);
            const auto loan = mjx::borrow<mjx::SolverWork>(m, d);
            mjx::find_islands(m, d);
            for (int trial = 0; trial < 300; ++trial) {
                randomize(m, d, random);
                if (trial % 3 == 0) cross_axes(m, d, random);
                const bool newton = trial % 2 == 0;  // whose first guess is then anything but good
                float saved = 0;
                const float alpha = mjx::line_search(m, d, 0, mjx::prepare_line<float>(m, d, 0), newton, 1e-6f, true, saved);
                const Cost before = cost_at(m, d, 0), after = cost_at(m, d, double(alpha));
                CAPTURE(cone, k, trial, alpha, saved);
                CHECK(after.value <= before.value + 4e-6 * (before.size + after.size));
                steps += alpha != 0;
            }
        }
        CHECK(steps > 3000);  // the step is rarely 0
    }
}

TEST_CASE("the cost along a line is convex, to the last digit") {
    auto model = load_scene("humanoid");
    model.opt.cone = mjx::cone::elliptic;
    model.opt.impratio = 100;
    const auto m = mjx::cast<float>(model);
    scenes::Data<float> d(m);
    std::mt19937 random(8);
    std::normal_distribution<double> normal;
    int curved = 0;
    for (unsigned k = 0; k < 10; ++k) {
        mjx::reset(m, d);
        scenes::set(m, d, 0, scenes::state(model, k));
        mjx::forward<mjx::Newton>(m, d);
        const auto loan = mjx::borrow<mjx::SolverWork>(m, d);
        mjx::find_islands(m, d);
        for (int trial = 0; trial < 200; ++trial) {
            randomize(m, d, random);
            cross_axes(m, d, random);
            const auto line = mjx::prepare_line<float>(m, d, 0);
            const float inertia = 2 * line.square, alpha = float(1 + 1e-3 * normal(random));
            const auto point = mjx::evaluate(d, 0, line, alpha);
            CAPTURE(k, trial, alpha);
            CHECK(point.curvature >= inertia * (1 - 1e-5f));
            curved += point.curvature > 2 * inertia;
        }
    }
    CHECK(curved > 500);  // rows have their say
}
