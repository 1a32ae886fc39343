// Changing parameters and calling set_constants gives the model that compiling the changed description gives: every derived table, on
// the models of the conformance tests and of the corpus when it is there; with derivatives, and lane by lane.
#include "catch.hpp"
#include "load.hpp"
#include "scalar/scalar_types.hpp"

#include "mjx/compile/load.hpp"
#include "mjx/model/fields.hpp"
#include "mjx/parameters.hpp"

#include <filesystem>
#include <set>

namespace fs = std::filesystem;

namespace {

const std::set<std::string> derived = {"body_subtreemass", "body_invweight0",   "dof_invweight0",   "dof_M0",         "dof_length",
                                       "tendon_length0",   "tendon_invweight0", "actuator_length0", "actuator_acc0",  "cam_pos0",
                                       "cam_poscom0",      "cam_mat0",          "light_pos0",       "light_poscom0",  "light_dir0",
                                       "body_sameframe",   "body_turned",       "jnt_offset",       "geom_sameframe", "site_sameframe"};

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

TEST_CASE("a geom of another size has the bounds, mass and inertia that compiling it gives") {
    const char* shapes[][3] = {{"sphere", "0.1", "0.13"},
                               {"box", "0.1 0.2 0.15", "0.3 0.1 0.1"},
                               {"capsule", "0.1 0.2", "0.15 0.25"},
                               {"cylinder", "0.1 0.3", "0.2 0.1"},
                               {"ellipsoid", "0.1 0.2 0.3", "0.2 0.15 0.25"}};
    for (const auto& [type, before, after] : shapes) {
        INFO(type);
        const auto text = [&](const std::string& size) {
            return "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom name='g' type='" + std::string(type) + "' size='" + size +
                   "' pos='0.1 0.2 0' euler='10 20 30'/><body pos='1 0 0'><joint/><geom size='0.05'/></body></body></worldbody></mujoco>";
        };
        mjx::Model<double> model = load_model_string(text(before));
        const mjx::Model<double> wanted = load_model_string(text(after));
        mjx::set_size(model, model.geom("g"), wanted.geom_size[0]);
        mjx::set_constants(model);
        CHECK(model.geom_rbound[0] == Approx(wanted.geom_rbound[0]).epsilon(1e-12));
        CHECK(model.geom_aabb[0][5] == Approx(wanted.geom_aabb[0][5]).epsilon(1e-12));
        CHECK(model.body_mass[1] == Approx(wanted.body_mass[1]).epsilon(1e-12));
        CHECK(model.body_subtreemass[0] == Approx(wanted.body_subtreemass[0]).epsilon(1e-12));
        for (int k = 0; k < 2; ++k) CHECK(model.body_invweight0[1][k] == Approx(wanted.body_invweight0[1][k]).epsilon(1e-9));
        for (int i = 0; i < model.nv; ++i) CHECK(model.dof_invweight0[i] == Approx(wanted.dof_invweight0[i]).epsilon(1e-9));
        CHECK(model.stat.meaninertia == Approx(wanted.stat.meaninertia).epsilon(1e-9));
    }
}
