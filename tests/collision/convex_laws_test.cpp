// Laws of the convex collider over random poses: rigid motion, exchange, separation along the normal, continuity, closed forms.
#include "catch.hpp"
#include "collision/convex_scene.hpp"

using namespace convex_scene;

namespace {

#ifndef MJX_RANDOM_POSES
#define MJX_RANDOM_POSES 300
#endif
constexpr int poses = MJX_RANDOM_POSES;

// Calls law(geom1, geom2, a, b) for random poses of every pair of convex geoms; the law returns how far it is from holding.
template <class Law>
void for_convex_pairs(double tolerance, int tolerated, Law&& law) {
    Random random(5);
    for (int g1 = sphere; g1 < count; ++g1)
        for (int g2 = g1; g2 < count; ++g2) {
            if (!is_convex_pair(g1, g2)) continue;
            INFO("geoms " << g1 << " and " << g2);
            int broken = 0;
            double worst = 0;
            for (int i = 0; i < poses; ++i) {
                const double error = law(g1, g2, shape_at(g1, vector(random, 0.05), rotation(random)), shape_at(g2, vector(random, 0.2), rotation(random)), random);
                worst = std::max(worst, error);
                broken += !(error <= tolerance);
            }
            INFO("worst " << worst);
            CHECK(broken <= tolerated);
        }
}

// The deepest point alone, as EPA finds it: the patch of two faces measures along their normals instead.
struct Deepest {
    double dist = 0;
    Vec3<double> normal{};
};
Deepest deepest(int g1, int g2, const OwnShape<double>& a, const OwnShape<double>& b) {
    ConvexQuery<double> q;
    q.max_iterations = 200;  // curved shapes need them to converge
    auto o1 = convex_object<double>(model(), g1, a, 0.0), o2 = convex_object<double>(model(), g2, b, 0.0);
    const double dist = convex_query(model(), q, o1, o2);
    if (!(dist < 0)) return {};
    return {dist, normalize(Vec3<double>(q.x1[0] - q.x2[0]))};
}

}  // namespace

TEST_CASE("Moving both convex geoms rigidly does not change how deep they are", "[collision]") {
    for_convex_pairs(2e-6, 0, [](int g1, int g2, const auto& a, const auto& b, Random& random) {
        const Mat3<double> r = rotation(random);
        const Vec3<double> t = vector(random, 1);
        return std::abs(depth(collide(g1, g2, a, b, 0.01), 0.01) - depth(collide(g1, g2, moved(a, r, t), moved(b, r, t), 0.01), 0.01));
    });
}

TEST_CASE("Two convex geoms of one type are as deep in each other when they are exchanged", "[collision]") {
    for_convex_pairs(2e-6, 0, [](int g1, int g2, const auto& a, const auto& b, Random&) {
        if (model().geom_type[g1] != model().geom_type[g2]) return 0.0;
        return std::abs(deepest(g1, g2, a, b).dist - deepest(g2, g1, b, a).dist);
    });
}

TEST_CASE("Moving a convex geom out along the normal by the depth separates the pair", "[collision]") {
    for_convex_pairs(2e-4, poses / 300, [](int g1, int g2, const auto& a, const auto& b, Random&) {
        const Deepest found = deepest(g1, g2, a, b);
        auto moved_out = b;
        moved_out.pos -= found.normal * found.dist;
        return -deepest(g1, g2, a, moved_out).dist;
    });
}

TEST_CASE("Along a path the depth of convex geoms changes no faster than they move", "[collision]") {
    for_convex_pairs(5e-5, poses / 300, [](int g1, int g2, const auto& a, const auto& b, Random& random) {
        const Vec3<double> step = vector(random, 0.01);
        auto next = b;
        next.pos += step;
        const double change = std::abs(deepest(g1, g2, a, b).dist - deepest(g1, g2, a, next).dist);
        return std::max(0.0, change - norm(step));
    });
}

TEST_CASE("Convex geoms are as deep in float as in double", "[collision]") {
    for_convex_pairs(5e-5, poses / 100, [](int g1, int g2, const auto& a, const auto& b, Random&) {
        const double wide = depth(collide(g1, g2, a, b, 0), 0), narrow = static_cast<double>(depth(collide(g1, g2, to<float>(a), to<float>(b), 0), 0));
        return std::max(0.0, std::abs(wide - narrow) + 0.02 * wide);  // deep in curved shapes EPA stops at rounding
    });
}

TEST_CASE("GJK and EPA agree with the closed forms", "[collision]") {
    Random random(6);
    for (const Pair& p : closed_forms) {
        if (p.type1 == shape::plane) continue;
        INFO(p.name);
        const int g1 = p.type1, g2 = p.type2;  // the scene's geoms are in the order of the types
        double worst = 0;
        for (int i = 0; i < poses; ++i) {
            const auto a = shape_at(g1, vector(random, 0.05), rotation(random)), b = shape_at(g2, vector(random, 0.2), rotation(random));
            const double closed = depth(shapes::collide(p, a, b, 0), 0), iterated = depth(convex_scene::collide(g1, g2, a, b, 0), 0);
            // box-box may report a point less deep than the least translation, and capsules deep in a box an end
            if (closed < -0.02) continue;
            worst = std::max(worst, std::abs(closed - iterated));
        }
        CHECK(worst < 1e-5);
    }
}

TEST_CASE("A mesh of a box collides like the box", "[collision]") {
    Random random(8);
    // the mesh's frame in the frame of the box
    const Mat3<double> turn = to_mat3(model().geom_quat[cube]);
    double worst = 0;
    int compared = 0;
    for (int i = 0; i < poses; ++i) {
        for (const int other : {ellipsoid, cylinder}) {
            const auto a = shape_at(other, vector(random, 0.05), rotation(random)), b = shape_at(box, vector(random, 0.2), rotation(random));
            const auto mesh = shape_at(cube, b.pos, b.mat * turn);
            worst = std::max(worst, std::abs(depth(collide(other, box, a, b, 0), 0) - depth(collide(other, cube, a, mesh, 0), 0)));
            ++compared;
        }
    }
    CHECK(compared > 0);
    CHECK(worst < 2e-6);
}
