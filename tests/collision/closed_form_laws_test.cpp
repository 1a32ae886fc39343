// Laws of the closed-form collisions over random pairs: what must hold whatever the shapes.
#include "catch.hpp"
#include "collision/shapes.hpp"

#include <algorithm>

using namespace shapes;

namespace {

constexpr int samples = 100000;

// Distances in ascending order.
template <class S>
std::vector<double> distances(const Found<S>& found) {
    std::vector<double> d;
    for (int i = 0; i < found.count; ++i) d.push_back(static_cast<double>(found.point[i].dist));
    std::sort(d.begin(), d.end());
    return d;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return 1e9;
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
}

// Deep inside each other capsules, boxes and their like have several equally good answers and jump between them.
bool shallow(const Pair& p, double dist) { return dist > -0.04 || p.type1 == shape::plane || p.type1 == shape::sphere; }

}  // namespace

TEST_CASE("Normals are unit vectors and points lie midway between the surfaces", "[collision]") {
    Random random(1);
    for (const Pair& p : closed_forms) {
        INFO(p.name);
        double worst_length = 0, worst_surface = 0;
        for (int n = 0; n < samples; ++n) {
            const auto a = any_shape(random, 0.6), b = any_shape(random, 0.6);
            const double margin = uniform(random, 0, 0.2);
            const auto found = collide(p, a, b, margin);
            for (int i = 0; i < found.count; ++i) {
                const auto& c = found.point[i];
                worst_length = std::max(worst_length, std::abs(norm(c.normal) - 1));
                // the end of the segment on a plane or a sphere is on its surface
                const Vec3<double> end = c.pos - c.normal * (0.5 * c.dist) - a.pos;
                if (p.type1 == shape::plane) worst_surface = std::max(worst_surface, std::abs(dot(end, a.mat.column(2))));
                if (p.type1 == shape::sphere) worst_surface = std::max(worst_surface, std::abs(norm(end) - a.size[0]));
                if (c.dist > margin + 1e-12) worst_surface = 1;
            }
        }
        CHECK(worst_length < 1e-12);
        CHECK(worst_surface < 1e-12);
    }
}

TEST_CASE("Swapping two geoms of one type turns the normals round and keeps the distances", "[collision]") {
    Random random(2);
    for (const Pair& p : closed_forms) {
        if (p.type1 != p.type2) continue;
        INFO(p.name);
        double worst = 0, normals = 0;
        int contacts = 0;
        for (int n = 0; n < samples; ++n) {
            const auto a = any_shape(random, 0.5), b = any_shape(random, 0.5);
            const auto one = collide(p, a, b, 0.05), two = collide(p, b, a, 0.05);
            worst = std::max(worst, difference(distances(one), distances(two)));
            contacts += one.count;
            if (one.count == two.count && one.count > 0)
                normals = std::max(normals, norm(Vec3<double>(one.point[0].normal + two.point[0].normal)));
        }
        CHECK(contacts > samples / 10);
        CHECK(worst < 1e-9);
        CHECK(normals < 1e-6);  // crossing segments have a normal as uncertain as their distance is small
    }
}

TEST_CASE("Moving both geoms together moves the contacts with them", "[collision]") {
    Random random(3);
    for (const Pair& p : closed_forms) {
        INFO(p.name);
        double worst = 0, worst_pos = 0;
        int contacts = 0;
        for (int n = 0; n < samples; ++n) {
            const auto a = any_shape(random, 0.6), b = any_shape(random, 0.6);
            const auto r = rotation(random);
            const auto t = vector(random, 2);
            const auto one = collide(p, a, b, 0.05), two = collide(p, moved(a, r, t), moved(b, r, t), 0.05);
            worst = std::max(worst, difference(distances(one), distances(two)));
            contacts += one.count;
            if (one.count != two.count) continue;
            for (int i = 0; i < one.count; ++i)
                worst_pos = std::max(worst_pos, norm(Vec3<double>(r * one.point[i].pos + t - two.point[i].pos)));
        }
        CHECK(contacts > samples / 10);
        CHECK(worst < 1e-9);
        CHECK(worst_pos < 1e-6);
    }
}

TEST_CASE("The depth changes no faster than the geoms move", "[collision]") {
    Random random(4);
    const double margin = 0.5, step = 1e-5;
    for (const Pair& p : closed_forms) {
        INFO(p.name);
        double worst = 0;
        for (int n = 0; n < samples / 20; ++n) {
            const auto a = any_shape(random, 0.6);
            auto b = any_shape(random, 0.6);
            const auto way = vector(random, 1);
            double before = depth(collide(p, a, b, margin), margin);
            for (int k = 0; k < 20; ++k) {
                b.pos += way * step;
                const double now = depth(collide(p, a, b, margin), margin);
                // box-box prefers a face to an edge that is up to 5 % better
                const double slack = p.type1 == shape::box ? 0.06 * std::abs(before) : 0;
                if (before < margin && now < margin && shallow(p, before) && before < 0.02)
                    worst = std::max(worst, std::abs(now - before) - slack - norm(way) * step);
                before = now;
            }
        }
        CHECK(worst < 1e-9);
    }
}

TEST_CASE("Float finds the depth that double finds", "[collision]") {
    Random random(5);
    for (const Pair& p : closed_forms) {
        INFO(p.name);
        double worst = 0;
        for (int n = 0; n < samples; ++n) {
            const auto a = any_shape(random, 0.5), b = any_shape(random, 0.5);
            const double exact = depth(collide(p, a, b, 0.1), 0.1);
            const double single = static_cast<double>(depth(collide(p, to<float>(a), to<float>(b), 0.1), 0.1));
            const double slack = p.type1 == shape::box ? 0.06 * std::abs(exact) : 0;
            if (shallow(p, exact)) worst = std::max(worst, std::abs(exact - single) - slack);
        }
        CHECK(worst < 2e-5);
    }
}
