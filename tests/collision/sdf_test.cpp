// Signed distance fields: the fields themselves, contacts between them, voxel grids of meshes, rays, a user's field.
#include "catch.hpp"
#include "collision/shapes.hpp"
#include "load.hpp"
#include "mjx/collision/convex.hpp"
#include "mjx/collision/ray.hpp"
#include "mjx/scalar/pack.hpp"

using namespace shapes;

namespace {

// Geoms 0 sphere, 1 box, 2 cylinder, 3 a box as a mesh, 4 that mesh as a field on a grid.
Model<double> scene() {
    return load_model_string(R"(
        <mujoco>
          <option sdf_iterations="20" sdf_initpoints="40"/>
          <asset>
            <mesh name="cube" vertex="-.2 -.15 -.1 .2 -.15 -.1 -.2 .15 -.1 .2 .15 -.1 -.2 -.15 .1 .2 -.15 .1 -.2 .15 .1 .2 .15 .1"/>
          </asset>
          <worldbody>
            <geom type="sphere" size=".1"/>
            <geom type="box" size=".1 .12 .07"/>
            <geom type="cylinder" size=".1 .08"/>
            <geom type="mesh" mesh="cube"/>
            <geom type="sdf" mesh="cube"/>
          </worldbody>
        </mujoco>)");
}

// Adds a field by formula to a model, as the compiler would.
int add_field(Model<double>& m, int kind, const Vec6<double>& params, const Vec3<double>& half) {
    m.geom_type.push_back(shape::sdf);
    m.geom_sdf.push_back(kind);
    m.geom_sdfparam.push_back(params);
    m.geom_dataid.push_back(-1);
    m.geom_size.push_back(half);
    m.geom_rbound.push_back(norm(half));
    m.geom_aabb.push_back({{0, 0, 0, half[0], half[1], half[2]}});
    return m.geom_type.size() - 1;
}

template <class S, class M>
CollisionResult<S> collide_fields(const M& m, int g1, int g2, const Vec3<double>& pos1, const Vec3<double>& pos2) {
    const auto a = to<S>({pos1, Mat3<double>::identity(), m.geom_size[g1]}), b = to<S>({pos2, Mat3<double>::identity(), m.geom_size[g2]});
    CollisionResult<S> out;
    collide_shapes(m, g1, g2, a.view(), b.view(), S(0), mask_t<S>(true), out);
    return out;
}

// The slope of a field along one axis by central differences, or nothing where it has an edge: there the differences to both sides are
// not alike.
template <class F>
bool central_difference(const F& field, const Vec3<double>& p, int axis, double& slope) {
    const double h = 1e-5;
    Vec3<double> before = p, after = p;
    before[axis] -= h;
    after[axis] += h;
    slope = (field(after) - field(before)) / (2 * h);
    return std::abs(field(after) - 2 * field(p) + field(before)) < 1e-3 * h;
}

// The gradient is that of differences: h squared times a third derivative of 1e4 at most, and rounding divided by h.
template <class F>
void check_gradient(const F& field, double reach) {
    Random random(3);
    double error = 0, by_duals = 0;
    int compared = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3<double> p = vector(random, reach);
        Vec3<double> gradient;
        Vec3<dual<double, 3>> q;
        for (int k = 0; k < 3; ++k) q[k] = dual<double, 3>::variable(p[k], k);
        CHECK(sdf_value(field, p, &gradient) == field(p));
        const auto with_slope = field(q);
        for (int k = 0; k < 3; ++k) {
            by_duals = std::max(by_duals, std::abs(with_slope.partial[k] - gradient[k]));
            double slope;
            if (!central_difference(field, p, k, slope)) continue;
            ++compared;
            error = std::max(error, std::abs(slope - gradient[k]));
        }
    }
    CHECK(compared > 4000);
    CHECK(error < 1e-5);
    CHECK(by_duals < 1e-14);
}

// Distances grow no faster than the points move.
template <class F>
void check_field(const F& field, double reach, double slope) {
    Random random(3);
    double steepest = 0;
    for (int i = 0; i < 5000; ++i) {
        const Vec3<double> p = vector(random, reach), step = vector(random, 1e-4);
        steepest = std::max(steepest, std::abs(field(Vec3<double>(p + step)) - field(p)) / norm(step));
    }
    CHECK(steepest < slope);
    check_gradient(field, reach);
}

struct Hill : Model<double> {
    // A paraboloid standing on the plane z = 0.
    template <class S>
    S sdf_distance(int, const Vec3<S>& p) const {
        return p[2] - 0.1 + p[0] * p[0] + p[1] * p[1];
    }
};

}  // namespace

TEST_CASE("The built-in fields are distances", "[collision]") {
    check_field(sdf::Sphere<double>{0.3}, 1, 1.001);
    check_field(sdf::Box<double>{{{0.3, 0.2, 0.1}}}, 1, 1.001);
    check_field(sdf::Capsule<double>{0.1, 0.3}, 1, 1.001);
    check_field(sdf::Cylinder<double>{0.2, 0.3}, 1, 1.001);
    check_field(sdf::Torus<double>{0.35, 0.1}, 1, 1.001);
    check_field(sdf::Bowl<double>{-0.2, 0.4, 0.02}, 1, 1.001);
    const sdf::Torus<double> torus{0.35, 0.1};
    CHECK(torus(Vec3<double>{{0.35, 0, 0}}) == Approx(-0.1));
    CHECK(torus(Vec3<double>{{0, 0, 0}}) == Approx(0.25));
    const sdf::Bowl<double> bowl{-0.2, 0.4, 0.02};
    CHECK(bowl(Vec3<double>{{0, 0, -0.4}}) == Approx(-0.02));
    CHECK(bowl(Vec3<double>{{0, 0, 0}}) > 0.1);
}

TEST_CASE("Fields of machine parts and voxels know their gradients", "[collision]") {
    check_gradient(sdf::Gear<double>{0.3, 2.8, 25, 0.2, -1}, 1.6);
    check_gradient(sdf::Gear<double>{0, 1, 12, 0.3, 0.2}, 0.7);
    check_gradient(sdf::Ellipsoid<double>{{{0.3, 0.2, 0.1}}}, 0.5);
    check_gradient(sdf::Bolt<double>{0.26}, 1);
    check_gradient(sdf::Nut<double>{0.26}, 1);
    const auto m = scene();
    check_gradient(GridField<Model<double>>{m, m.geom_dataid[4]}, 0.3);
}

TEST_CASE("A gear is solid between its bore and its teeth and has as many teeth as asked for", "[collision]") {
    const sdf::Gear<double> gear{0, 2.8, 25, 0.2, -1};
    CHECK(gear(Vec3<double>{{0, 0, 0}}) > 0);
    CHECK(gear(Vec3<double>{{1.1, 0, 0}}) < 0);
    CHECK(gear(Vec3<double>{{1.1, 0, 0.2}}) > 0);
    CHECK(gear(Vec3<double>{{1.7, 0, 0}}) > 0);
    int changes = 0;
    bool before = gear(Vec3<double>{{1.4, 0, 0}}) < 0;
    for (int i = 1; i <= 3600; ++i) {
        const double angle = i * 2 * 3.14159265358979 / 3600;
        const bool inside = gear(Vec3<double>{{1.4 * std::cos(angle), 1.4 * std::sin(angle), 0}}) < 0;
        changes += inside != before;
        before = inside;
    }
    CHECK(changes == 50);
}

TEMPLATE_TEST_CASE("Two spheres as fields touch midway between them", "[collision]", float, double, pack<float>) {
    using S = TestType;
    auto m = scene();
    const int ball = add_field(m, sdf_kind::sphere, {{0.2}}, {{0.2, 0.2, 0.2}});
    const auto found = collide_fields<S>(m, 0, ball, {{0, 0, 0}}, {{0, 0, 0.28}});
    REQUIRE(found.count > 0);
    value_t<S> deepest = 0;
    int best = 0;
    for (int i = 0; i < found.count; ++i) {
        const auto dist = static_cast<value_t<S>>(lane(found.point[i].dist, 0));
        if (dist < deepest) {
            deepest = dist;
            best = i;
        }
    }
    // each field is 0.01 deep at the middle of the overlap; the search stops at an expected gain of 1e-10 or rounding, and as it is flat
    // there, the square of the angle is of that order
    CHECK(static_cast<double>(deepest) == Approx(-0.01).epsilon(0).margin(1e-9 + 4 * static_cast<double>(epsilon_v<S>)));
    CHECK(static_cast<double>(lane(found.point[best].normal[2], 0)) > 1 - 1e-8 - 100 * static_cast<double>(epsilon_v<S>));
    CHECK(collide_fields<S>(m, 0, ball, {{0, 0, 0}}, {{0, 0, 0.31}}).count == 0);
}

TEST_CASE("The search for contacts ends where MuJoCo's does", "[collision]") {
    // a sphere on the torus plugin, 10 iterations from 40 starts, the first contacts that MuJoCo 3.12 lists; its box around the torus
    // comes from marching cubes and is smaller by 1e-5
    const double reference[4][7] = {{-0.0171813, 0.352495, -0.0164782, -0.0398355, -0.00567413, -0.0941636, -0.995541},
                                    {-0.0153917, 0.349748, -0.02222, -0.0229957, -0.0040797, -0.154795, -0.987938},
                                    {-0.0178187, 0.34929, 0.012605, -0.0401897, -0.000651335, 0.0730512, -0.997328},
                                    {-0.0186489, 0.348375, -0.000921755, -0.0406541, 0.0018531, -0.00538779, -0.999984}};
    auto m = scene();
    m.opt.sdf_iterations = 10;
    const int torus = add_field(m, sdf_kind::torus, {{0.35, 0.1}}, {{0.45, 0.45, 0.1}});
    const auto found = collide_fields<double>(m, 0, torus, {{0.35, 0, 0.05}}, {{0, 0, -0.1}});
    REQUIRE(found.count == 40);
    for (int i = 0; i < 4; ++i) {
        CHECK(std::abs(found.point[i].dist - reference[i][0]) < 2e-5);
        for (int k = 0; k < 3; ++k) {
            CHECK(std::abs(found.point[i].pos[k] - reference[i][1 + k]) < 2e-5);
            CHECK(std::abs(found.point[i].normal[k] - reference[i][4 + k]) < 2e-5);
        }
    }
}

TEST_CASE("Every type meets a torus where it should", "[collision]") {
    auto m = scene();
    const int torus = add_field(m, sdf_kind::torus, {{0.35, 0.1}}, {{0.45, 0.45, 0.1}});
    for (int g = 0; g < 4; ++g) {
        INFO("geom " << g);
        const double reach = g == 0 ? 0.1 : g == 1 ? 0.07 : g == 2 ? 0.08 : 0.2;
        const auto found = collide_fields<double>(m, g, torus, {{0.35, 0, 0.1 + reach - 0.02}}, {{0, 0, 0}});
        REQUIRE(found.count > 0);
        for (int i = 0; i < found.count; ++i) {
            CHECK(found.point[i].dist <= 0);
            CHECK(found.point[i].dist > -0.021);
        }
        CHECK(collide_fields<double>(m, g, torus, {{0.35, 0, 0.1 + reach + 0.01}}, {{0, 0, 0}}).count == 0);
        // the hole is empty
        if (g != 3) CHECK(collide_fields<double>(m, g, torus, {{0, 0, 0}}, {{0, 0, 0}}).count == 0);
    }
}

TEST_CASE("The voxel grid of a mesh is its distance", "[collision]") {
    const auto m = scene();
    // the mesh's own frame: moments decrease, so the longest side is last
    const sdf::Box<double> box{{{0.1, 0.15, 0.2}}};
    const GridField<Model<double>> grid{m, m.geom_dataid[4]};
    Random random(9);
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3<double> p{{uniform(random, -0.12, 0.12), uniform(random, -0.17, 0.17), uniform(random, -0.22, 0.22)}};
        worst = std::max(worst, std::abs(grid(p) - box(p)));
    }
    CHECK(worst < 0.00867);  // sqrt(3) / 2 of a voxel of 0.01: no distance changes faster than its point moves
    const auto found = collide_fields<double>(m, 0, 4, {{0, 0, 0.29}}, {{0, 0, 0}});
    REQUIRE(found.count > 0);
    CHECK(found.point[0].dist < 0);
    CHECK(found.point[0].dist > -0.01);
}

TEST_CASE("A ray meets a torus at the roots of its equation", "[collision]") {
    auto m = scene();
    const int torus = add_field(m, sdf_kind::torus, {{0.35, 0.1}}, {{0.45, 0.45, 0.1}});
    const OwnGeom<double> s{{{0, 0, 0}}, Mat3<double>::identity(), m.geom_size[torus]};
    const auto hit = ray_geom(m, torus, s.view(), Vec3<double>{{-2, 0, 0}}, Vec3<double>{{2, 0, 0}});
    CHECK(hit.x == Approx((2 - 0.45) / 2).epsilon(1e-6));
    CHECK(hit.normal[0] == Approx(-1));
    CHECK(ray_geom(m, torus, s.view(), Vec3<double>{{0, 0, -2}}, Vec3<double>{{0, 0, 1}}).x == -1);
}

TEST_CASE("A model type brings its own field", "[collision]") {
    Hill m;
    static_cast<Model<double>&>(m) = scene();
    const int hill = add_field(m, sdf_kind::user, {}, {{0.4, 0.4, 0.2}});
    const auto found = collide_fields<double>(m, 0, hill, {{0, 0, 0.19}}, {{0, 0, 0}});
    REQUIRE(found.count > 0);
    double deepest = 0;
    for (int i = 0; i < found.count; ++i) deepest = std::min(deepest, found.point[i].dist);
    CHECK(deepest == Approx(-0.005).epsilon(0).margin(1e-9));  // at the middle of the overlap
    CHECK(collide_fields<double>(m, 0, hill, {{0, 0, 0.25}}, {{0, 0, 0}}).count == 0);
}

TEST_CASE("Fields at poses that are not finite give no contact", "[collision]") {
    auto m = scene();
    const int torus = add_field(m, sdf_kind::torus, {{0.35, 0.1}}, {{0.45, 0.45, 0.1}});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (int g = 0; g < 4; ++g) CHECK(collide_fields<double>(m, g, torus, {{nan, 0, 0}}, {{0, 0, 0}}).count == 0);
}
