// Laws of every shape, the user's own among them: what its functions say of each other, and of the tables that are made of them.
#include "catch.hpp"
#include "collision/rounded_box.hpp"
#include "collision/shapes.hpp"
#include "load.hpp"
#include "mjx/collision/candidates.hpp"
#include "mjx/collision/collision.hpp"
#include "mjx/collision/ray.hpp"
#include "mjx/sensor/position.hpp"
#include "mjx/stage/kinematics.hpp"

#include <algorithm>

using namespace rounded;

namespace {

const M m;  // no geoms: it says which shapes there are
const Vec3<double> size{{0.15, 0.2, 0.1}}, origin = Vec3<double>::zero();
const Mat3<double> identity = Mat3<double>::identity();

Vec3<double> direction(shapes::Random& random) {
    std::normal_distribution<double> normal;
    return normalize(Vec3<double>{{normal(random), normal(random), normal(random)}});
}
template <class Shape>
bool inside(const Vec3<double>& p) {
    return inside_shape(m, Shape::type, size, origin, identity, p);
}
template <class Shape>
SurfaceHit<double> shoot(const Vec3<double>& from, const Vec3<double>& along) {
    return ray_shape(m, Shape::type, Geom<double>{origin, identity, size}, from, along);
}
template <class Shape>
Vec3<double> within_box(shapes::Random& random, double scale) {
    const Vec3<double> half = Shape::half_sizes(size) * scale;
    Vec3<double> p;
    for (int k = 0; k < 3; ++k) p[k] = shapes::uniform(random, -half[k], half[k]);
    return p;
}

}  // namespace

#define SOLIDS Sphere, Capsule, Ellipsoid, Cylinder, Box, UserShape<RoundedBox>, UserShape<GrownBox>

TEMPLATE_TEST_CASE("The support point is on the surface and no point is further out", "[collision][shape]", SOLIDS) {
    shapes::Random random(1);
    for (int i = 0; i < 100; ++i) {
        const Vec3<double> n = direction(random), p = TestType::support(size, n);
        CHECK(inside<TestType>(p * (1 - 1e-6)));
        CHECK_FALSE(inside<TestType>(p * (1 + 1e-6)));
        for (int k = 0; k < 20; ++k) {
            const Vec3<double> q = within_box<TestType>(random, 1);
            if (inside<TestType>(q)) CHECK(dot(n, q) <= dot(n, p) + 1e-12);
        }
    }
}

TEMPLATE_TEST_CASE("Bounding sphere and box contain every support point, and the box touches it", "[collision][shape]", SOLIDS) {
    shapes::Random random(2);
    const Vec3<double> half = TestType::half_sizes(size);
    for (int i = 0; i < 500; ++i) {
        const Vec3<double> p = TestType::support(size, direction(random));
        CHECK(norm(p) <= TestType::radius(size) * (1 + 1e-12));
        for (int k = 0; k < 3; ++k) CHECK(std::abs(p[k]) <= half[k] * (1 + 1e-12));
    }
    for (int k = 0; k < 3; ++k) {
        Vec3<double> n = Vec3<double>::zero();
        n[k] = 1;
        CHECK(TestType::support(size, n)[k] == Approx(half[k]));
    }
}

TEMPLATE_TEST_CASE("A ray meets the surface, from outside and from inside, and nothing before it", "[collision][shape]", SOLIDS) {
    shapes::Random random(3);
    for (int i = 0; i < 300; ++i) {
        const Vec3<double> from = within_box<TestType>(random, 2), along = direction(random) * shapes::uniform(random, 0.5, 2);
        const bool starts_inside = inside<TestType>(from);
        const SurfaceHit<double> hit = shoot<TestType>(from, along);
        if (hit.x < 0) {
            CHECK_FALSE(starts_inside);
            for (int k = 0; k < 50; ++k) CHECK_FALSE(inside<TestType>(from + along * (0.02 * k)));
            continue;
        }
        CHECK(norm(hit.normal) == Approx(1));
        CHECK((dot(hit.normal, along) > 0) == starts_inside);
        const Vec3<double> at = from + along * hit.x;
        CHECK_FALSE(inside<TestType>(at + hit.normal * 1e-6));
        if (std::abs(dot(hit.normal, normalize(along))) > 0.05) CHECK(inside<TestType>(at - hit.normal * 1e-6));
        for (int k = 1; k < 20; ++k) CHECK(inside<TestType>(from + along * (hit.x * (k / 20.0 - 1e-3))) == starts_inside);
    }
}

TEMPLATE_TEST_CASE("Volume and inertia are those of random points inside", "[collision][shape]", SOLIDS) {
    shapes::Random random(4);
    const Vec3<double> half = TestType::half_sizes(size);
    const bool slow = requires { TestType::by_support; } && TestType::by_support;
    const int samples = slow ? 40000 : 400000;
    double found = 0;
    Vec3<double> moments = Vec3<double>::zero();
    for (int i = 0; i < samples; ++i) {
        const Vec3<double> p = within_box<TestType>(random, 1);
        // GJK decides for a user's shape in the laws above; here its closed form is faster
        if (slow ? !(rounded::distance(size, p) < 0) : !inside<TestType>(p)) continue;
        found += 1;
        moments += Vec3<double>{{p[1] * p[1] + p[2] * p[2], p[0] * p[0] + p[2] * p[2], p[0] * p[0] + p[1] * p[1]}};
    }
    const double error = 5 / std::sqrt(double(samples));
    CHECK(TestType::volume(size, false) == Approx(8 * half[0] * half[1] * half[2] * found / samples).epsilon(error));
    const Vec3<double> inertia = TestType::inertia(2.0, size, false);
    for (int k = 0; k < 3; ++k) CHECK(inertia[k] == Approx(2 * moments[k] / found).epsilon(error));
}

TEST_CASE("The mass of a rounded box, summed over its hull, is that of its formula", "[collision][shape]") {
    using Shape = UserShape<RoundedBox>;
    const double x = 2 * size[0], y = 2 * size[1], z = 2 * size[2], r = radius, pi = std::numbers::pi;
    const double volume = x * y * z + 2 * r * (x * y + y * z + z * x) + pi * r * r * (x + y + z) + 4 * pi * r * r * r / 3;
    const double area = 2 * (x * y + y * z + z * x) + 2 * pi * r * (x + y + z) + 4 * pi * r * r;
    CHECK(Shape::volume(size, false) == Approx(volume).epsilon(1e-5));
    CHECK(Shape::volume(size, true) == Approx(area).epsilon(1e-4));
}

TEST_CASE("Pairs make no more contacts than the table says, and some when they overlap", "[collision][shape]") {
    const int types[] = {shape::plane,    shape::sphere, shape::capsule,   shape::ellipsoid,
                         shape::cylinder, shape::box,    RoundedBox::type, GrownBox::type};
    shapes::Random random(5);
    for (const int type1 : types)
        for (const int type2 : types) {
            CAPTURE(type1, type2);
            const int most = max_contacts(type1, type2, 40);
            CHECK(most == max_contacts(type2, type1, 40));
            CHECK((most > 0) == shapes_collide(type1, type2));
            CHECK((has_closed_form(type1, type2) ? closed_form_contacts(type1, type2) == most : true));
            CHECK_FALSE((comes_after(type1, type2) && comes_after(type2, type1)));
            if (type2 == shape::plane || most == 0) continue;
            Spec spec;
            spec.world.add_geom({.type = type1, .size = size});
            auto& body = spec.world.add_body({.name = "body"});
            body.add_joint({.type = jnt::free});
            body.add_geom({.type = type2, .size = size});
            const M model = compile<RoundedBox, GrownBox>(spec);
            REQUIRE(model.ncand == 1);
            CHECK_FALSE(comes_after(model.geom_type[model.cand_geom1[0]], model.geom_type[model.cand_geom2[0]]));
            Data<double, M> d(model);
            for (int i = 0; i < 30; ++i) {
                reset(model, d);
                for (int k = 0; k < 3; ++k) d.qpos[k] = shapes::uniform(random, -0.05, 0.05);
                const Vec3<double> axis = direction(random);
                d.qpos[3] = 0.6;
                for (int k = 0; k < 3; ++k) d.qpos[4 + k] = 0.8 * axis[k];
                kinematics(model, d);
                collision(model, d);
                CHECK(d.ncon > 0);
                CHECK(d.ncon <= most);
            }
        }
}

namespace {

// Shapes from assets, all of the same size: a box as a mesh, as the hull and as the field of it, and a level field of heights.
std::string with_assets(const std::string& world) {
    std::string vertices;
    for (int k = 0; k < 8; ++k)
        for (int i = 0; i < 3; ++i) vertices += std::to_string((k >> i & 1) != 0 ? size[i] : -size[i]) + ' ';
    return "<mujoco><asset><mesh name='box' vertex='" + vertices +
           "'/><hfield name='level' nrow='3' ncol='3' size='0.5 0.5 0.1 0.2' elevation='1 1 1 1 1 1 1 1 1'/></asset><worldbody>" + world +
           "</worldbody></mujoco>";
}
std::string geom_of(int type) {
    const char* const asset = is_of_mesh(type) ? "' mesh='box'/>" : is_of_hfield(type) ? "' hfield='level'/>" : "' size='.15 .2 .1'/>";
    return std::string("<geom type='") + all_shapes::rows[type].name + asset;
}

}  // namespace

TEST_CASE("A mesh of a box's corners obeys the laws of the box", "[collision][shape]") {
    const auto m = load_model_string(with_assets("<body><freejoint/>" + geom_of(shape::mesh) + "</body>"));
    Data<double, Model<double>> d(m);
    reset(m, d);
    kinematics(m, d);
    CHECK(m.body_mass[1] == Approx(1000 * Box::volume(size, false)));
    Vec3<double> inertia = Box::inertia(m.body_mass[1], size, false), found = m.body_inertia[1];
    std::sort(inertia.e, inertia.e + 3);
    std::sort(found.e, found.e + 3);
    for (int k = 0; k < 3; ++k) CHECK(found[k] == Approx(inertia[k]));
    CHECK(m.geom_rbound[0] == Approx(Box::radius(size)));
    const Geom<double> place = geom_at(m, d, 0);
    ConvexObject<double> object = convex_object<double>(m, 0, place, 0.0);
    shapes::Random random(6);
    for (int i = 0; i < 300; ++i) {
        const Vec3<double> n = direction(random), from = within_box<Box>(random, 2), p = Box::support(size, n);
        Point<double> furthest;
        support(m, object, n, furthest);
        CHECK(dot(n, Vec3<double>(furthest)) == Approx(dot(n, p)));
        const SurfaceHit<double> hit = ray_geom(m, 0, place, from, n), expected = shoot<Box>(from, n);
        CHECK(hit.x == Approx(expected.x).margin(1e-9));
        if (expected.x >= 0)
            for (int k = 0; k < 3; ++k) CHECK(hit.normal[k] == Approx(expected.normal[k]).margin(1e-9));
    }
}

TEST_CASE("Pairs with shapes from assets make no more contacts than the table says", "[collision][shape]") {
    shapes::Random random(7);
    for (int type1 = 0; type1 < shape::count; ++type1)
        for (int type2 = 0; type2 < shape::count; ++type2) {
            if (!is_from_asset(type1) && !is_from_asset(type2)) continue;
            CAPTURE(all_shapes::rows[type1].name, all_shapes::rows[type2].name);
            const int most = max_contacts(type1, type2, 40);
            CHECK(most == max_contacts(type2, type1, 40));
            CHECK((most > 0) == shapes_collide(type1, type2));
            CHECK_FALSE((comes_after(type1, type2) && comes_after(type2, type1)));
            if (is_ground(type2)) continue;
            const auto m = load_model_string(with_assets(geom_of(type1) + "<body><freejoint/>" + geom_of(type2) + "</body>"));
            Data<double, Model<double>> d(m);
            for (int i = 0; i < 10; ++i) {
                reset(m, d);
                for (int k = 0; k < 3; ++k) d.qpos[k] = shapes::uniform(random, -0.05, 0.05) + (k == 2 && is_of_hfield(type1) ? 0.1 : 0);
                const Vec3<double> axis = direction(random);
                d.qpos[3] = 0.6;
                for (int k = 0; k < 3; ++k) d.qpos[4 + k] = 0.8 * axis[k];
                kinematics(m, d);
                collision(m, d);
                CHECK((d.ncon > 0) == !(is_of_hfield(type1) && is_field(type2)));  // these two do not meet, as in MuJoCo
                CHECK(d.ncon <= most);
            }
        }
}

TEST_CASE("MJCF's words for types are the names of the shapes, in the order of their numbers", "[collision][shape]") {
    for (int type = 0; type < shape::count; ++type) {
        const ShapeRow& row = all_shapes::rows[type];
        REQUIRE(row.type == type);
        std::string mjcf = std::string("<mujoco><worldbody><geom type='") + row.name + "' size='.1 .1 .1'/></worldbody></mujoco>";
        if (is_from_asset(type))
            CHECK_THROWS_WITH(load_model_string(mjcf), !Catch::Contains("'type'"));
        else
            CHECK(load_model_string(mjcf).geom_type[0] == type);
    }
}
