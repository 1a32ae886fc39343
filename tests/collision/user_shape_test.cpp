// A shape of the user's own, known by its support function: it collides, is met by rays, has mass, and all that in every scalar.
#include "catch.hpp"
#include "collision/rounded_box.hpp"
#include "collision/shapes.hpp"
#include "load.hpp"
#include "mjx/collision/collision.hpp"
#include "mjx/collision/distance.hpp"
#include "mjx/collision/ray.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/stage/kinematics.hpp"

using namespace rounded;

namespace {

const Vec3<double> half{{0.1, 0.15, 0.2}};

// A free geom of the type against a partner that stands in the world.
Spec pair_spec(int type, const SpecGeom& partner) {
    Spec spec;
    spec.option.ccd_tolerance = 1e-11;
    spec.option.ccd_iterations = 200;
    spec.add_mesh({.name = "wedge", .vert = {-0.2f, -0.3f, -0.2f, 0.2f, -0.3f, -0.2f, 0, 0.3f, -0.2f, 0, 0, 0.25f}});
    spec.world.add_geom(partner);
    auto& body = spec.world.add_body({.name = "body"});
    body.add_joint({.type = jnt::free});
    body.add_geom({.type = type, .size = half});
    return spec;
}
SpecGeom partner(int type) {
    SpecGeom g{.type = type, .size = {0.25, 0.2, 0.3}};
    if (type == shape::mesh) g.mesh = "wedge";
    return g;
}

struct Place {
    Vec3<double> pos;
    Quat<double> quat;

    // Shifted along (k < 3) or turned about an axis of the world.
    Place shifted(int k, double by) const {
        Place r = *this;
        Vec3<double> turn = Vec3<double>::zero();
        if (k < 3) r.pos[k] += by;
        if (k >= 3) turn[k - 3] = by;
        r.quat = exp_quat(turn) * quat;
        return r;
    }
};
Place any_pose(shapes::Random& random, double spread) {
    std::normal_distribution<double> normal;
    return {shapes::vector(random, spread), normalize(Quat<double>{{normal(random), normal(random), normal(random), normal(random)}})};
}

template <class D>
void set_pose(D& d, const Place& at) {
    using S = typename D::scalar;
    for (int i = 0; i < 3; ++i) d.qpos[i] = S(static_cast<value_t<S>>(at.pos[i]));
    for (int i = 0; i < 4; ++i) d.qpos[3 + i] = S(static_cast<value_t<S>>(at.quat[i]));
}

// The numbers of the deepest contact: distance, position, normal from the partner to the body.
template <class S, class Model>
Vec<S, 7> deepest(const Model& m, Data<S, Model>& d) {
    kinematics(m, d);
    collision(m, d);
    Vec<S, 7> r = Vec<S, 7>::zero();
    int best = -1;
    for (int i = 0; i < d.ncon; ++i)
        if (best < 0 || value_of(d.contact[i].dist) < value_of(d.contact[best].dist)) best = i;
    if (best < 0) return r;
    const auto& c = d.contact[best];
    const double sign = m.geom_bodyid[c.geom1] == 0 ? 1 : -1;
    r[0] = c.dist;
    for (int k = 0; k < 3; ++k) {
        r[1 + k] = c.pos[k];
        r[4 + k] = c.frame[k] * static_cast<value_t<S>>(sign);
    }
    return r;
}

}  // namespace

// The distance between the box inside and the partner, less the radius: by GJK apart, by EPA where only the rounding overlaps.
TEST_CASE("Its distances and normals are those of the box inside, less the radius", "[collision]") {
    shapes::Random random(1);
    for (const int type : {int(RoundedBox::type), int(GrownBox::type)})
        for (const int other : {int(shape::sphere), int(shape::capsule), int(shape::box), int(shape::mesh)}) {
            CAPTURE(type, other);
            const M m = compile<RoundedBox, GrownBox>(pair_spec(type, partner(other)));
            const Model<double> core = compile_spec(pair_spec(shape::box, partner(other)));
            Data<double, M> d(m);
            Data<double, Model<double>> d_core(core);
            int overlaps = 0;
            for (int i = 0; i < 60; ++i) {
                const Place at = any_pose(random, 0.5);
                set_pose(d, at);
                set_pose(d_core, at);
                const auto found = deepest(m, d);
                kinematics(core, d_core);
                const auto expected = geom_distance(core, d_core, 0, 1, 10.0);
                if (expected.dist < 1e-3) continue;
                const auto apart = geom_distance(m, d, 0, 1, 10.0);
                CHECK(apart.dist == Approx(expected.dist - radius).margin(1e-7));
                const Vec3<double> normal = normalize(Vec3<double>(expected.to - expected.from));
                if (expected.dist - radius > -1e-3) continue;
                ++overlaps;
                CHECK(found[0] == Approx(expected.dist - radius).margin(2e-6));
                for (int k = 0; k < 3; ++k) CHECK(found[4 + k] == Approx(normal[k]).margin(3e-3));
            }
            CHECK(overlaps > 2);
        }
}

TEST_CASE("Two rounded boxes are as far apart as the boxes inside, less both radii", "[collision]") {
    shapes::Random random(2);
    for (const int type : {int(RoundedBox::type), int(GrownBox::type)}) {
        const M m = compile<RoundedBox, GrownBox>(pair_spec(type, partner(type)));
        const Model<double> core = compile_spec(pair_spec(shape::box, partner(shape::box)));
        Data<double, M> d(m);
        Data<double, Model<double>> d_core(core);
        for (int i = 0; i < 40; ++i) {
            const Place at = any_pose(random, 0.6);
            set_pose(d, at);
            set_pose(d_core, at);
            kinematics(m, d);
            kinematics(core, d_core);
            const double expected = geom_distance(core, d_core, 0, 1, 10.0).dist;
            if (expected > 2e-3) CHECK(geom_distance(m, d, 0, 1, 10.0).dist == Approx(expected - 2 * radius).margin(2e-6));
        }
    }
}

TEST_CASE("Rays meet its surface first where it is, and from inside", "[collision]") {
    shapes::Random random(3);
    const M m = compile<RoundedBox>(pair_spec(RoundedBox::type, partner(shape::sphere)));
    const Mat3<double> identity = Mat3<double>::identity();
    int hits = 0, inside = 0;
    for (int i = 0; i < 400; ++i) {
        const Vec3<double> origin = Vec3<double>::zero(), from = shapes::vector(random, 0.6), along = shapes::vector(random, 1);
        const auto hit = ray_shape(m, RoundedBox::type, Geom<double>{origin, identity, half}, from, along);
        double least = 1, first = -1;  // along the ray
        for (double x = 0; x < 4; x += 0.002) {
            const double at = rounded::distance(half, from + along * x);
            if (at * rounded::distance(half, from) < 0 && first < 0) first = x;
            least = std::min(least, std::abs(at));
        }
        if (hit.x < 0) {
            CHECK((first < 0 || norm(Vec3<double>(along * hit.x)) < 1e-3));
            continue;
        }
        ++hits;
        inside += rounded::distance(half, from) < 0;
        Vec3<double> normal;
        CHECK(std::abs(rounded::distance(half, from + along * hit.x, &normal)) < 1e-8);
        CHECK((first < 0 || std::abs(hit.x - first) < 0.003));
        for (int k = 0; k < 3; ++k) CHECK(hit.normal[k] == Approx(normal[k]).margin(1e-5));
    }
    CHECK(hits > 40);
    CHECK(inside > 10);
}

TEST_CASE("Its contacts move with poses and sizes as differences say", "[collision][derivative]") {
    using D = dual<double, 9>;  // by three shifts, three turns and three sizes
    shapes::Random random(4);
    for (const int other : {int(shape::plane), int(shape::sphere), int(shape::capsule), int(GrownBox::type)}) {
        CAPTURE(other);
        const M m = compile<RoundedBox, GrownBox>(pair_spec(GrownBox::type, partner(other)));
        UserModel<D> md(cast<D>(m));
        for (int k = 0; k < 3; ++k) md.geom_size[1][k] = D::variable(half[k], 6 + k);
        Data<D, UserModel<D>> dd(md);
        int checked = 0;
        for (int i = 0; i < 400 && checked < 6; ++i) {
            const Place at = any_pose(random, 0.6);
            set_pose(dd, at);
            for (int k = 0; k < 3; ++k) {
                dd.qpos[k].partial[k] = 1;
                Vec3<double> turn = Vec3<double>::zero();
                turn[k] = 0.5;
                const Quat<double> rate = Quat<double>{{0, turn[0], turn[1], turn[2]}} * at.quat;
                for (int j = 0; j < 4; ++j) dd.qpos[3 + j].partial[3 + k] = rate[j];
            }
            const auto exact = deepest(md, dd);
            if (!(value_of(exact[0]) < -1e-3) || !(value_of(exact[0]) > -0.8 * radius)) continue;
            ++checked;
            for (int by = 0; by < 9; ++by) {
                const double step = 1e-5;
                Vec<double, 7> side[2];
                for (int s = 0; s < 2; ++s) {
                    M changed = m;
                    const double change = s == 0 ? -step : step;
                    if (by >= 6) changed.geom_size[1][by - 6] += change;
                    Data<double, M> d(changed);
                    set_pose(d, by < 6 ? at.shifted(by, change) : at);
                    side[s] = deepest(changed, d);
                }
                for (int k = 0; k < 7; ++k) {
                    CAPTURE(by, k, i);
                    const double difference = (side[1][k] - side[0][k]) / (2 * step);
                    if (k == 0)
                        CHECK(exact[k].partial[by] == Approx(difference).margin(2e-3));
                    else
                        CHECK(exact[k].partial[by] == Approx(difference).margin(5e-2).epsilon(2e-2));
                }
            }
        }
        CHECK(checked > 1);
    }
}

TEST_CASE("Where a ray meets it moves as differences say", "[collision][derivative]") {
    using D = dual<double, 9>;  // by the ray's start and direction, and by three sizes
    shapes::Random random(5);
    const M m = compile<RoundedBox>(pair_spec(RoundedBox::type, partner(shape::sphere)));
    const Vec3<double> origin = Vec3<double>::zero();
    const Mat3<double> identity = Mat3<double>::identity();
    const Vec3<D> origin_d = Vec3<D>::zero();
    const Mat3<D> identity_d = Mat3<D>::identity();
    int hits = 0;
    for (int i = 0; i < 300; ++i) {
        Vec<double, 9> x;
        Vec<D, 9> v;
        for (int k = 0; k < 9; ++k) {
            x[k] = k < 6 ? shapes::uniform(random, -0.6, 0.6) : half[k - 6];
            v[k] = D::variable(x[k], k);
        }
        const auto at = [&](const Vec<double, 9>& y) {
            return ray_shape(m, RoundedBox::type, Geom<double>{origin, identity, {{y[6], y[7], y[8]}}}, Vec3<double>{{y[0], y[1], y[2]}},
                             Vec3<double>{{y[3], y[4], y[5]}});
        };
        const auto exact = ray_shape(m, RoundedBox::type, Geom<D>{origin_d, identity_d, {{v[6], v[7], v[8]}}}, Vec3<D>{{v[0], v[1], v[2]}},
                                     Vec3<D>{{v[3], v[4], v[5]}});
        if (value_of(exact.x) < 0 || std::abs(dot(plain_vec<double>(exact.normal), Vec3<double>{{x[3], x[4], x[5]}})) < 0.1) continue;
        ++hits;
        for (int k = 0; k < 9; ++k) {
            const double step = 1e-6;
            Vec<double, 9> low = x, high = x;
            low[k] -= step;
            high[k] += step;
            const auto a = at(low), b = at(high);
            CHECK(exact.x.partial[k] == Approx((b.x - a.x) / (2 * step)).margin(1e-3));
            for (int j = 0; j < 3; ++j) CHECK(exact.normal[j].partial[k] == Approx((b.normal[j] - a.normal[j]) / (2 * step)).margin(2e-2));
        }
    }
    CHECK(hits > 10);
}

TEST_CASE("Each lane of a pack has the contacts it would have alone", "[collision][lanes]") {
    using S = pack<double>;
    shapes::Random random(6);
    for (const int other : {int(shape::plane), int(shape::box), int(RoundedBox::type)}) {
        const M m = compile<RoundedBox>(pair_spec(RoundedBox::type, partner(other)));
        Data<S, M> lanes(m);
        Place at[lanes_v<S>];
        for (int k = 0; k < lanes_v<S>; ++k) {
            at[k] = any_pose(random, 0.3);
            Data<double, M> one(m);
            set_pose(one, at[k]);
            for (int i = 0; i < 7; ++i) set_lane(lanes.qpos[i], k, one.qpos[i]);
        }
        kinematics(m, lanes);
        collision(m, lanes);
        for (int k = 0; k < lanes_v<S>; ++k) {
            Data<double, M> one(m);
            set_pose(one, at[k]);
            kinematics(m, one);
            collision(m, one);
            int found = 0;
            for (int i = 0; i < lanes.ncon; ++i) {
                if (!lane(lanes.contact[i].active, k)) continue;
                REQUIRE(found < one.ncon);
                CHECK(lane(lanes.contact[i].dist, k) == one.contact[found].dist);
                for (int j = 0; j < 3; ++j) CHECK(lane(lanes.contact[i].pos[j], k) == one.contact[found].pos[j]);
                ++found;
            }
            CHECK(found == one.ncon);
        }
    }
}

TEST_CASE("Each lane of a pack has the bounds of its own size", "[collision][lanes]") {
    using S = pack<double>;
    Vec3<S> size = Vec3<S>::from(half);
    for (int k = 0; k < lanes_v<S>; ++k) set_lane(size[1], k, 0.1 * (k + 1));
    const Vec3<S> bounds = half_sizes<M::shapes>(RoundedBox::type, size);
    for (int k = 0; k < lanes_v<S>; ++k) CHECK(lane(bounds[1], k) == Approx(0.1 * (k + 1) + radius));
}

TEST_CASE("A type that nobody gave to compile is an error that says so", "[collision]") {
    CHECK_THROWS_WITH(compile_spec(pair_spec(RoundedBox::type, partner(shape::sphere))), Catch::Contains("compile<Shape>(spec)"));
}
