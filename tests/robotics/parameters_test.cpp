// Changing parameters and calling set_constants gives the model that compiling the changed description gives, and the constants that
// mj_setConst finds (refs/constants.ref is made by generate.mjs): every derived table, on the models of the conformance tests and of the
// corpus when it is there; with derivatives, and lane by lane.
#include "catch.hpp"
#include "load.hpp"
#include "scalar/scalar_types.hpp"

#include "mjx/compile/load.hpp"
#include "mjx/dump.hpp"
#include "mjx/integrators.hpp"
#include "mjx/model/fields.hpp"
#include "mjx/parameters.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include <filesystem>
#include <set>

namespace fs = std::filesystem;

namespace {

const std::set<std::string> derived = {
    "body_subtreemass", "body_invweight0", "dof_invweight0", "dof_M0",      "dof_length",     "tendon_length0", "tendon_invweight0",
    "actuator_length0", "actuator_acc0",   "cam_pos0",       "cam_poscom0", "cam_mat0",       "light_pos0",     "light_poscom0",
    "light_dir0",       "body_sameframe",  "body_turned",    "jnt_offset",  "geom_sameframe", "site_sameframe", "dof_alone"};

void change(mjx::SpecBody& body, int& count) {
    for (auto& child : body.bodies) {
        const double x = 0.01 * (++count % 7);
        child.pos[0] += x;
        child.pos[2] += 0.02;
        if (child.inertial) child.inertial->mass *= 1 + x;
        for (auto& joint : child.joints)
            if (joint.type != mjx::jnt::free) joint.armature += 0.01 + x;
        for (auto& geom : child.geoms) geom.density *= 1 + 2 * x;
        for (auto& site : child.sites) site.pos[1] += x;
        change(child, count);
    }
}

template <class T>
double number(const T& item, int k) {
    if constexpr (requires { item[0]; })
        return double(item[k]);
    else
        return double(item);
}
template <class T>
constexpr int numbers_of() {
    if constexpr (requires { T::size; })
        return T::size;
    else
        return 1;
}

// The largest difference of any table, relative to the table's size.
std::pair<double, std::string> difference(const mjx::Model<double>& a, const mjx::Model<double>& b) {
    std::pair<double, std::string> worst{0, ""};
    mjx::for_each_table(
        [&](const char* name, const auto& x, const auto& y) {
            using T = typename std::remove_cvref_t<decltype(x)>::value_type;
            double size = 1, error = x.size() == y.size() ? 0 : 1e300;
            for (int i = 0; i < x.size() && error < 1e300; ++i)
                for (int k = 0; k < numbers_of<T>(); ++k) {
                    size = std::fmax(size, std::fabs(number(y[i], k)));
                    const double delta = std::fabs(number(x[i], k) - number(y[i], k));
                    error = std::fmax(error, delta == delta ? delta : number(y[i], k) == number(y[i], k) ? 1e300 : 0);
                }
            if (error / size > worst.first) worst = {error / size, name};
        },
        a, b);
    return worst;
}

// All that a user may change, from one model into the other.
void take_parameters(mjx::Model<double>& to, const mjx::Model<double>& from) {
    mjx::for_each_table(
        [&](const char* name, auto& x, const auto& y) {
            if (!derived.count(name)) x = y;
        },
        to, from);
    for (int i = 0; i < to.neq; ++i)
        if (to.eq_type[i] == mjx::eq::connect)
            for (int k = 3; k < 6; ++k) to.eq_data[i][k] = 1e3;
    to.opt = from.opt;
}

bool check_file(const fs::path& file) {
    INFO(file.string());
    mjx::Spec spec = mjx::parse_mjcf_file(file.string());
    mjx::Model<double> model = mjx::compile(spec);
    int count = 0;
    change(spec.world, count);
    mjx::Model<double> changed;
    try {
        changed = mjx::compile(spec);
    } catch (const mjx::model_error&) {
        return false;  // the change made a model that cannot be, such as a muscle whose length does not settle
    }
    take_parameters(model, changed);
    mjx::set_constants(model);
    const auto [error, table] = difference(model, changed);
    INFO(table << " differs by " << error);
    CHECK(error < 1e-12);
    const auto& given = spec.statistic;
    if (!given.meaninertia && !given.meanmass && !given.meansize && !given.extent && !given.center) {
        CHECK(model.stat.meaninertia == Approx(changed.stat.meaninertia).epsilon(1e-12));
        CHECK(model.stat.meansize == Approx(changed.stat.meansize).epsilon(1e-12));
        CHECK(model.stat.meanmass == Approx(changed.stat.meanmass).epsilon(1e-12));
        CHECK(model.stat.extent == Approx(changed.stat.extent).epsilon(1e-12));
    }
    return true;
}

}  // namespace

TEST_CASE("a model with changed parameters and set_constants is the model compiled with them") {
    int same = 0, all = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(MJX_TESTS_DIR) / "conformance" / "models")) {
        if (entry.path().extension() != ".xml") continue;
        ++all;
        same += check_file(entry.path());
    }
    CHECK(same > all * 9 / 10);
}

TEST_CASE("so it is on the corpus of public models, when it is there") {
    const char* given = std::getenv("MJX_CORPUS");
    const fs::path corpus = given ? fs::path(given) : fs::path(MJX_TESTS_DIR) / "../../shared/corpus";
    if (!fs::exists(corpus / "models")) {
        WARN("no corpus found: set MJX_CORPUS to change the parameters of public models");
        return;
    }
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(corpus / "models"))
        if (entry.path().extension() == ".xml") {
            try {
                count += check_file(entry.path());
            } catch (const mjx::model_error&) {
                // a part of a model, or one that mjx does not read
            }
        }
    CHECK(count > 20);
}

TEST_CASE("the derived constants of a model of duals have the derivatives that differences give") {
    using Dual = mjx::dual<double, 1>;
    const mjx::Model<double> model = load_scene("workshop");
    for (int b = 1; b < model.nbody; ++b) {
        const double mass = model.body_mass[b], h = 1e-4 * mass;
        mjx::Model<Dual> dual = mjx::cast<Dual>(model);
        mjx::set_mass(dual, b, Dual::variable(mass, 0));
        mjx::set_constants(dual);
        mjx::Model<double> more = model, less = model;
        mjx::set_mass(more, b, mass + h);
        mjx::set_mass(less, b, mass - h);
        mjx::set_constants(more);
        mjx::set_constants(less);
        const auto check = [&](const Dual& x, double up, double down) {
            CHECK(x.partial[0] == Approx((up - down) / (2 * h)).epsilon(1e-4).margin(1e-5 * (1 + std::fabs(up) / mass)));
        };
        for (int k = 0; k < model.nbody; ++k) {
            check(dual.body_subtreemass[k], more.body_subtreemass[k], less.body_subtreemass[k]);
            check(dual.body_invweight0[k][0], more.body_invweight0[k][0], less.body_invweight0[k][0]);
        }
        for (int i = 0; i < model.nv; ++i) check(dual.dof_invweight0[i], more.dof_invweight0[i], less.dof_invweight0[i]);
        for (int i = 0; i < model.nout; ++i) check(dual.actuator_acc0[i], more.actuator_acc0[i], less.actuator_acc0[i]);
        check(dual.stat.meaninertia, more.stat.meaninertia, less.stat.meaninertia);
    }
}

TEST_CASE("every lane of a model of packs has the constants of its own parameters, and float those of float") {
    using Pack = mjx::pack<double>;
    const mjx::Model<double> model = load_scene("workshop");
    mjx::Model<Pack> packs = mjx::cast<Pack>(model);
    mjx::Model<float> light = mjx::cast<float>(model);
    const auto of_lane = [&](int k) {
        mjx::Model<double> one = model;
        for (int b = 1; b < one.nbody; ++b) mjx::set_mass(one, b, model.body_mass[b] * (1 + 0.1 * k));
        mjx::set_constants(one);
        return one;
    };
    for (int b = 1; b < model.nbody; ++b) {
        Pack mass = packs.body_mass[b];
        for (int k = 0; k < mjx::lanes_v<Pack>; ++k) set_lane(mass, k, model.body_mass[b] * (1 + 0.1 * k));
        mjx::set_mass(packs, b, mass);
        mjx::set_mass(light, b, float(model.body_mass[b]) * 1.1f);
    }
    mjx::set_constants(packs);
    mjx::set_constants(light);
    for (int k = 0; k < mjx::lanes_v<Pack>; ++k) {
        const mjx::Model<double> one = of_lane(k);
        for (int b = 0; b < model.nbody; ++b) {
            CHECK(lane(packs.body_subtreemass[b], k) == Approx(one.body_subtreemass[b]).epsilon(1e-12));
            CHECK(lane(packs.body_invweight0[b][0], k) == Approx(one.body_invweight0[b][0]).epsilon(1e-12));
            if (k == 1) CHECK(light.body_invweight0[b][0] == Approx(one.body_invweight0[b][0]).epsilon(1e-4));
        }
        for (int i = 0; i < model.nv; ++i) CHECK(lane(packs.dof_invweight0[i], k) == Approx(one.dof_invweight0[i]).epsilon(1e-12));
        CHECK(lane(packs.stat.meaninertia, k) == Approx(one.stat.meaninertia).epsilon(1e-12));
    }
}

namespace {

// The rule of generate.mjs.
void change_by_rule(mjx::Model<double>& m) {
    for (int b = 1; b < m.nbody; ++b) {
        const double x = 0.01 * (b % 7 + 1);
        m.body_mass[b] *= 1 + x;
        m.body_inertia[b] *= 1 + x;
        m.body_pos[b][0] += x;
        m.body_pos[b][2] += 0.02;
    }
    for (int i = 0; i < m.nv; ++i) m.dof_armature[i] += 0.01 * (i % 5 + 1);
    for (int s = 0; s < m.nsite; ++s) m.site_pos[s][1] += 0.01 * (s % 3);
}

// What one_number of generate.mjs makes of a table, and the size of its terms.
template <class Table>
std::pair<double, double> one_number(const Table& table) {
    double sum = 0, size = 1;
    int at = 0;
    for (int i = 0; i < table.size(); ++i)
        for (int k = 0; k < numbers_of<typename Table::value_type>(); ++k) {
            sum += number(table[i], k) * std::sin(++at);
            size += std::fabs(number(table[i], k));
        }
    return {sum, size};
}

}  // namespace

TEST_CASE("set_constants finds what mj_setConst finds, on models with a feature each and on public ones, where these are") {
    const char* given = std::getenv("MJX_CORPUS");
    const fs::path corpus = given ? fs::path(given) : fs::path(MJX_TESTS_DIR) / "../../shared/corpus";
    int features = 0, others = 0;
    for (const auto& [name, expected] : mjx::read_dump(MJX_TESTS_DIR "/robotics/refs/constants.ref")) {
        INFO(name);
        const bool feature = name.starts_with("features/");
        std::string path = name.substr(name.find('/') + 1);
        for (std::size_t at; (at = path.find("__")) != std::string::npos;) path.replace(at, 2, "/");
        const fs::path file = (feature ? fs::path(MJX_TESTS_DIR) / "conformance" : corpus) / "models" / (path + ".xml");
        if (!feature && !fs::exists(file)) continue;
        mjx::Model<double> m = load_model(file.string());
        change_by_rule(m);
        mjx::set_constants(m);
        std::size_t at = 0;
        const auto check = [&](const char* field, const std::pair<double, double>& got) {
            INFO(field << ": " << got.first << " and " << expected[at] << " of " << got.second);
            CHECK(std::fabs(got.first - expected[at++]) <= 1e-12 * got.second);
        };
        check("body_subtreemass", one_number(m.body_subtreemass));
        check("body_invweight0", one_number(m.body_invweight0));
        check("dof_invweight0", one_number(m.dof_invweight0));
        check("dof_M0", one_number(m.dof_M0));
        check("dof_length", one_number(m.dof_length));
        check("tendon_length0", one_number(m.tendon_length0));
        check("tendon_invweight0", one_number(m.tendon_invweight0));
        check("tendon_lengthspring", one_number(m.tendon_lengthspring));
        check("actuator_length0", one_number(m.actuator_length0));
        check("actuator_acc0", one_number(m.actuator_acc0));
        check("actuator_biasprm", one_number(m.actuator_biasprm));
        check("eq_data", one_number(m.eq_data));
        check("cam_pos0", one_number(m.cam_pos0));
        check("cam_poscom0", one_number(m.cam_poscom0));
        check("cam_mat0", one_number(m.cam_mat0));
        check("light_pos0", one_number(m.light_pos0));
        check("light_poscom0", one_number(m.light_poscom0));
        check("light_dir0", one_number(m.light_dir0));
        for (const double x :
             {m.stat.meaninertia, m.stat.meanmass, m.stat.meansize, m.stat.extent, m.stat.center[0], m.stat.center[1], m.stat.center[2]})
            check("stat", {x, 1 + std::fabs(x)});
        CHECK(at == expected.size());
        ++(feature ? features : others);
    }
    CHECK(features > 120);
    if (others == 0) WARN("no corpus found: set MJX_CORPUS to compare with mj_setConst on public models");
}

namespace {

// All that follows from the size of the first geom, in whatever principal axes.
template <class R>
std::vector<R> of_first_body(const mjx::Model<R>& m) {
    std::vector<R> all{m.body_mass[1], m.geom_rbound[0], m.geom_mass[0], m.body_subtreemass[0], m.stat.meaninertia, m.stat.meansize};
    const auto append = [&](const auto& v) {
        for (int k = 0; k < v.size; ++k) all.push_back(v[k]);
    };
    append(m.body_ipos[1]);
    append(mjx::rotated_inertia(m.body_inertia[1], m.body_iquat[1]));
    append(m.geom_aabb[0]);
    append(m.geom_fluid[0]);
    append(m.body_invweight0[1]);
    for (int i = 0; i < m.nv; ++i) all.push_back(m.dof_invweight0[i]);
    return all;
}

struct SizeCase {
    const char *type, *rest;
    mjx::Vec3<double> before, after;

    std::string text(const mjx::Vec3<double>& size) const {
        char sizes[100];
        std::snprintf(sizes, sizeof sizes, "%.17g %.17g %.17g", size[0], size[1], size[2]);
        return "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom name='g' type='" + std::string(type) + "' size='" + sizes +
               "' pos='0.1 0.2 0' euler='10 20 30' " + rest +
               "<body pos='1 0 0'><joint/><geom size='0.05'/></body></body></worldbody></mujoco>";
    }
    // The model with the geom as it was, then given a size between both; at 1, that of `after`.
    template <class R>
    mjx::Model<R> at(const R& t) const {
        mjx::Model<R> m = mjx::cast<R>(load_model_string(text(before)));
        mjx::set_size(m, 0,
                      mjx::Vec3<R>{{R(before[0]) + t * R(after[0] - before[0]), R(before[1]) + t * R(after[1] - before[1]),
                                    R(before[2]) + t * R(after[2] - before[2])}});
        mjx::set_constants(m);
        return m;
    }
};

template <class F>
void for_each_size(F&& f) {
    const char* rest[] = {"/>", "mass='2'/>", "shellinertia='true'/>",
                          "fluidshape='ellipsoid'/><geom type='box' size='0.1 0.2 0.05' pos='0.3 0.1 0' euler='5 0 40' density='500'/>",
                          "density='300'/><geom type='capsule' size='0.1 0.2' pos='-0.3 0 0.1' mass='4'/><geom size='0.1' mass='0'/>"};
    for (const char* more : rest)
        for (const SizeCase& c :
             {SizeCase{"sphere", more, {{0.1, 0, 0}}, {{0.13, 0, 0}}}, SizeCase{"box", more, {{0.1, 0.2, 0.15}}, {{0.3, 0.1, 0.12}}},
              SizeCase{"capsule", more, {{0.1, 0.2, 0}}, {{0.15, 0.25, 0}}}, SizeCase{"cylinder", more, {{0.1, 0.3, 0}}, {{0.2, 0.1, 0}}},
              SizeCase{"ellipsoid", more, {{0.1, 0.2, 0.3}}, {{0.2, 0.15, 0.25}}}}) {
            INFO(c.type << " " << more);
            f(c);
        }
}

}  // namespace

TEST_CASE("a geom of another size has the bounds, and gives the mass and inertia, that compiling it gives") {
    for_each_size([](const SizeCase& c) {
        const auto got = of_first_body(c.at(1.0)), wanted = of_first_body(load_model_string(c.text(c.after)));
        for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(wanted[i]).epsilon(1e-12).margin(1e-12));
    });
    // an inertia that was given stays
    mjx::Model<double> m = load_model_string(
        "<mujoco><worldbody><body><freejoint/><inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/><geom size='.1'/></body></worldbody></mujoco>");
    mjx::set_size(m, 0, mjx::Vec3<double>{{0.2, 0, 0}});
    CHECK(m.body_mass[1] == 3);
    CHECK(m.body_inertia[1][0] == 1);
    CHECK(m.geom_rbound[0] == 0.2);
}

TEST_CASE("so it has in float, in each lane of a pack its own, and with derivatives in duals") {
    using Pack = mjx::pack<double>;
    using Dual = mjx::dual<double, 1>;
    for_each_size([](const SizeCase& c) {
        const auto light = of_first_body(c.at(1.0f));
        const auto whole = of_first_body(c.at(Pack(1)));
        const auto wanted = of_first_body(c.at(1.0)), less = of_first_body(c.at(0.4999)), more = of_first_body(c.at(0.5001));
        const auto dual = of_first_body(c.at(Dual::variable(0.5, 0)));
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            CHECK(light[i] == Approx(wanted[i]).epsilon(2e-4).margin(2e-4));
            CHECK(lane(whole[i], 1) == Approx(wanted[i]).epsilon(1e-12).margin(1e-12));
            CHECK(dual[i].partial[0] == Approx((more[i] - less[i]) / 2e-4).epsilon(1e-5).margin(1e-5));
        }
    });
    const SizeCase box{"box", "/>", {{0.1, 0.2, 0.15}}, {{0.3, 0.1, 0.12}}};
    Pack t(0.5);
    set_lane(t, 1, 0.25);
    const auto lanes = of_first_body(box.at(t));
    const auto first = of_first_body(box.at(0.5)), second = of_first_body(box.at(0.25));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        CHECK(lane(lanes[i], 0) == Approx(first[i]).epsilon(1e-12).margin(1e-12));
        CHECK(lane(lanes[i], 1) == Approx(second[i]).epsilon(1e-12).margin(1e-12));
    }
}

TEST_CASE("a mass set after a size scales what the geoms gave, and a size set after a mass its part of it") {
    const SizeCase c{"box", "/><geom size='0.1' pos='0.4 0 0'/>", {{0.1, 0.2, 0.15}}, {{0.3, 0.1, 0.12}}};
    mjx::Model<double> m = load_model_string(c.text(c.before)), wanted = load_model_string(c.text(c.after));
    mjx::set_mass(m, 1, 3 * m.body_mass[1]);
    mjx::set_size(m, 0, c.after);
    mjx::set_mass(wanted, 1, 3 * wanted.body_mass[1]);
    mjx::set_constants(m);
    mjx::set_constants(wanted);
    const auto got = of_first_body(m), other = of_first_body(wanted);
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(other[i]).epsilon(1e-12).margin(1e-12));
}

TEST_CASE("friction and gains act from the next step on, alone") {
    const auto slope = [](const char* friction) {
        return mjx::simulator<mjx::Euler, mjx::Newton>(load_model_string(
            "<mujoco><option gravity='3 0 -9.81'/><worldbody><geom type='plane' size='9 9 1' friction='0.01'/><body pos='0 0 0.1'><freejoint/>"
            "<geom name='box' type='box' size='0.4 0.4 0.1' friction='" +
            std::string(friction) + "'/></body></worldbody></mujoco>"));
    };
    auto smooth = slope("0.1"), changed = slope("0.1"), rough = slope("0.4");
    changed.model().geom_friction[changed.model().geom("box")][0] = 0.4;
    for (auto* sim : {&smooth, &changed, &rough}) sim->step(200);
    for (int i = 0; i < rough.model().nq; ++i) CHECK(changed.qpos()[i] == rough.qpos()[i]);
    CHECK(smooth.qpos()[0] > 2 * rough.qpos()[0]);  // the rough one hardly slides

    using Dual = mjx::dual<double, 1>;
    mjx::Model<Dual> m = mjx::cast<Dual>(load_model_string(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' type='slide'/><geom size='0.1' mass='2'/></body></worldbody>"
        "<actuator><motor joint='j'/></actuator></mujoco>"));
    m.actuator_gainprm[0][0] = Dual::variable(3, 0);
    auto cart = mjx::simulator<mjx::Euler, mjx::Unconstrained>(m);
    cart.ctrl()[0] = Dual(5.0);
    cart.forward();
    CHECK(cart.qacc()[0].value == Approx(3 * 5 / 2.0));
    CHECK(cart.qacc()[0].partial[0] == Approx(5 / 2.0));
}

TEST_CASE("clamp_muscles keeps activations within 0 and 1") {
    auto model = load_model_string(
        R"(<mujoco><option timestep="0.02"/><worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
        <actuator><muscle joint="j" timeconst="0.001 0.001" lengthrange="0 1"/><general joint="j" actrange="0.2 0.8" lengthrange="0 1"
            dyntype="muscle" gaintype="muscle" biastype="muscle" dynprm="0.01 0.04" gainprm="0.75 1.05 -1 200 0.5 1.6 1.5 1.3 1.2"
            biasprm="0.75 1.05 -1 200 0.5 1.6 1.5 1.3 1.2"/></actuator>
        </mujoco>)");
    const auto largest = [](const mjx::Model<>& m) {
        mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(m);
        double most = 0;
        for (int k = 0; k < 40; ++k) {
            sim.ctrl()[0] = k % 8 < 4;
            sim.step();
            most = std::max(most, std::max(sim.act()[0], 1 - sim.act()[0]));
        }
        return most;
    };
    CHECK(largest(model) > 1.5);
    mjx::clamp_muscles(model);
    CHECK(largest(model) == 1);
    CHECK(model.actuator_actrange[1][0] == 0.2);
}
