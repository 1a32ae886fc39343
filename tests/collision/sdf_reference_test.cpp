// Signed distance fields against what mjx did not write: MuJoCo's contacts of its own fields, closed forms of overlapping shapes, and
// the exact distance to a mesh's triangles.
#include "collision/sdf_reference.hpp"
#include "catch.hpp"
#include "collision/shapes.hpp"
#include "load.hpp"
#include "mjx/collision/convex.hpp"
#include "mjx/collision/ray.hpp"

using namespace shapes;

namespace {

// The fields' parameters that MuJoCo takes by default, and what each is searched with.
Vec6<double> parameters(int kind) {
    switch (kind) {
        case sdf_kind::torus: return {{0.35, 0.15}};
        case sdf_kind::bowl: return {{0.4, 1, 0.02}};
        case sdf_kind::gear: return {{0, 2.8, 25, 0.2, -1}};
        default: return {{0.26}};
    }
}

int add_field(Model<double>& m, int kind, const Vec6<double>& params, const Vec6<double>& box) {
    m.geom_type.push_back(shape::sdf);
    m.geom_sdf.push_back(kind);
    m.geom_sdfparam.push_back(params);
    m.geom_dataid.push_back(-1);
    m.geom_size.push_back({{box[3], box[4], box[5]}});
    m.geom_rbound.push_back(std::sqrt(box[3] * box[3] + box[4] * box[4] + box[5] * box[5]));
    m.geom_aabb.push_back(box);
    return m.geom_type.size() - 1;
}

// One geom of every shape that has a field.
Model<double> primitives() {
    return load_model_string(R"(
        <mujoco>
          <option sdf_iterations="10" sdf_initpoints="4"/>
          <worldbody>
            <geom type="sphere" size=".2"/>
            <geom type="capsule" size=".12 .3"/>
            <geom type="ellipsoid" size=".4 .25 .2"/>
            <geom type="cylinder" size=".2 .3"/>
            <geom type="box" size=".3 .2 .25"/>
          </worldbody>
        </mujoco>)");
}

OwnGeom<double> placed(const Model<double>& m, int geom, const double* pose) {
    return {{{pose[0], pose[1], pose[2]}}, to_mat3(normalize(Quat<double>{{pose[3], pose[4], pose[5], pose[6]}})), m.geom_size[geom]};
}

CollisionResult<double> collide_at(const Model<double>& m, int g1, int g2, const OwnGeom<double>& a, const OwnGeom<double>& b) {
    CollisionResult<double> out;
    collide_shapes(m, g1, g2, a.view(), b.view(), 0.0, true, out);
    return out;
}

// The nearest point of a triangle's surface by its plane and its three edges.
double triangle_distance(const Vec3<double>& p, const Vec3<double> (&v)[3]) {
    const Vec3<double> n = normalize(cross(Vec3<double>(v[1] - v[0]), Vec3<double>(v[2] - v[0])));
    bool above = true;
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        const Vec3<double> edge = v[(i + 1) % 3] - v[i], from = p - v[i];
        above = above && dot(cross(n, edge), from) >= 0;
        const double t = std::clamp(dot(from, edge) / dot(edge, edge), 0.0, 1.0);
        best = std::min(best, norm(Vec3<double>(from - edge * t)));
    }
    return above ? std::min(best, std::abs(dot(n, Vec3<double>(p - v[0])))) : best;
}

// The solid angle of a triangle (van Oosterom and Strackee 1983); over a closed surface it sums to 4 pi inside and 0 outside.
double solid_angle(const Vec3<double>& p, const Vec3<double> (&v)[3]) {
    const Vec3<double> a = v[0] - p, b = v[1] - p, c = v[2] - p;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    return 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

double mesh_distance(const Model<double>& m, int mesh, const Vec3<double>& p) {
    double distance = 1e9, angle = 0;
    for (int f = 0; f < m.mesh_facenum[mesh]; ++f) {
        Vec3<double> v[3];
        for (int k = 0; k < 3; ++k) v[k] = plain_vec<double>(m.mesh_vert[m.mesh_vertadr[mesh] + m.mesh_face[m.mesh_faceadr[mesh] + f][k]]);
        distance = std::min(distance, triangle_distance(p, v));
        angle += solid_angle(p, v);
    }
    return angle > 6 ? -distance : distance;
}

}  // namespace

// No further off than two answers of MuJoCo are from each other when its noise is another: each is off by up to the spread. A start
// comes to what the next contact is when there is one start more.
TEST_CASE("The fields of MuJoCo's plugins have MuJoCo's contacts with every shape", "[collision]") {
    auto m = primitives();
    int compared = 0;
    for (const auto& row : sdf_reference::rows) {
        INFO("field " << row.field << ", shape " << row.other << ", row " << &row - sdf_reference::rows);
        Vec6<double> box;
        for (const auto& b : sdf_reference::boxes)
            for (int k = 0; k < 6 && b.field == row.field; ++k) box[k] = b.box[k];
        const int field = add_field(m, row.field, parameters(row.field), box);
        int other = add_field(m, row.field, parameters(row.field), box);
        for (int g = 0; g < 5; ++g) other = m.geom_type[g] == row.other ? g : other;
        for (int i = 0, before = 0; i < 4; ++i) {
            m.opt.sdf_initpoints = i + 1;
            const auto found = collide_at(m, other, field, placed(m, other, row.pose), placed(m, field, row.pose + 7));
            const double* start = row.start[i];
            const bool touches = found.count > before;
            before = found.count;
            if (start[0] < 0) continue;
            CHECK(touches == (start[1] <= 0));
            if (!touches || start[1] > 0) continue;
            ++compared;
            const double tolerance = 2 * start[0] + 1e-12;  // of what is printed
            const auto& point = found.point[found.count - 1];
            CHECK(std::abs(point.dist - start[1]) <= tolerance);
            for (int k = 0; k < 3; ++k) {
                CHECK(std::abs(point.pos[k] - start[2 + k]) <= tolerance);
                CHECK(std::abs(point.normal[k] - start[5 + k]) <= tolerance);
            }
        }
    }
    CHECK(compared > 300);
}

// MuJoCo's model/plugin/sdf/gear.xml at three angles of its gears, by native 3.12. Both fields rise the same way under their common face.
TEST_CASE("Under a face that two gears have in common MuJoCo's contact is along the second one's x axis", "[collision]") {
    struct Row {
        double angle1, angle2;
        int count, which;
        double dist;
        Vec3<double> pos, normal;
    };
    const Row rows[] = {
        {-0.0918, -0.0034, 17, 3, -0.016977490, {{1.414819518, -0.399651208, 0.116977490}}, {{-0.999994220, 0.003399993, 0}}},
        {0.0427, 0.0541, 13, 0, -0.036802443, {{1.402375949, -0.154799145, 0.136802443}}, {{-0.998536952, -0.054073614, 0}}},
        {0.1254, -0.0711, 18, 4, -0.007999999, {{1.458303325, 0.332085529, 0.107999999}}, {{-0.997473460, 0.071040111, 0}}},
    };
    auto m = primitives();
    m.opt.sdf_initpoints = 20;
    m.opt.sdf_iterations = 5;
    const int first = add_field(m, sdf_kind::gear, {{0, 2.8, 25, 0.2, -1}},
                                {{-0.0017361640930175781, 0.0028562545776367188, 0, 1.5097616910934448, 1.5088486671447754, 0.1}});
    const int second = add_field(m, sdf_kind::gear, {{15, 2.8, 25, 0.2, -1}},
                                 {{-0.0015540719032287598, -0.0030424594879150391, 0, 1.509610116481781, 1.508892297744751, 0.1}});
    for (const Row& row : rows) {
        const double pose1[] = {0, 0, 0.2, std::cos(row.angle1 / 2), 0, 0, std::sin(row.angle1 / 2)};
        const double pose2[] = {2.85, 0, 0.2, std::cos(row.angle2 / 2), 0, 0, std::sin(row.angle2 / 2)};
        const auto found = collide_at(m, first, second, placed(m, first, pose1), placed(m, second, pose2));
        REQUIRE(found.count == row.count);
        const auto& point = found.point[row.which];
        CHECK(std::abs(point.dist - row.dist) < 1e-6);
        CHECK(norm(Vec3<double>(point.pos - row.pos)) < 1e-6);
        CHECK(norm(Vec3<double>(point.normal - row.normal)) < 1e-8);
    }
}

namespace {

// A sphere against one of three fields, in overlaps 0.001 to 0.05 deep.
constexpr double ball_radius = 0.2;
constexpr int starts = 40;

// How deep the two are in each other: the closed form of the shapes themselves.
double depth_of(const OwnGeom<double>& a, const OwnGeom<double>& b, int type, const Vec3<double>& size) {
    const auto exact = collide({shape::sphere, type, ""}, a, {b.pos, b.mat, size}, 0);
    return exact.count > 0 ? -exact.point[0].dist : 0;
}

// What every contact of two exact distances satisfies, and where the search ended.
template <class Field>
struct Search {
    sdf::Sphere<double> ball{ball_radius};
    Field field;
    OwnGeom<double> a, b;
    Vec6<double> box;
    SdfPair<double, sdf::Sphere<double>, Field> pair{ball, a.view(), field, b.view()};
    double deepest = 0;
    Vec3<double> normal;
    int count = 0;

    Search(const Field& f, const OwnGeom<double>& ball_at, const OwnGeom<double>& field_at, const Vec3<double>& half)
        : field(f), a(ball_at), b(field_at), box{{0, 0, 0, half[0], half[1], half[2]}} {}
    double value(const Vec3<double>& x) const { return std::max(pair.at(x, false).a, pair.at(x, false).b); }

    void run(bool ours, int iterations) {
        CollisionResult<double> contacts;
        SdfPoints<double> found;
        sdf_points(pair, {{0, 0, 0, ball_radius, ball_radius, ball_radius}}, box, ours, starts, iterations, found);
        sdf_contacts(pair, found, ours, b.view(), contacts);
        REQUIRE(contacts.count == found.count);
        count = found.count;
        for (int i = 0; i < count; ++i) {
            const auto v = pair.at(found.point[i], true);
            CHECK(found.dist[i] == Approx(std::max(v.a, v.b)).epsilon(0).margin(1e-14));
            const Vec3<double> gradient = b.mat * normalize(Vec3<double>(normalize(v.grad_a) - normalize(v.grad_b)));
            CHECK(norm(Vec3<double>(contacts.point[i].normal + gradient)) < 1e-14);
            const Vec3<double> at = contacts.point[i].pos + contacts.point[i].normal * (found.dist[i] / 2);
            CHECK(norm(Vec3<double>(at - b.mat * found.point[i] - b.pos)) < 1e-14);
            if (found.dist[i] < deepest) normal = contacts.point[i].normal;
            deepest = std::min(deepest, found.dist[i]);
        }
    }
};

// Runs use(search, depth, exact normal) over random overlaps.
template <class Field, class Use>
void over_overlaps(const Field& field, int type, const Vec3<double>& size, const Vec3<double>& half, Use&& use) {
    Random random(21);
    int overlaps = 0;
    for (int n = 0; n < 600; ++n) {
        const OwnGeom<double> a{vector(random, 0.5), rotation(random), {{ball_radius, 0, 0}}};
        const OwnGeom<double> b{vector(random, 0.2), rotation(random), half};
        const double depth = depth_of(a, b, type, size);
        if (!(depth > 1e-3 && depth < 0.05)) continue;
        ++overlaps;
        Search<Field> search(field, a, b, half);
        use(search, depth);
    }
    CHECK(overlaps > 20);
}

const sdf::Sphere<double> other_ball{0.3};
const sdf::Capsule<double> rod{0.1, 0.4};
const sdf::Box<double> brick{{{0.3, 0.2, 0.4}}};

// The least of max(A, B) is -r where the two shapes, shrunk by r all around, just touch: then, and only then, some point is r inside of
// both. A box shrinks to a box, so its distance from the ball's centre is known.
double shrunk_until_they_touch(const Vec3<double>& centre) {
    double low = 0, high = 0.05;
    for (int i = 0; i < 60; ++i) {
        const double r = (low + high) / 2;
        const sdf::Box<double> shrunk{{{brick.half[0] - r, brick.half[1] - r, brick.half[2] - r}}};
        (shrunk(centre) < ball_radius - r ? low : high) = r;
    }
    return low;
}

}  // namespace

// Spheres and capsules shrink to spheres and capsules, so they touch when each has lost half the depth. A search stops when it expects to
// gain less than 1e-10 of the size of the overlap, below 1; what it has left to gain is of that order.
TEST_CASE("The search in our own fields ends midway in the overlap", "[collision]") {
    const auto check = [](auto& search, double best) {
        search.run(true, 40);
        REQUIRE(search.count > 0);
        CHECK(search.deepest >= -best - 1e-14);
        CHECK(search.deepest < -best + 1e-9);
    };
    // there the gradients are opposite, and the normal is that of the shapes; the point is found to the root of its distance
    const auto check_normal = [](const auto& search, const Vec3<double>& exact) {
        CHECK(norm(Vec3<double>(search.normal - exact)) < 1e-4);
    };
    over_overlaps(other_ball, shape::sphere, {{0.3, 0, 0}}, {{0.3, 0.3, 0.3}}, [&](auto& search, double depth) {
        check(search, depth / 2);
        check_normal(search, normalize(Vec3<double>(search.b.pos - search.a.pos)));
        CHECK(search.count == 1);
    });
    over_overlaps(rod, shape::capsule, {{0.1, 0.4, 0}}, {{0.1, 0.1, 0.5}}, [&](auto& search, double depth) {
        check(search, depth / 2);
        const Vec3<double> local = transpose_mul(search.b.mat, Vec3<double>(search.a.pos - search.b.pos));
        const Vec3<double> axis{{0, 0, std::clamp(local[2], -0.4, 0.4)}};
        check_normal(search, normalize(Vec3<double>(search.b.mat * Vec3<double>(axis - local))));
        CHECK(search.count == 1);
    });
    over_overlaps(brick, shape::box, brick.half, brick.half, [&](auto& search, double) {
        check(search, shrunk_until_they_touch(transpose_mul(search.b.mat, Vec3<double>(search.a.pos - search.b.pos))));
    });
}

namespace {

// The first minimum that our search finds, moving with the centre of the ball: its distance and, in the world, its point.
template <class FieldOfDuals, class S>
dual<double, 3> moving_contact_of(const S& search, const FieldOfDuals& second, Vec3<dual<double, 3>>& x) {
    using D = dual<double, 3>;
    SdfPoints<double> found;
    const double size = sdf_points(search.pair, {{0, 0, 0, ball_radius, ball_radius, ball_radius}}, search.box, true, 4, 40, found);
    REQUIRE(found.count > 0);
    auto a = to<D>(search.a);
    const auto b = to<D>(search.b);
    for (int k = 0; k < 3; ++k) a.pos[k] = D::variable(search.a.pos[k], k);
    const sdf::Sphere<D> first{D(ball_radius)};
    const SdfPair pair(first, a.view(), second, b.view());
    const D dist = moving_minimum(pair, search.pair, found.point[0], found.dist[0], size, x);
    x = b.mat * x + b.pos;
    return dist;
}

}  // namespace

// Two balls: with n from the first centre to the second, d apart, and the depth t = r1 + r2 - d, dist = -t / 2, x = c1 + n (r1 - t / 2)
// and dn/dc1 = -(I - nn') / d. The directions are off by what the normal is. A box, on whose edges x lies when the ball meets one: dist is
// known from its closed form, and so are differences of it.
TEST_CASE("What the search in our own fields finds moves as the middle of the overlap does", "[collision]") {
    using D = dual<double, 3>;
    Vec3<D> x;
    over_overlaps(other_ball, shape::sphere, {{0.3, 0, 0}}, {{0.3, 0.3, 0.3}}, [&](auto& search, double depth) {
        const D dist = moving_contact_of(search, sdf::Sphere<D>{D(other_ball.radius)}, x);
        const Vec3<double> n = normalize(Vec3<double>(search.b.pos - search.a.pos));
        const double apart = norm(Vec3<double>(search.b.pos - search.a.pos)), out = ball_radius - depth / 2;
        for (int k = 0; k < 3; ++k) {
            CHECK(dist.partial[k] == Approx(-n[k] / 2).epsilon(0).margin(1e-4));
            for (int i = 0; i < 3; ++i) {
                const double exact = (i == k) - ((i == k) - n[i] * n[k]) * out / apart - n[i] * n[k] / 2;
                CHECK(x[i].partial[k] == Approx(exact).epsilon(0).margin(1e-4));
            }
        }
    });
    int compared = 0, edges = 0;
    over_overlaps(brick, shape::box, brick.half, brick.half, [&](auto& search, double) {
        const D dist = moving_contact_of(search, sdf::Box<D>{Vec3<D>::from(brick.half)}, x);
        const auto value = [&](int k, double step) {
            Vec3<double> centre = search.a.pos;
            centre[k] += step;
            return -shrunk_until_they_touch(transpose_mul(search.b.mat, Vec3<double>(centre - search.b.pos)));
        };
        int beyond = 0;  // faces that the centre is beyond: two or three at an edge or a corner
        const Vec3<double> centre = transpose_mul(search.b.mat, Vec3<double>(search.a.pos - search.b.pos));
        for (int k = 0; k < 3; ++k) beyond += std::abs(centre[k]) > brick.half[k];
        for (int k = 0; k < 3; ++k) {
            const double h = 1e-6, after = (value(k, h) - value(k, 0)) / h, before = (value(k, 0) - value(k, -h)) / h;
            if (std::abs(after - before) > 1e-3) continue;  // from a face to an edge
            CHECK(dist.partial[k] == Approx((after + before) / 2).epsilon(0).margin(1e-4));
            ++compared;
            edges += beyond > 1;
        }
    });
    CHECK(compared > 60);
    CHECK(edges > 20);
}

// sdf_search.hpp says why its contacts are between 1/11 and 1/2 as deep as the overlap. For two spheres that is exact: A + B + |max(A, B)|
// is nowhere less than A + B, which is nowhere less than minus the depth, and equal to it at the two poles. The step from a pole to
// the middle has the length of the greatest power of two that gains a tenth of it.
TEST_CASE("MuJoCo's search descends to a pole and steps once from there towards the middle", "[collision]") {
    over_overlaps(other_ball, shape::sphere, {{0.3, 0, 0}}, {{0.3, 0.3, 0.3}}, [&](auto& search, double depth) {
        const Vec3<double> to_field = normalize(search.pair.pos);  // in the frame of the ball
        Vec3<double> pole = transpose_mul(search.pair.mat, Vec3<double>(to_field * ball_radius - search.pair.pos));
        const auto v = search.pair.at(pole, false);
        CHECK(v.a + v.b + std::abs(std::max(v.a, v.b)) == Approx(-depth).epsilon(0).margin(1e-14));
        double rate = 1;
        while (rate * 1.1 > depth) rate /= 2;
        const double dist = descend(search.pair, false, pole, 1);
        CHECK(dist == Approx(std::max(-rate, rate - depth)).epsilon(0).margin(1e-14));
        CHECK(dist <= -depth / 11);
    });
    // The gradient of the sum is no longer than 3 and its values change no faster: a step that does not descend is as short as steps get,
    // 2^-14 of the gradient, and ends the descent. The step on max(A, B) gains a tenth of it or 1/11 of what the fields differ by,
    // whichever is more, as long as that step is not the shortest and does not reach the axis of the field, where it turns round.
    const auto laws = [](auto& search, double depth) {
        search.run(false, 50);
        CHECK(search.deepest >= -depth / 2 - 1e-14);
        for (int i = 0; i < starts; ++i) {
            Vec3<double> x;
            for (int k = 0; k < 3; ++k) x[k] = search.box[3 + k] * (2 * halton<double>(i, k == 0 ? 2 : k == 1 ? 3 : 5) - 1);
            const auto sum = [&] {
                const auto v = search.pair.at(x, false);
                return v.a + v.b + std::abs(std::max(v.a, v.b));
            };
            const double before = sum(), reached = descend(search.pair, true, x, 50);
            CHECK(reached == sum());
            CHECK(reached <= before + 9.0 / (1 << 14));
            CHECK(reached >= -depth - 1e-14);
            const auto v = search.pair.at(x, false);
            const double apart = std::abs(v.a - v.b), start = std::max(v.a, v.b), end = descend(search.pair, false, x, 1);
            CHECK(end == search.value(x));
            if (apart > 2.2 / (1 << 14) && apart < 0.05) CHECK(end <= start - apart / 11 + 1e-14);
        }
    };
    over_overlaps(other_ball, shape::sphere, {{0.3, 0, 0}}, {{0.3, 0.3, 0.3}}, laws);
    over_overlaps(rod, shape::capsule, {{0.1, 0.4, 0}}, {{0.1, 0.1, 0.5}}, laws);
}

TEST_CASE("A mesh as a field is as far away as its nearest triangle", "[collision]") {
    const auto m = load_model_string(R"(
        <mujoco>
          <asset><mesh name="ring" builtin="supertorus" params="14 0.3 1 1" scale=".3 .3 .3"/></asset>
          <worldbody><geom type="sdf" mesh="ring"/></worldbody>
        </mujoco>)");
    const GridField<Model<double>> grid{m, 0};
    const auto& box = m.mesh_gridbox[0];
    const auto& n = m.mesh_gridnum[0];
    Random random(5);
    int inside = 0;
    // A distance u changes no faster than its point moves, and the weights w of the corners c around p have sum w c = p. So interpolation
    // is off by sum w |u(c) - u(p)| <= sum w |c - p| <= sqrt(sum w |c - p|^2) = h sqrt(sum t (1 - t)), where t are the coordinates of p
    // within its voxel, of size h; at most sqrt(3) / 2 of a voxel, and nothing at the nodes. Those are stored as floats.
    for (int i = 0; i < 800; ++i) {
        Vec3<double> p;
        double spread = 0;
        for (int k = 0; k < 3; ++k) {
            const double at = i % 2 == 0 ? std::floor(uniform(random, 0, n[k])) : uniform(random, 0, n[k] - 1), t = at - std::floor(at);
            p[k] = box[k] + box[3 + k] * at;
            spread += t * (1 - t);
        }
        const double exact = mesh_distance(m, 0, p);
        CHECK(std::abs(grid(p) - exact) <= box[3] * std::sqrt(spread) + 1e-7 * std::abs(exact) + 1e-12);
        inside += exact < 0;
    }
    CHECK(inside > 40);
}
