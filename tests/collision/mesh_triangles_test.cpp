// Triangle meshes as they are, rays against meshes and height fields, and height fields in odd places.
#include "catch.hpp"
#include "collision/shapes.hpp"
#include "load.hpp"
#include "mjx/collision/convex.hpp"
#include "mjx/collision/ray.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"

using namespace shapes;

namespace {

enum : int { valley, sphere, box, capsule, field };

// A V-shaped groove along y, its bottom at z = 0, rising with slope 1 to both sides: not convex.
Model<double> scene() {
    auto m = load_model_string(R"(
        <mujoco>
          <option ccd_tolerance="1e-12" ccd_iterations="200"/>
          <asset>
            <mesh name="valley" inertia="shell"
              vertex="-1 -1 1  0 -1 0  1 -1 1  -1 1 1  0 1 0  1 1 1  -1 -1 -.5  1 -1 -.5  -1 1 -.5  1 1 -.5"
              face="0 1 4 0 4 3 1 2 5 1 5 4 6 8 9 6 9 7 0 3 8 0 8 6 2 7 9 2 9 5 0 6 7 0 7 1 1 7 2 3 4 9 3 9 8 4 5 9"/>
            <hfield name="steps" nrow="3" ncol="3" size="1 1 .5 .1" elevation="0 0 0 0 1 0 0 0 0"/>
          </asset>
          <worldbody>
            <geom type="mesh" mesh="valley"/>
            <geom type="sphere" size=".1"/>
            <geom type="box" size=".1 .1 .1"/>
            <geom type="capsule" size=".05 .2"/>
            <geom type="hfield" hfield="steps"/>
          </worldbody>
        </mujoco>)");
    m.geom_trimesh[valley] = 1;
    return m;
}

const Model<double>& model() {
    static const Model<double> m = scene();
    return m;
}

// The valley stays where its file puts it: the mesh frame is that of the compiled geom.
OwnGeom<double> at(int geom, const Vec3<double>& pos, const Mat3<double>& mat = Mat3<double>::identity()) {
    return {mat * model().geom_pos[geom] + pos, mat * to_mat3(model().geom_quat[geom]), model().geom_size[geom]};
}

template <class S>
CollisionResult<S> on_valley(int geom, const OwnGeom<S>& s) {
    CollisionResult<S> out;
    const auto ground = to<S>(at(valley, {{0, 0, 0}}));
    collide_shapes(model(), geom, valley, s.view(), ground.view(), S(0), mask_t<S>(true), out);
    return out;
}

}  // namespace

TEMPLATE_TEST_CASE("A ball in a valley rests on both slopes", "[collision]", float, double, pack<float>, (dual<double, 3>)) {
    using S = TestType;
    const auto found = on_valley<S>(sphere, to<S>(at(sphere, {{0, 0.1, 0.13}})));
    REQUIRE(found.count == 2);
    for (int i = 0; i < 2; ++i) {
        const auto point = lane(found.point[i].dist, 0);
        CHECK(static_cast<double>(value_of(point)) == Approx(0.13 / std::sqrt(2.0) - 0.1).epsilon(1e-3));
        CHECK(static_cast<double>(value_of(lane(found.point[i].normal[2], 0))) == Approx(-std::sqrt(0.5)).epsilon(1e-3));
    }
    CHECK(on_valley<S>(sphere, to<S>(at(sphere, {{0, 0.1, 0.15}}))).count == 0);
}

TEST_CASE("The hull of the valley would hold the ball at its rim", "[collision]") {
    const auto s = at(sphere, {{0, 0.1, 0.5}}), ground = at(valley, {{0, 0, 0}});
    CollisionResult<double> hull;
    convex_contacts(model(), sphere, valley, s.view(), ground.view(), 0.0, hull);
    CHECK(hull.count > 0);
    CHECK(on_valley<double>(sphere, s).count == 0);
}

TEST_CASE("Sliding over the edges between triangles a contact keeps the slope's normal", "[collision]") {
    for (int i = -90; i <= 90; ++i) {
        // above the right slope, where the diagonal of the square and its end lie
        const double x = 0.5, y = i * 0.01;
        const auto found = on_valley<double>(sphere, at(sphere, {{x, y, x + 0.1 * std::sqrt(2.0) - 0.005}}));
        REQUIRE(found.count > 0);
        for (int k = 0; k < found.count; ++k) {
            CHECK(found.point[k].normal[0] == Approx(std::sqrt(0.5)).margin(1e-6));
            CHECK(found.point[k].normal[1] == Approx(0).margin(1e-6));
        }
    }
}

TEST_CASE("Other shapes stand on triangles too", "[collision]") {
    const double h = std::sqrt(0.5);
    const Mat3<double> tilt{{h, 0, -h, 0, 1, 0, h, 0, h}};  // z along the right slope's normal
    const auto standing = on_valley<double>(box, at(box, {{0.5 - h * 0.095, 0, 0.5 + h * 0.095}}, tilt));
    REQUIRE(standing.count > 0);
    for (int k = 0; k < standing.count; ++k) CHECK(standing.point[k].dist == Approx(-0.005).margin(1e-6));
    const auto lying = on_valley<double>(capsule, at(capsule, {{0, 0, 0.06}}, Mat3<double>{{1, 0, 0, 0, 0, 1, 0, -1, 0}}));
    REQUIRE(lying.count >= 2);
}

TEST_CASE("The depth on a triangle has the derivative of its normal", "[collision]") {
    using S = dual<double, 3>;
    auto s = to<S>(at(sphere, {{0.5, 0.2, 0.5 + 0.1 * std::sqrt(2.0) - 0.005}}));
    for (int k = 0; k < 3; ++k) s.pos[k] = S::variable(s.pos[k].value, k);
    const auto found = on_valley<S>(sphere, s);
    REQUIRE(found.count > 0);
    CHECK(found.point[0].dist.partial[0] == Approx(-std::sqrt(0.5)));
    CHECK(found.point[0].dist.partial[2] == Approx(std::sqrt(0.5)));
}

TEST_CASE("Contacts on triangles have the derivatives of central differences", "[collision]") {
    using S = dual<double, 6>;
    Random random(14);
    const double h = 1e-5;
    int compared = 0, kinks = 0;
    double worst = 0;
    for (const int geom : {sphere, box})
        for (int n = 0; n < 60; ++n) {
            const Vec3<double> pos{{uniform(random, -0.5, 0.5), uniform(random, -0.5, 0.5), uniform(random, 0.1, 0.5)}};
            const OwnGeom<double> s{pos, rotation(random), model().geom_size[geom]};
            OwnGeom<S> d = to<S>(s);
            for (int k = 0; k < 6; ++k) {
                const auto up = shifted(s, k, h), down = shifted(s, k, -h);
                for (int i = 0; i < 3; ++i) d.pos[i].partial[k] = (up.pos[i] - down.pos[i]) / (2 * h);
                for (int i = 0; i < 9; ++i) d.mat[i].partial[k] = (up.mat[i] - down.mat[i]) / (2 * h);
            }
            const auto exact = on_valley<S>(geom, d);
            const auto middle = on_valley<double>(geom, s);
            REQUIRE(exact.count == middle.count);
            for (int k = 0; k < 6; ++k) {
                const auto up = on_valley<double>(geom, shifted(s, k, h)), down = on_valley<double>(geom, shifted(s, k, -h));
                for (int c = 0; c < middle.count; ++c, ++compared) {
                    double error = 0, bend = up.count == middle.count && down.count == middle.count ? 0 : 1;
                    for (int i = 0; i < 7 && bend < 1; ++i) {
                        const auto number = [&](const auto& found) {
                            const auto& p = found.point[c];
                            return i == 0 ? p.dist : i < 4 ? p.pos[i - 1] : p.normal[i - 4];
                        };
                        const double forward = (number(up) - number(middle)) / h, back = (number(middle) - number(down)) / h;
                        bend = std::max(bend, std::abs(forward - back));
                        error = std::max(error, std::abs(number(exact).partial[k] - 0.5 * (forward + back)));
                    }
                    if (bend < 1e-2) worst = std::max(worst, error);  // a kink elsewhere
                    kinks += bend >= 1e-2;
                }
            }
        }
    CHECK(compared > 200);
    CHECK(kinks * 5 < compared);
    CHECK(worst < 1e-3);
}

TEST_CASE("A ray against a mesh hits the nearest triangle from either side", "[collision]") {
    const auto ground = at(valley, {{0, 0, 0}});
    const auto down = ray_geom(model(), valley, ground.view(), Vec3<double>{{0.3, 0.2, 2}}, Vec3<double>{{0, 0, -2}});
    CHECK(down.x == Approx((2 - 0.3) / 2));
    CHECK(down.normal[2] == Approx(std::sqrt(0.5)));
    const auto up = ray_geom(model(), valley, ground.view(), Vec3<double>{{0.3, 0.2, -2}}, Vec3<double>{{0, 0, 1}});
    CHECK(up.x == Approx(1.5));
    CHECK(ray_geom(model(), valley, ground.view(), Vec3<double>{{3, 0, 2}}, Vec3<double>{{0, 0, -1}}).x == -1);
}

TEST_CASE("A ray against a height field meets its surface, its walls and its base", "[collision]") {
    const auto s = at(field, {{0, 0, 0}});
    const auto hit = [&](Vec3<double> p, Vec3<double> v) { return ray_geom(model(), field, s.view(), p, v); };
    CHECK(hit({{0, 0, 2}}, {{0, 0, -1}}).x == Approx(1.5));
    CHECK(hit({{0.5, 0, 2}}, {{0, 0, -1}}).x == Approx(1.75));
    CHECK(hit({{0, 0, -2}}, {{0, 0, 1}}).x == Approx(1.9));
    CHECK(hit({{2, 0.3, -0.05}}, {{-1, 0, 0}}).x == Approx(1));
    CHECK(hit({{2, 0, 3}}, {{0, 0, -1}}).x == -1);
}

TEST_CASE("The derivative of a ray's length is that of its end points", "[collision]") {
    using S = dual<double, 3>;
    const auto ground = to<S>(at(valley, {{0, 0, 0}}));
    Vec3<S> start;
    for (int k = 0; k < 3; ++k) start[k] = S::variable(k == 0 ? 0.3 : k == 1 ? 0.2 : 2.0, k);
    const auto hit = ray_geom(model(), valley, ground.view(), start, Vec3<S>{{S(0), S(0), S(-1)}});
    CHECK(hit.x.partial[0] == Approx(-1));
    CHECK(hit.x.partial[1] == Approx(0).margin(1e-9));
    CHECK(hit.x.partial[2] == Approx(1));
}

TEMPLATE_TEST_CASE("Beside, above and far from a height field there is no contact", "[collision]", float, double, pack<float>) {
    using S = TestType;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto ground = to<S>(at(field, {{0, 0, 0}}));
    for (const Vec3<double> p : {Vec3<double>{{1.2, 0, 0}}, Vec3<double>{{0, -1.2, 0}}, Vec3<double>{{0, 0, 0.7}},
                                 Vec3<double>{{0, 0, -0.3}}, Vec3<double>{{1e30, 0, 0}}, Vec3<double>{{nan, 0, 0}}}) {
        CollisionResult<S> out;
        const auto s = to<S>(at(sphere, p));
        collide_shapes(model(), field, sphere, ground.view(), s.view(), S(0), mask_t<S>(true), out);
        CHECK(out.count == 0);
    }
    CollisionResult<S> out;
    const auto s = to<S>(at(sphere, {{0, 0, 0.55}}));
    collide_shapes(model(), field, sphere, ground.view(), s.view(), S(0), mask_t<S>(true), out);
    CHECK(out.count > 0);
}
