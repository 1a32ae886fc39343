// The broad phase against testing every pair.
#include "catch.hpp"
#include "collision/scene.hpp"
#include "mjx/scalar/pack.hpp"

#include <limits>
#include <set>

using namespace shapes;

namespace {

// A heap of closed-form geoms of very different sizes above a plane, some fixed to the world.
Scene heap(int count, unsigned seed) {
    Random random(seed);
    Scene scene;
    scene.add_geom(0, shape::plane, {{{0, 0, -1}}, Mat3<double>::identity(), {{0, 0, 1}}});
    const int types[] = {shape::sphere, shape::capsule, shape::box};
    for (int i = 0; i < count; ++i) {
        auto s = any_shape(random, 1.2);
        const double scale = i % 50 == 0 ? 2 : 0.3;
        for (int k = 0; k < 3; ++k) s.size[k] *= scale;
        // fixed geoms hang on bodies of their own
        const int body = scene.add_body(0, i % 7 == 0 ? 0 : 6);
        const int type = i % 7 == 0 ? shape::sphere : types[i % 3 == 2 ? 2 : i % 2];
        const int g = scene.add_geom(body, type, s);
        scene.m.geom_margin[g] = i % 5 == 0 ? 0.02 : 0;
        scene.m.geom_gap[g] = i % 11 == 0 ? 0.03 : 0;
        if (i % 13 == 0) scene.m.geom_contype[g] = scene.m.geom_conaffinity[g] = 0;
    }
    return scene;
}

struct Item {
    int geom1, geom2, number;
    double dist;
    auto operator<=>(const Item&) const = default;
};

template <class D>
std::set<Item> contacts(const D& d, int k) {
    std::set<Item> out;
    for (int c = 0; c < d.ncon; ++c) {
        if (!lane(d.contact[c].active, k)) continue;
        Item item{d.contact[c].geom1, d.contact[c].geom2, 0, static_cast<double>(lane(d.contact[c].dist, k))};
        while (out.count(item)) ++item.number;
        out.insert(item);
    }
    return out;
}

using M = Model<double>;

// Contacts are those of every listed pair looked at closely, in the same order; how many there are.
int check_every_pair(const Scene& scene) {
    Data<double, M> d(scene.m), every(scene.m);
    scene.place(d);
    scene.place(every);
    collision(scene.m, d);
    make_bounds(scene.m, every);
    for (int i = 0; i < scene.m.ncand; ++i)
        collide_near(scene.m, every, no_hooks{}, scene.m.cand_geom1[i], scene.m.cand_geom2[i], -1, true);
    REQUIRE(d.ncon == every.ncon);
    for (int c = 0; c < d.ncon; ++c) {
        CHECK(d.contact[c].geom1 == every.contact[c].geom1);
        CHECK(d.contact[c].geom2 == every.contact[c].geom2);
        CHECK(d.contact[c].dist == every.contact[c].dist);
    }
    return d.ncon;
}

}  // namespace

TEST_CASE("The broad phase finds the contacts that testing every pair finds", "[collision]") {
    for (unsigned seed = 1; seed < 6; ++seed) {
        Scene all = heap(300, seed), tree = all;
        all.finish(false);
        tree.finish(true);
        Data<double, M> d_all(all.m), d_tree(tree.m);
        all.place(d_all);
        tree.place(d_tree);
        collision(all.m, d_all);
        collision(tree.m, d_tree);
        CHECK(d_all.ncon > 300);
        CHECK(contacts(d_all, 0) == contacts(d_tree, 0));
    }
}

TEST_CASE("The broad phase of a pack gives each lane the contacts of its own environment", "[collision]") {
    using S = pack<double>;
    Scene scene = heap(200, 9);
    scene.finish(true);
    Data<S, M> d(scene.m);
    scene.place(d);
    Random random(10);
    for (int g = 1; g < scene.m.ngeom; ++g)
        for (int k = 0; k < lanes_v<S>; ++k)
            for (int i = 0; i < 3; ++i) set_lane(d.geom_xpos[g][i], k, lane(d.geom_xpos[g][i], k) + k * uniform(random, -0.3, 0.3));
    collision(scene.m, d);
    for (int k = 0; k < lanes_v<S>; ++k) {
        Data<double, M> alone(scene.m);
        for (int g = 0; g < scene.m.ngeom; ++g) {
            alone.geom_xpos[g] = lane(d.geom_xpos[g], k);
            alone.geom_xmat[g] = lane(d.geom_xmat[g], k);
        }
        collision(scene.m, alone);
        CHECK(contacts(alone, 0) == contacts(d, k));
    }
}

TEST_CASE("Boxes around bodies and geoms spare pairs, but no contact and not their order", "[collision]") {
    const int each = GENERATE(10, 3);  // geoms of a body: many pairs, and few
    Random random(4);
    Scene scene;
    scene.add_geom(0, shape::plane, {{{0, 0, -1}}, Mat3<double>::identity(), {{0, 0, 1}}});
    const int types[] = {shape::box, shape::capsule, shape::sphere};
    for (int b = 0; b < 8; ++b) {
        const int body = scene.add_body(0, 6);
        const Vec3<double> middle = any_shape(random, 0.4).pos;
        for (int i = 0; i < each; ++i) {
            auto s = any_shape(random, 0.6);
            s.pos += middle;
            for (int k = 0; k < 3; ++k) s.size[k] *= 0.3;
            const int type = types[(b + i) % 3], g = scene.add_geom(body, type, s);
            scene.m.geom_margin[g] = i % 3 == 0 && type != shape::box ? 0.02 : 0;
        }
    }
    scene.finish(false);
    CHECK(skips_bodies(scene.m) == (each == 10));
    CHECK(boxes_spheres<double>(scene.m));
    CHECK(check_every_pair(scene) > (each == 10 ? 50 : 4));
}

TEST_CASE("Boxes around rods spare pairs, but no contact and not their order", "[collision]") {
    int found = 0;
    for (unsigned seed = 1; seed < 6; ++seed) {
        Random random(seed);
        Scene scene;
        scene.add_geom(0, shape::plane, {{{0, 0, -0.3}}, Mat3<double>::identity(), {{0, 0, 1}}});
        for (int i = 0; i < 20; ++i) {
            auto s = any_shape(random, 0.5);
            s.size = {{0.02, i % 4 == 0 ? 0.01 : 0.4, 0}};
            const int g = scene.add_free_geom(shape::capsule, s);
            CHECK(is_slender(scene.m, g) == (i % 4 != 0));
        }
        scene.finish(false);
        REQUIRE_FALSE(skips_bodies(scene.m));
        found += check_every_pair(scene);
    }
    CHECK(found > 20);
}

TEST_CASE("The box of a rod holds its farthest points and little more", "[collision]") {
    Random random(7);
    for (int i = 0; i < 200; ++i) {
        Scene scene;
        auto s = any_shape(random, 3);
        s.size = {{0.02 + 0.001 * i, 0.4, 0}};
        const int g = scene.add_free_geom(shape::capsule, s);
        scene.m.geom_rbound[g] = Capsule::radius(s.size);
        scene.finish(false);
        Data<double, M> d(scene.m);
        scene.place(d);
        make_bounds(scene.m, d);
        REQUIRE(is_rod(scene.m.geom_type[g]));
        const NearBox box = box_in_bound(scene.m, d, g);
        for (int k = 0; k < 3; ++k) {
            const double reach = s.size[0] + s.size[1] * std::abs(d.geom_xmat[g][3 * k + 2]), x = d.geom_xpos[g][k];
            for (const double room : {x - reach - static_cast<double>(box.low[k]), -x - reach - static_cast<double>(box.minus_high[k])}) {
                CHECK(room >= 0);
                CHECK(room < 1e-4);
            }
        }
    }
}

TEST_CASE("A broken pose leaves the contacts of the other geoms alone", "[collision]") {
    Scene scene = heap(100, 3);
    scene.finish(true);
    Data<double, M> d(scene.m);
    scene.place(d);
    collision(scene.m, d);
    const auto before = contacts(d, 0);
    const int broken = 8;
    d.geom_xpos[broken][1] = std::numeric_limits<double>::quiet_NaN();
    collision(scene.m, d);
    std::set<Item> expected;
    for (const Item& c : before)
        if (c.geom1 != broken && c.geom2 != broken) expected.insert(c);
    CHECK(contacts(d, 0) == expected);
}

TEST_CASE("Coincident geoms and a single geom do not trouble the broad phase", "[collision]") {
    Scene scene;
    for (int i = 0; i < 40; ++i) scene.add_free_geom(shape::sphere, {{{0, 0, 0}}, Mat3<double>::identity(), {{0.1, 0, 0}}});
    scene.finish(true);
    Data<double, M> d(scene.m);
    scene.place(d);
    collision(scene.m, d);
    CHECK(d.ncon == 40 * 39 / 2);

    Scene one;
    one.add_free_geom(shape::sphere, {{{0, 0, 0}}, Mat3<double>::identity(), {{0.1, 0, 0}}});
    one.finish(true);
    Data<double, M> d1(one.m);
    one.place(d1);
    collision(one.m, d1);
    CHECK(d1.ncon == 0);
}

TEST_CASE("Contacts beyond the capacity are dropped and counted", "[collision]") {
    Scene scene;
    for (int i = 0; i < 10; ++i) scene.add_free_geom(shape::sphere, {{{0, 0, 0}}, Mat3<double>::identity(), {{0.1, 0, 0}}});
    scene.finish(false);
    scene.m.nconmax = 20;
    Data<pack<float>, M> d(scene.m);
    scene.place(d);
    set_lane(d.geom_xpos[0][0], 1, 5.f);  // lane 1: geom 0 is away
    collision(scene.m, d);
    CHECK(d.ncon == 20);
    constexpr int lanes = lanes_v<pack<float>>;
    CHECK(d.warning[warning::contactfull * lanes] == 45 - 20);
    CHECK(d.warning[warning::contactfull * lanes + 1] == 36 - (20 - 9));
}
