// Jacobians, velocities, inertia and contact forces against MuJoCo's own functions (refs/ is made by generate.mjs).
#include "catch.hpp"
#include "load.hpp"

#include "mjx/dump.hpp"
#include "mjx/integrators.hpp"
#include "mjx/robotics.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"
#include "mjx/views.hpp"

#include <cmath>
#include <map>

namespace {

using Simulator = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
using Fields = std::map<std::string, std::vector<double>>;

Fields read(const std::string& file) {
    const auto dump = mjx::read_dump(file);
    return {dump.begin(), dump.end()};
}

std::string conformance(const std::string& file) { return std::string(MJX_TESTS_DIR) + "/conformance/" + file; }

// A model of the conformance tests where its reference was taken.
Simulator at_state(const std::string& name) {
    mjx::Model<double> model = load_model(conformance("models/" + name.substr(0, name.find('.')) + ".xml"));
    model.opt.iterations = 100;
    model.opt.tolerance = 0;
    Simulator sim(model);
    const Fields state = read(conformance("refs/" + name + ".state"));
    const auto fill = [&](auto&& to, const char* field) {
        if (const auto found = state.find(field); found != state.end())
            for (int i = 0; i < int(found->second.size()); ++i) to[i] = found->second[std::size_t(i)];
    };
    fill(sim.qpos(), "qpos");
    fill(sim.qvel(), "qvel");
    fill(sim.ctrl(), "ctrl");
    fill(sim.act(), "act");
    fill(sim.qfrc_applied(), "qfrc_applied");
    auto force = mjx::view(sim.data().xfrc_applied);
    fill(force.storage(), "xfrc_applied");
    sim.forward();
    return sim;
}

std::vector<double> test_vector(int n) {
    std::vector<double> x;
    for (int i = 0; i < n; ++i) x.push_back(std::sin(i + 1));
    return x;
}

void append(std::vector<double>& to, const auto& from) {
    for (int i = 0; i < int(from.size); ++i) to.push_back(from[i]);
}
void append_product(std::vector<double>& to, const mjx::Matrix<double>& J) {
    const auto x = test_vector(int(J.shape(1)));
    for (std::size_t r = 0; r < J.shape(0); ++r) {
        double sum = 0;
        for (std::size_t i = 0; i < J.shape(1); ++i) sum += J(r, i) * x[i];
        to.push_back(sum);
    }
}

void check_equal(const Fields& reference, const char* field, const std::vector<double>& got, double tolerance = 1e-10) {
    INFO(field);
    const auto& expected = reference.at(field);
    REQUIRE(got.size() == expected.size());
    double size = 1, error = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        size = std::fmax(size, std::fabs(expected[i]));
        error = std::fmax(error, std::fabs(got[i] - expected[i]));
    }
    CHECK(error <= tolerance * size);
}

template <class F>
std::vector<double> gather(int count, F&& f) {
    std::vector<double> all;
    for (int i = 0; i < count; ++i) f(i, all);
    return all;
}

void check_frames(Simulator& sim, const Fields& reference) {
    const auto& m = sim.model();
    const auto jacobians = [&](int count, auto&& frame) {
        return gather(count, [&](int i, auto& all) { append_product(all, mjx::jacobian(sim, frame(i))); });
    };
    const auto velocities = [&](int count, auto&& frame) {
        return gather(count, [&](int i, auto& all) { append(all, mjx::velocity(sim, frame(i))); });
    };
    const auto point = [](int b) { return mjx::point(mjx::body(b), mjx::Vec3<double>{{0.1, -0.2, 0.3}}); };
    check_equal(reference, "jac_body", jacobians(m.nbody, [](int b) { return mjx::body(b); }));
    check_equal(reference, "jac_bodycom", jacobians(m.nbody, [](int b) { return mjx::inertia_of(b); }));
    check_equal(reference, "jac_geom", jacobians(m.ngeom, [](int g) { return mjx::geom(g); }));
    check_equal(reference, "jac_site", jacobians(m.nsite, [](int s) { return mjx::site(s); }));
    check_equal(reference, "jac_point", jacobians(m.nbody, point));
    check_equal(reference, "jac_subtreecom", jacobians(m.nbody, [](int b) { return mjx::com(b); }));
    check_equal(reference, "angmom", jacobians(m.nbody, [](int b) { return mjx::angular_momentum(b); }));
    check_equal(reference, "velocity_body", velocities(m.nbody, [](int b) { return mjx::body(b); }));
    check_equal(reference, "velocity_bodycom_local", velocities(m.nbody, [](int b) { return mjx::local(mjx::inertia_of(b)); }));
    check_equal(reference, "velocity_site_local", velocities(m.nsite, [](int s) { return mjx::local(mjx::site(s)); }));
    check_equal(reference, "jacdot_v", gather(m.nbody, [&](int b, auto& all) { append(all, mjx::jacobian_dot_times_v(sim, point(b))); }));
}

void check_inertia(Simulator& sim, const Fields& reference) {
    const auto& m = sim.model();
    const auto x = test_vector(m.nv);
    const auto values = [](const mjx::Vector<double>& v) { return std::vector<double>(v.begin(), v.end()); };
    std::vector<double> product;
    append_product(product, mjx::mass_matrix(sim));
    check_equal(reference, "full_M", product);
    check_equal(reference, "mul_M", values(mjx::multiply_mass(sim, x)));
    check_equal(reference, "solve_M", values(mjx::solve_mass(sim, x)));
    double square = 0;
    for (const double y : mjx::half_solve_mass(sim, x)) square += y * y;
    check_equal(reference, "solve_M2_square", {square});
    check_equal(reference, "bias", values(mjx::bias_force(sim)));

    const auto Y = mjx::regressor(sim, x);
    std::vector<double> force(std::size_t(m.nv), 0.0);
    for (int b = 1; b < m.nbody; ++b) {
        const auto parameters = mjx::inertial_parameters(m, b);
        for (int i = 0; i < m.nv; ++i)
            for (int k = 0; k < 10; ++k) force[std::size_t(i)] += Y(std::size_t(i), std::size_t(10 * b + k)) * parameters[k];
    }
    check_equal(reference, "rne", force);
}

}  // namespace

TEST_CASE("Jacobians, velocities and inertias are MuJoCo's: mj_jac*, mj_objectVelocity, mj_fullM, mj_mulM, mj_solveM, mj_rne") {
    for (const char* name :
         {"actuator_transmission.rand1", "cameras.rand1", "equality_weld.rand1", "contact_elliptic.rest", "contact_pyramidal.rest"}) {
        INFO(name);
        Simulator sim = at_state(name);
        const Fields reference = read(std::string(MJX_TESTS_DIR) + "/robotics/refs/" + name + ".ref");
        check_frames(sim, reference);
        check_inertia(sim, reference);
    }
}

TEST_CASE("contact forces are MuJoCo's, mj_contactForce; in the world frame and by body they balance weight and inertia") {
    for (const char* name : {"contact_elliptic.rest", "contact_pyramidal.rest"}) {
        INFO(name);
        Simulator sim = at_state(name);
        const auto& m = sim.model();
        const auto& d = sim.data();
        const auto expected = read(std::string(MJX_TESTS_DIR) + "/robotics/refs/" + name + ".ref").at("contact_force");
        // contacts have no promised order: what each pair of geoms transmits is compared
        std::map<std::pair<int, int>, std::vector<double>> sums, reference;
        for (std::size_t i = 0; i < expected.size(); i += 8) {
            auto& sum = reference[{int(expected[i]), int(expected[i + 1])}];
            sum.resize(6);
            for (std::size_t k = 0; k < 6; ++k) sum[k] += expected[i + 2 + k];
        }
        for (int c = 0; c < d.ncon; ++c) {
            auto& sum = sums[{d.contact[c].geom1, d.contact[c].geom2}];
            sum.resize(6);
            const auto force = mjx::contact_force(sim, c);
            for (int k = 0; k < 6; ++k) sum[std::size_t(k)] += force[k];
        }
        REQUIRE(!sums.empty());
        CHECK(sums.size() == reference.size());
        for (const auto& [pair, sum] : sums)
            for (std::size_t k = 0; k < 6; ++k) CHECK(sum[k] == Approx(reference[pair][k]).margin(1e-6));
        // free bodies: m (a - g) is what contacts and the user do
        mjx::Matrix<double> J = mjx::jacobian(sim, mjx::com(0));
        for (int b = 1; b < m.nbody; ++b) {
            mjx::jacobian(sim, mjx::inertia_of(b), J = mjx::Matrix<double>::from_shape({6, std::size_t(m.nv)}));
            const auto drift = mjx::jacobian_dot_times_v(sim, mjx::inertia_of(b));
            const auto force = mjx::body_contact_force(sim, b);
            for (int k = 0; k < 3; ++k) {
                double acceleration = drift[3 + k];
                for (int i = 0; i < m.nv; ++i) acceleration += J(std::size_t(3 + k), std::size_t(i)) * d.qacc[i];
                const double applied = d.xfrc_applied[b][k] + d.qfrc_applied[m.body_dofadr[b] + k];
                CHECK(m.body_mass[b] * (acceleration - m.opt.gravity[k]) == Approx(force[k] + applied).margin(1e-8));
            }
        }
    }
}

TEST_CASE("a contact's Jacobian holds the rows of the constraint") {
    Simulator sim = at_state("contact_elliptic.rest");
    const auto& m = sim.model();
    const auto& d = sim.data();
    REQUIRE(d.ncon > 0);
    for (int c = 0; c < d.ncon; ++c) {
        const auto J = mjx::contact_jacobian(sim, c);
        std::vector<double> row(std::size_t(m.nv), 0.0);
        struct Row {
            std::vector<double>& values;
            double& operator[](int i) { return values[std::size_t(i)]; }
        } buffer{row};
        for (int r = 0; r < d.contact[c].dim && d.contact[c].efc_address >= 0; ++r) {
            mjx::jacobian_row(m, d, d.contact[c].efc_address + r, buffer);
            for (int i = 0; i < m.nv; ++i) CHECK(J(std::size_t(r), std::size_t(i)) == Approx(row[std::size_t(i)]).margin(1e-12));
        }
    }
}
