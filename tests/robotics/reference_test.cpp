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
#include <cstdlib>
#include <filesystem>
#include <map>

namespace {

using Simulator = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
using Fields = std::map<std::string, std::vector<double>>;

Fields read(const std::string& file) {
    const auto dump = mjx::read_dump(file);
    return {dump.begin(), dump.end()};
}

std::string refs(const std::string& file) { return std::string(MJX_TESTS_DIR) + "/robotics/refs/" + file; }
std::string conformance(const std::string& file) { return std::string(MJX_TESTS_DIR) + "/conformance/" + file; }

// A model in a state of a file.
Simulator at_state(const std::string& file, const std::string& state_file) {
    mjx::Model<double> model = load_model(file);
    model.opt.iterations = 100;
    model.opt.tolerance = 0;
    model.opt.chosen = 0;
    Simulator sim(model);
    mjx::apply_state(sim.model(), sim.data(), mjx::read_dump(state_file), state_file);
    sim.forward();
    return sim;
}
Simulator at_state(const std::string& name) {
    return at_state(conformance("models/" + name.substr(0, name.find('.')) + ".xml"), conformance("refs/" + name + ".state"));
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
template <class F>
std::vector<double> gather(int count, F&& f) {
    std::vector<double> all;
    for (int i = 0; i < count; ++i) f(i, all);
    return all;
}
std::vector<double> values(const mjx::Vector<double>& v) { return {v.begin(), v.end()}; }

// What generate.mjs asks MuJoCo, in its order.
using Answers = std::vector<std::pair<const char*, std::vector<double>>>;
void add_frames(Simulator& sim, Answers& out) {
    const auto& m = sim.model();
    const auto jacobians = [&](int count, auto&& frame) {
        return gather(count, [&](int i, auto& all) { append_product(all, mjx::jacobian(sim, frame(i))); });
    };
    const auto velocities = [&](int count, auto&& frame) {
        return gather(count, [&](int i, auto& all) { append(all, mjx::velocity(sim, frame(i))); });
    };
    const auto point = [](int b) { return mjx::point(mjx::body(b), mjx::Vec3<double>{{0.1, -0.2, 0.3}}); };
    out.emplace_back("jac_body", jacobians(m.nbody, [](int b) { return mjx::body(b); }));
    out.emplace_back("jac_bodycom", jacobians(m.nbody, [](int b) { return mjx::inertia_of(b); }));
    out.emplace_back("jac_geom", jacobians(m.ngeom, [](int g) { return mjx::geom(g); }));
    out.emplace_back("jac_site", jacobians(m.nsite, [&](int s) { return sim.site(s); }));
    out.emplace_back("jac_point", jacobians(m.nbody, point));
    out.emplace_back("jacdot_v", gather(m.nbody, [&](int b, auto& all) { append(all, mjx::jacobian_dot_times_v(sim, point(b))); }));
    out.emplace_back("jac_subtreecom", jacobians(m.nbody, [](int b) { return mjx::com(b); }));
    out.emplace_back("angmom", jacobians(m.nbody, [&](int b) { return mjx::angular_momentum(sim.body(b)); }));
    out.emplace_back("velocity_body", velocities(m.nbody, [&](int b) { return sim.body(b); }));
    out.emplace_back("velocity_bodycom_local", velocities(m.nbody, [](int b) { return mjx::local(mjx::inertia_of(b)); }));
    out.emplace_back("velocity_site_local", velocities(m.nsite, [&](int s) { return mjx::local(sim.site(s)); }));
}
void add_inertia(Simulator& sim, Answers& out) {
    const auto& m = sim.model();
    const auto x = test_vector(m.nv);
    std::vector<double> product;
    append_product(product, mjx::mass_matrix(sim));
    out.emplace_back("full_M", product);
    out.emplace_back("mul_M", values(mjx::multiply_mass(sim, x)));
    out.emplace_back("solve_M", values(mjx::solve_mass(sim, x)));
    double square = 0;
    for (const double y : mjx::half_solve_mass(sim, x)) square += y * y;
    out.emplace_back("solve_M2_square", std::vector<double>{square});
    out.emplace_back("momentum", gather(m.nbody, [&](int b, auto& all) { append(all, mjx::momentum(sim, b)); }));
    const auto energy = mjx::energy(sim);
    out.emplace_back("energy", std::vector<double>{energy.potential, energy.kinetic});
}
void add_positions_and_forces(Simulator& sim, Answers& out) {
    const auto& m = sim.model();
    const auto x = test_vector(m.nv);
    std::vector<double> moved(sim.qpos().begin(), sim.qpos().end()), difference(x.size()), force(x.size(), 0.0);
    mjx::integrate_position(m, moved, x, 0.3);
    mjx::position_difference(m, m.qpos0, sim.qpos(), difference);
    out.emplace_back("integrate_pos", moved);
    out.emplace_back("differentiate_pos", difference);
    out.emplace_back("bias", values(mjx::bias_force(sim)));
    const auto Y = mjx::regressor(sim, x);
    for (int b = 1; b < m.nbody; ++b) {
        const auto parameters = mjx::inertial_parameters(m, b);
        for (std::size_t i = 0; i < x.size(); ++i)
            for (int k = 0; k < 10; ++k) force[i] += Y(i, std::size_t(10 * b + k)) * parameters[k];
    }
    out.emplace_back("rne", force);
}
Answers answers(Simulator& sim) {
    Answers out;
    add_frames(sim, out);
    add_inertia(sim, out);
    add_positions_and_forces(sim, out);
    return out;
}

}  // namespace

TEST_CASE("Jacobians, velocities and inertias are MuJoCo's: mj_jac*, mj_objectVelocity, mj_fullM, mj_mulM, mj_solveM, mj_rne") {
    for (const char* name :
         {"actuator_transmission.rand1", "cameras.rand1", "equality_weld.rand1", "contact_elliptic.rest", "contact_pyramidal.rest"}) {
        INFO(name);
        Simulator sim = at_state(name);
        const Fields reference = read(refs(std::string(name) + ".ref"));
        for (const auto& [field, got] : answers(sim)) {
            INFO(field);
            const auto& expected = reference.at(field);
            REQUIRE(got.size() == expected.size());
            double size = 1, error = 0;
            for (std::size_t i = 0; i < got.size(); ++i) {
                size = std::fmax(size, std::fabs(expected[i]));
                error = std::fmax(error, std::fabs(got[i] - expected[i]));
            }
            CHECK(error <= 1e-10 * size);
        }
    }
}

TEST_CASE("so they are on the corpus of public models, when it is there") {
    const char* given = std::getenv("MJX_CORPUS");
    const std::string corpus = given ? given : MJX_TESTS_DIR "/../../shared/corpus";
    if (!std::filesystem::exists(corpus + "/models")) {
        WARN("no corpus found: set MJX_CORPUS to compare with MuJoCo on public models");
        return;
    }
    int models = 0;
    for (const auto& [name, expected] : mjx::read_dump(refs("corpus.ref"))) {
        INFO(name);
        std::string path = name;
        for (std::size_t at; (at = path.find("__")) != std::string::npos;) path.replace(at, 2, "/");
        Simulator sim = at_state(corpus + "/models/" + path + ".xml", corpus + "/refs/" + name + ".rand1.state");
        double force = 0, size = 1;
        for (int c = 0; c < sim.data().ncon; ++c) {
            const auto f = mjx::contact_force(sim, c);
            const double pair = std::sin(7 * sim.data().contact[c].geom1 + sim.data().contact[c].geom2);
            for (int k = 0; k < 6; ++k) force += f[k] * std::sin(k + 1) * pair;
            for (int k = 0; k < 6; ++k) size += std::fabs(f[k]);
        }
        INFO("contact forces: " << force << " and " << expected[0]);
        CHECK(std::fabs(force - expected[0]) <= 1e-10 * size);
        const auto all = answers(sim);
        REQUIRE(all.size() + 1 == expected.size());
        for (std::size_t n = 0; n < all.size(); ++n) {
            const auto& [field, got] = all[n];
            double sum = 0;
            size = 1;
            for (std::size_t i = 0; i < got.size(); ++i) sum += got[i] * std::sin(double(i + 1));
            for (const double v : got) size += std::fabs(v);
            INFO(field << ": " << sum << " and " << expected[n + 1] << " of " << size);
            CHECK(std::fabs(sum - expected[n + 1]) <= 1e-10 * size);
        }
        ++models;
    }
    CHECK(models > 60);
}

TEST_CASE("contact forces are MuJoCo's, mj_contactForce; in the world frame and by body they balance weight and inertia") {
    for (const char* name : {"contact_elliptic.rest", "contact_pyramidal.rest"}) {
        INFO(name);
        Simulator sim = at_state(name);
        const auto& m = sim.model();
        const auto& d = sim.data();
        const auto expected = read(refs(std::string(name) + ".ref")).at("contact_force");
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
            for (std::size_t k = 0; k < 6; ++k) CHECK(sum[k] == Approx(reference[pair][k]).epsilon(1e-10).margin(1e-10));
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
