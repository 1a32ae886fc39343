// Laws of the shapes that are no solids of a few sizes: planes, and those that are made of an asset, a mesh with a notch, the field of a
// ring and a field of heights. What is inside of each is known in closed form.
#include "catch.hpp"
#include "collision/ray_laws.hpp"
#include "collision/shapes.hpp"
#include "load.hpp"
#include "mjx/collision/ray.hpp"
#include "mjx/collision/support.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/sensor/position.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/reset.hpp"

#include <algorithm>
#include <cmath>

using namespace mjx;
using ray_laws::direction;

namespace {

// Rays against geom 0 of a model in its pose at rest, in numbers of type S.
template <class S>
auto shooter(const Model<double>& m) {
    using R = value_t<S>;
    const auto own = cast<R, all_joints>(m);
    Data<double, Model<double>> d(m);
    reset(m, d);
    kinematics(m, d);
    const Vec3<S> pos = Vec3<S>::from(plain_vec<R>(d.geom_xpos[0])), size = Vec3<S>::from(plain_vec<R>(m.geom_size[0]));
    Mat3<S> mat;
    for (int i = 0; i < 9; ++i) mat[i] = S(static_cast<R>(d.geom_xmat[0][i]));
    return [=](const Vec3<S>& from, const Vec3<S>& along) { return ray_geom(own, 0, Geom<S>{pos, mat, size}, from, along); };
}
template <class Inside, class Takes = ray_laws::TakesAll>
void check_all_rays(const Model<double>& m, const Vec3<double>& half, const Inside& inside, const Takes& takes = {}) {
    shapes::Random random(1);
    ray_laws::check_rays<double>(random, half, inside, shooter<double>(m), ray_laws::rounding, takes);
    ray_laws::check_rays<float>(random, half, inside, shooter<float>(m), ray_laws::rounding, takes);
    ray_laws::check_rays<pack<double>>(random, half, inside, shooter<pack<double>>(m), ray_laws::rounding, takes);
}

// Points inside, in the world's frame, are within the bounding sphere of geom 0 and within its box.
template <class Inside>
void check_bounds(const Model<double>& m, const Vec3<double>& half, const Inside& inside) {
    Data<double, Model<double>> d(m);
    reset(m, d);
    kinematics(m, d);
    shapes::Random random(2);
    double far = 0;
    Vec3<double> most = Vec3<double>::zero();
    for (int i = 0; i < 100000; ++i) {
        const Vec3<double> p = ray_laws::within_box(random, half);
        if (!inside(p)) continue;
        const Vec3<double> local = transpose_mul(d.geom_xmat[0], Vec3<double>(p - d.geom_xpos[0]));
        far = std::max(far, norm(local));
        for (int k = 0; k < 3; ++k) most[k] = std::max(most[k], std::abs(local[k]));
    }
    CHECK(far <= m.geom_rbound[0]);
    CHECK(far >= 0.65 * m.geom_rbound[0]);  // of a field it is that of the box
    if (!is_ground(m.geom_type[0]))
        for (int k = 0; k < 3; ++k) {
            CHECK(most[k] <= m.geom_size[0][k] * (1 + 1e-6));
            CHECK(most[k] >= 0.8 * m.geom_size[0][k]);
        }
}

}  // namespace

TEST_CASE("A ray meets a plane from above, within its rectangle if it has one", "[collision][shape]") {
    for (const double half : {0.0, 0.5}) {
        const auto m = load_model_string("<mujoco><worldbody><geom type='plane' size='" + std::to_string(half) + ' ' +
                                         std::to_string(half) + " 1'/></worldbody></mujoco>");
        CHECK(is_endless(m.geom_type[0]));
        shapes::Random random(3);
        const auto check = [&]<class S>(S) {
            const auto shoot = shooter<S>(m);
            for (int i = 0; i < 200; ++i) {
                const Vec3<double> p = shapes::vector(random, 1), v = direction(random);
                const auto wide = [](const Vec3<double>& x) { return Vec3<S>::from(plain_vec<value_t<S>>(x)); };
                const SurfaceHit<S> hit = shoot(wide(p), wide(v));
                const double expected = -p[2] / v[2], x = p[0] + expected * v[0], y = p[1] + expected * v[1];
                const bool met = p[2] > 0 && v[2] < 0 && (half == 0 || (std::abs(x) < half && std::abs(y) < half));
                for (int k = 0; k < lanes_v<S>; ++k) {
                    const double found = static_cast<double>(lane(hit.x, k));
                    CHECK(found == Approx(met ? expected : -1).epsilon(10 * static_cast<double>(epsilon_v<S>)));
                    for (int c = 0; c < 3; ++c) CHECK(lane(hit.normal[c], k) == (met && c == 2 ? 1 : 0));
                }
                const auto in = inside_shape(m, Plane::type, Vec3<value_t<S>>::zero(), Vec3<S>::zero(), Mat3<S>::identity(), wide(p));
                CHECK(lane(in, 0) == (p[2] < 0));
            }
        };
        check(double{});
        check(float{});
        check(pack<double>{});
    }
}

namespace {

// A bar along x with another along y at its end: an L, 0.1 thick. Two of its twelve corners are in the notch.
const double profile[6][2] = {{-0.3, -0.2}, {0.3, -0.2}, {0.3, -0.1}, {-0.2, -0.1}, {-0.2, 0.2}, {-0.3, 0.2}};
const Vec3<double> angle_half{{0.3, 0.2, 0.05}};
bool inside_angle(const Vec3<double>& p) {
    return std::abs(p[0]) < 0.3 && std::abs(p[1]) < 0.2 && std::abs(p[2]) < 0.05 && (p[0] < -0.2 || p[1] < -0.1);
}
Vec3<double> angle_corner(int k) { return {{profile[k % 6][0], profile[k % 6][1], k < 6 ? -0.05 : 0.05}}; }

Model<double> angle_model(const char* inertia) {
    std::string vertices, faces;
    for (int k = 0; k < 12; ++k)
        for (int i = 0; i < 3; ++i) vertices += std::to_string(angle_corner(k)[i]) + ' ';
    const int caps[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};  // counter-clockwise seen from +z
    const auto face = [&](int a, int b, int c) { faces += std::to_string(a) + ' ' + std::to_string(b) + ' ' + std::to_string(c) + ' '; };
    for (const auto& cap : caps) {
        face(cap[0], cap[2], cap[1]);
        face(6 + cap[0], 6 + cap[1], 6 + cap[2]);
    }
    for (int k = 0; k < 6; ++k) {
        const int next = (k + 1) % 6;
        face(k, next, 6 + next);
        face(k, 6 + next, 6 + k);
    }
    return load_model_string("<mujoco><asset><mesh name='angle' inertia='" + std::string(inertia) + "' vertex='" + vertices + "' face='" +
                             faces +
                             "'/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='angle'/></body></worldbody></mujoco>");
}

// Mass and inertia of body 1 about its centre, in the world's axes, against those of points spread over it.
void check_mass(const Model<double>& m, double mass, const std::vector<Vec3<double>>& points) {
    const double count = static_cast<double>(points.size()), error = 3 / std::sqrt(count);
    Vec3<double> centre = Vec3<double>::zero();
    for (const Vec3<double>& p : points) centre += p * (1 / count);
    Mat3<double> spread{};
    double size = 0;
    for (const Vec3<double>& p : points) {
        const Vec3<double> r = p - centre;
        size += dot(r, r) * mass / count;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) spread[3 * i + j] += ((i == j ? dot(r, r) : 0) - r[i] * r[j]) * mass / count;
    }
    CHECK(m.body_mass[1] == Approx(mass).epsilon(error));
    const Mat3<double> turn = to_mat3(m.body_iquat[1]);
    for (int i = 0; i < 3; ++i) {
        CHECK(std::abs(m.body_ipos[1][i] - centre[i]) < error * norm(angle_half));
        for (int j = 0; j < 3; ++j) {
            double found = 0;
            for (int k = 0; k < 3; ++k) found += turn[3 * i + k] * m.body_inertia[1][k] * turn[3 * j + k];
            CHECK(std::abs(found - spread[3 * i + j]) < error * size);
        }
    }
}

}  // namespace

TEST_CASE("A mesh with a notch is met by rays where its surface is", "[collision][shape]") {
    const auto m = angle_model("exact");
    check_all_rays(m, angle_half, inside_angle);
    check_bounds(m, angle_half, inside_angle);
}

TEST_CASE("The support points of a mesh are the furthest of its corners", "[collision][shape]") {
    const auto m = angle_model("exact");
    Data<double, Model<double>> d(m);
    reset(m, d);
    kinematics(m, d);
    const auto check = [&]<class T>(T, double error) {
        const OwnGeom<T> place{plain_vec<T>(d.geom_xpos[0]), plain_mat<T>(d.geom_xmat[0]), plain_vec<T>(m.geom_size[0])};
        const auto own = cast<T, all_joints>(m);
        REQUIRE(Mesh::climbs(own, 0));
        ConvexObject<T> object = convex_object<T>(own, 0, place.view(), T(0));
        shapes::Random random(4);
        for (int i = 0; i < 300; ++i) {
            const Vec3<double> n = direction(random);
            double reach = -1;
            for (int k = 0; k < 12; ++k) reach = std::max(reach, dot(n, angle_corner(k)));
            Point<T> furthest;
            support(own, object, plain_vec<T>(n), furthest);
            CHECK(std::abs(dot(n, plain_vec<double>(Vec3<T>(furthest))) - reach) < error);
        }
    };
    check(double{}, 1e-6);  // vertices are kept in float
    check(float{}, 1e-6);
}

TEST_CASE("Mass and inertia of a mesh, solid and shell, are those of random points", "[collision][shape]") {
    shapes::Random random(5);
    std::vector<Vec3<double>> solid, shell;
    while (solid.size() < 200000) {
        const Vec3<double> p = ray_laws::within_box(random, angle_half);
        if (inside_angle(p)) solid.push_back(p);
    }
    check_mass(angle_model("exact"), 1000 * 0.1 * (0.6 * 0.1 + 0.1 * 0.3), solid);

    // its sides by their lengths, and both ends
    const double around = 2 * (0.6 + 0.4), sides = 0.1 * around, ends = 2 * (0.6 * 0.1 + 0.1 * 0.3);
    while (shell.size() < 200000) {
        if (shapes::uniform(random, 0, sides + ends) < ends) {
            Vec3<double> p = ray_laws::within_box(random, angle_half);
            while (!inside_angle(p)) p = ray_laws::within_box(random, angle_half);
            p[2] = p[2] < 0 ? -0.05 : 0.05;
            shell.push_back(p);
            continue;
        }
        double at = shapes::uniform(random, 0, around);
        for (int k = 0; k < 6; ++k) {
            const Vec3<double> a = angle_corner(k), b = angle_corner((k + 1) % 6);
            const double length = norm(Vec3<double>(b - a));
            if (at > length) {
                at -= length;
                continue;
            }
            Vec3<double> p = a + (b - a) * (at / length);
            p[2] = shapes::uniform(random, -0.05, 0.05);
            shell.push_back(p);
            break;
        }
    }
    check_mass(angle_model("shell"), 1000 * (sides + ends), shell);
}

TEST_CASE("The field of a ring is met by rays where its surface is", "[collision][shape]") {
    const double ring = 0.3, tube = 0.1;
    Spec spec;
    spec.world.add_geom({.type = shape::sdf, .sdf = "torus", .sdf_params = {ring, tube}});
    const auto inside = [&](const Vec3<double>& p) { return std::hypot(std::hypot(p[0], p[1]) - ring, p[2]) < tube; };
    const Vec3<double> half{{ring + tube, ring + tube, tube}};
    const Model<double> m = compile_spec(spec);
    // Rays go on by the distance, forty times at most as in MuJoCo: one that comes at the surface flat does not get there.
    const auto steep = [&](const Vec3<double>& from, const Vec3<double>& along) {
        const Vec3<double> way = normalize(along);
        for (double x = 0; x < 3; x += 1e-3) {
            const Vec3<double> p = from + way * x;
            const double out = std::hypot(p[0], p[1]), across = out - ring, length = std::hypot(across, p[2]);
            const Vec3<double> normal{{across * p[0] / (out * length), across * p[1] / (out * length), p[2] / length}};
            if (std::abs(length - tube) < 2e-3) return std::abs(dot(normal, way)) > 0.5;
        }
        return true;
    };
    check_all_rays(m, half, inside, steep);
    check_bounds(m, half, inside);
}

TEST_CASE("A height field is met by rays on its surface, its walls and its bottom", "[collision][shape]") {
    const auto m = load_model_string(R"(<mujoco><asset><hfield name='field' nrow='4' ncol='5' size='0.5 0.4 0.3 0.1'
        elevation='0.2 0.9 0.1 0.4 1  0.3 0 0.5 0.8 0.2  1 0.6 0.3 0.7 0.5  0.1 0.4 0.9 0.2 0.6'/></asset>
        <worldbody><geom type='hfield' hfield='field'/></worldbody></mujoco>)");
    const double x = 0.5, y = 0.4, top = 0.3, base = 0.1;
    // cells are cut along the diagonal from their lower left corner
    const auto inside = [&](const Vec3<double>& p) {
        if (!(std::abs(p[0]) < x && std::abs(p[1]) < y && p[2] > -base)) return false;
        const double across = (p[0] + x) / (2 * x / 4), along = (p[1] + y) / (2 * y / 3);
        const int c = std::min(3, static_cast<int>(across)), r = std::min(2, static_cast<int>(along));
        const auto height = [&](int row, int column) { return top * static_cast<double>(m.hfield_data[row * 5 + column]); };
        const double u = across - c, v = along - r, low = height(r, c), high = height(r + 1, c + 1);
        const double surface = u > v ? low + u * (height(r, c + 1) - low) + v * (high - height(r, c + 1))
                                     : low + v * (height(r + 1, c) - low) + u * (high - height(r + 1, c));
        return p[2] < surface;
    };
    const Vec3<double> half{{x, y, top}};
    // one that starts inside may meet the top of the box below the heights, as in MuJoCo
    check_all_rays(m, half, inside, [&](const Vec3<double>& from, const Vec3<double>&) { return !inside(from); });
    check_bounds(m, half, inside);
}
