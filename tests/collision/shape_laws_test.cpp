// Laws of every shape, the user's own among them: what its functions say of each other, and of the tables that are made of them.
#include "catch.hpp"
#include "collision/ray_laws.hpp"
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
using ray_laws::direction;

namespace {

const M m;  // no geoms: it says which shapes there are
const Vec3<double> size{{0.15, 0.2, 0.1}}, origin = Vec3<double>::zero();
const Mat3<double> identity = Mat3<double>::identity();

template <class Shape>
bool inside(const Vec3<double>& p) {
    return inside_shape(m, Shape::type, size, origin, identity, p);
}
template <class Shape, class S>
SurfaceHit<S> shoot(const Vec3<S>& from, const Vec3<S>& along) {
    const Vec3<S> pos = Vec3<S>::zero();
    const Mat3<S> mat = Mat3<S>::identity();
    return ray_shape(m, Shape::type, Geom<S>{pos, mat, Vec3<S>::from(size)}, from, along);
}
template <class Shape>
Vec3<double> within_box(shapes::Random& random, double scale) {
    return ray_laws::within_box(random, Shape::half_sizes(size) * scale);
}

// Support functions are for plain numbers: the convex collider runs lane by lane.
template <class Shape, class T>
void check_support(double near) {
    shapes::Random random(1);
    const Vec3<T> own = plain_vec<T>(size);
    for (int i = 0; i < 100; ++i) {
        const Vec3<double> n = direction(random);
        const Vec3<double> p = plain_vec<double>(Shape::support(own, plain_vec<T>(n)));
        CHECK(inside<Shape>(p * (1 - near)));
        CHECK_FALSE(inside<Shape>(p * (1 + near)));
        for (int k = 0; k < 20; ++k) {
            const Vec3<double> q = within_box<Shape>(random, 1);
            if (inside<Shape>(q)) CHECK(dot(n, q) <= dot(n, p) + near);
        }
    }
}

}  // namespace

#define SOLIDS Sphere, Capsule, Ellipsoid, Cylinder, Box, UserShape<RoundedBox>, UserShape<GrownBox>

TEMPLATE_TEST_CASE("The support point is on the surface and no point is further out", "[collision][shape]", SOLIDS) {
    check_support<TestType, double>(ray_laws::closed_rounding);
    check_support<TestType, float>(ray_laws::rounding);
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
    const auto solid = [](const Vec3<double>& p) { return inside<TestType>(p); };
    const Vec3<double> half = TestType::half_sizes(size);
    const double near = TestType::by_support ? ray_laws::rounding : ray_laws::closed_rounding;
    ray_laws::check_rays<double>(random, half, solid, shoot<TestType, double>, near);
    ray_laws::check_rays<float>(random, half, solid, shoot<TestType, float>, ray_laws::rounding);
    ray_laws::check_rays<pack<double>>(random, half, solid, shoot<TestType, pack<double>>, near);
}

TEMPLATE_TEST_CASE("What is inside is the same for every number", "[collision][shape]", SOLIDS) {
    shapes::Random random(8);
    const auto check = [&]<class S>(S) {
        for (int i = 0; i < 100; ++i) {
            Vec3<S> p = Vec3<S>::zero();
            for (int k = 0; k < lanes_v<S>; ++k) {
                const Vec3<double> q = within_box<TestType>(random, 1.2);
                for (int c = 0; c < 3; ++c) set_lane(p[c], k, static_cast<value_t<S>>(q[c]));
            }
            const auto in = inside_shape(m, TestType::type, plain_vec<value_t<S>>(size), Vec3<S>::zero(), Mat3<S>::identity(), p);
            for (int k = 0; k < lanes_v<S>; ++k) CHECK(lane(in, k) == inside<TestType>(ray_laws::doubles_of(p, k)));
        }
    };
    check(float{});
    check(pack<double>{});
}

TEMPLATE_TEST_CASE("Volume and inertia are those of random points inside", "[collision][shape]", SOLIDS) {
    shapes::Random random(4);
    const Vec3<double> half = TestType::half_sizes(size);
    const bool slow = TestType::by_support;
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

namespace {

// The shell of an ellipsoid is MuJoCo's, between two whose semi-axes differ by as much: it is not equally thick everywhere.
template <class Shape>
double thickness(const Vec3<double>& p, const Vec3<double>& normal) {
    if constexpr (!std::same_as<Shape, Ellipsoid>) return 1;
    return normal[0] * p[0] / size[0] + normal[1] * p[1] / size[1] + normal[2] * p[2] / size[2];
}

}  // namespace

// Lines through a ball, of any direction and at any distance from its centre, meet surfaces in it in points that are spread evenly over
// them (Crofton): of a convex one its area is that of the ball times the share of lines that meet it.
TEMPLATE_TEST_CASE("Area and inertia of a shell are those of random lines through it", "[collision][shape]", SOLIDS) {
    shapes::Random random(9);
    const bool slow = TestType::by_support;
    const int lines = slow ? 10000 : 200000;
    const double reach = 1.01 * TestType::radius(size);
    double found = 0, weight = 0;
    Vec3<double> moments = Vec3<double>::zero();
    for (int i = 0; i < lines; ++i) {
        const Vec3<double> along = direction(random);
        const Mat3<double> frame = contact_frame(along);
        const double turn = shapes::uniform(random, 0, 2 * std::numbers::pi), off = reach * std::sqrt(shapes::uniform(random, 0, 1));
        const Vec3<double> middle = frame.row(1) * (off * std::cos(turn)) + frame.row(2) * (off * std::sin(turn));
        for (const double way : {1.0, -1.0}) {
            const Vec3<double> from = middle - along * (2 * reach * way);
            const SurfaceHit<double> hit = shoot<TestType, double>(from, along * way);
            if (hit.x < 0) continue;
            const Vec3<double> p = from + along * (way * hit.x);
            const double w = thickness<TestType>(p, hit.normal);
            found += 0.5;
            weight += w;
            moments += Vec3<double>{{p[1] * p[1] + p[2] * p[2], p[0] * p[0] + p[2] * p[2], p[0] * p[0] + p[1] * p[1]}} * w;
        }
    }
    const double error = 4 / std::sqrt(double(lines));
    // Thomsen's area of an ellipsoid, which MuJoCo takes, is off by 1 % at most
    const double formula = std::same_as<TestType, Ellipsoid> ? 0.011 : 0;
    CHECK(TestType::volume(size, true) == Approx(4 * std::numbers::pi * reach * reach * found / lines).epsilon(error + formula));
    const Vec3<double> inertia = TestType::inertia(2.0, size, true);
    for (int k = 0; k < 3; ++k) CHECK(inertia[k] == Approx(2 * moments[k] / weight).epsilon(error));
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
        const SurfaceHit<double> hit = ray_geom(m, 0, place, from, n), expected = shoot<Box, double>(from, n);
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
