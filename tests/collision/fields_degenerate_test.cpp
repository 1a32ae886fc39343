// Degenerate geoms against height fields, triangle meshes and signed distance fields: finite contacts or none, whatever the scalar.
#include "catch.hpp"
#include "collision/shapes.hpp"
#include "load.hpp"
#include "mjx/collision/distance.hpp"
#include "mjx/collision/ray.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/reset.hpp"

#include <limits>

using namespace shapes;

namespace {

// Geoms of every type, among them height fields with one high cell and with none, a mesh by its triangles, a mesh as a field; then all
// fields by formula, two of them without any size.
Model<double> scene() {
    auto m = load_model_string(R"(
        <mujoco>
          <option sdf_iterations="5" sdf_initpoints="3"/>
          <asset>
            <hfield name="peak" nrow="3" ncol="3" size=".3 .3 .2 .1" elevation="0 0 0 0 1 0 0 0 0"/>
            <hfield name="flat" nrow="2" ncol="2" size=".3 .3 .2 .1" elevation="0 0 0 0"/>
            <mesh name="wedge" vertex="-.2 -.15 -.1 .2 -.15 -.1 -.2 .15 -.1 .2 .15 -.1 -.2 -.15 .1 .2 -.15 .1"/>
          </asset>
          <worldbody>
            <geom type="plane" size="1 1 1"/>
            <geom type="hfield" hfield="peak"/>
            <geom type="hfield" hfield="flat"/>
            <geom type="sphere" size=".1"/>
            <geom type="capsule" size=".1 .2"/>
            <geom type="ellipsoid" size=".1 .2 .05"/>
            <geom type="cylinder" size=".1 .2"/>
            <geom type="box" size=".1 .12 .07"/>
            <geom type="mesh" mesh="wedge"/>
            <geom type="mesh" mesh="wedge"/>
            <geom type="sdf" mesh="wedge"/>
          </worldbody>
        </mujoco>)");
    m.geom_trimesh[9] = 1;
    const auto add = [&](int kind, const Vec6<double>& params, const Vec3<double>& half) {
        m.geom_type.push_back(shape::sdf);
        m.geom_sdf.push_back(kind);
        m.geom_sdfparam.push_back(params);
        m.geom_size.push_back(half);
        m.geom_rbound.push_back(norm(half));
        m.geom_aabb.push_back({{0, 0, 0, half[0], half[1], half[2]}});
        m.geom_dataid.push_back(-1);
        m.geom_trimesh.push_back(0);
        m.geom_bodyid.push_back(0);
        ++m.ngeom;
    };
    add(sdf_kind::sphere, {{0.2}}, {{0.2, 0.2, 0.2}});
    add(sdf_kind::box, {{0.2, 0.1, 0.1}}, {{0.2, 0.1, 0.1}});
    add(sdf_kind::capsule, {{0.1, 0.2}}, {{0.1, 0.1, 0.3}});
    add(sdf_kind::torus, {{0.35, 0.1}}, {{0.45, 0.45, 0.1}});
    add(sdf_kind::gear, {{0, 0.5, 9, 0.1, -1}}, {{0.31, 0.31, 0.05}});
    add(sdf_kind::bowl, {{-0.1, 0.3, 0.02}}, {{0.32, 0.32, 0.32}});
    add(sdf_kind::bolt, {{0.26}}, {{0.6, 0.6, 1}});
    add(sdf_kind::nut, {{0.26}}, {{0.6, 0.6, 1}});
    add(sdf_kind::torus, {{0, 0}}, {{0, 0, 0}});
    add(sdf_kind::sphere, {{0}}, {{0, 0, 0}});
    return m;
}

const Model<double>& model() {
    static const Model<double> m = scene();
    return m;
}

std::vector<OwnGeom<double>> odd_poses() {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN(), h = std::sqrt(0.5);
    std::vector<OwnGeom<double>> odd;
    for (const Vec3<double> pos : {Vec3<double>{{0, 0, 0}}, Vec3<double>{{0.1, 0, 0.05}}, Vec3<double>{{0, 1e-12, 0.3}},
                                   Vec3<double>{{1e7, 0, 0}}, Vec3<double>{{nan, 0, 0}}, Vec3<double>{{0, inf, 0}}})
        for (const Mat3<double>& mat :
             {Mat3<double>::identity(), Mat3<double>{{h, 0, h, 0, 1, 0, -h, 0, h}}, Mat3<double>{{1, 0, 0, 0, -1, 0, 0, 0, -1}}})
            odd.push_back({pos, mat, {}});
    odd.push_back({{{0, 0, 0}}, Mat3<double>::zero(), {}});
    odd.push_back({{{0, 0, 0}}, Mat3<double>{{nan, 0, 0, 0, 1, 0, 0, 0, 1}}, {}});
    return odd;
}

template <class S>
bool finite(const Vec3<S>& v, const mask_t<S>& where) {
    return all((isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2])) || !where);
}

bool is_field(const Model<double>& m, int g) {
    return m.geom_type[g] == shape::hfield || m.geom_type[g] == shape::sdf || m.geom_trimesh[g] != 0;
}

}  // namespace

TEMPLATE_TEST_CASE("Degenerate geoms on height fields, triangles and distance fields give finite contacts or none", "[collision]", float,
                   double, (dual<double, 1>), pack<float>) {
    using S = TestType;
    const auto& m = model();
    const auto poses = odd_poses();
    int broken = 0, found = 0;
    for (int g1 = 0; g1 < m.ngeom; ++g1)
        for (int g2 = 0; g2 < m.ngeom; ++g2) {
            if (g1 == g2 || m.geom_type[g1] > m.geom_type[g2] || !(is_field(m, g1) || is_field(m, g2))) continue;
            if (!shapes_collide(m.geom_type[g1], m.geom_type[g2])) continue;
            for (std::size_t p = 0; p < poses.size(); ++p) {
                const auto& pose = poses[p];
                // as they are, without size, and a thousand times as large
                const double scale = p % 3 == 1 ? 0 : p % 3 == 2 ? 1000 : 1;
                const bool resized = m.geom_type[g1] >= shape::sphere && m.geom_type[g1] <= shape::box;
                const auto a = to<S>({{{0, 0, 0}}, Mat3<double>::identity(), m.geom_size[g1] * (resized ? scale : 1)});
                const auto b = to<S>({pose.pos, pose.mat, m.geom_size[g2]});
                CollisionResult<S> out;
                if (m.geom_type[g2] == shape::sdf || m.geom_type[g1] >= shape::hfield)
                    collide_shapes(m, g1, g2, a.view(), b.view(), S(0.01f), mask_t<S>(true), out);
                found += out.count;
                for (int i = 0; i < out.count; ++i) {
                    const auto& c = out.point[i];
                    broken += !finite(c.pos, c.active) || !finite(c.normal, c.active) || !all(isfinite(c.dist) || !c.active);
                }
            }
        }
    CHECK(found > 100);
    CHECK(broken == 0);
}

TEMPLATE_TEST_CASE("Rays from and to odd places hit at finite points or nothing", "[collision]", float, double, (dual<double, 1>),
                   pack<float>) {
    using S = TestType;
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const auto& m = model();
    int broken = 0;
    for (int g = 0; g < m.ngeom; ++g)
        for (const auto& pose : odd_poses())
            for (const Vec3<double> vec : {Vec3<double>{{0, 0, -1}}, Vec3<double>{{0, 0, 0}}, Vec3<double>{{1e-30, 0, 0}},
                                           Vec3<double>{{nan, 0, 0}}, Vec3<double>{{0, inf, 0}}, Vec3<double>{{1e20, 1, 1}}}) {
                const auto s = to<S>({pose.pos, pose.mat, m.geom_size[g]});
                const auto pnt = to<S>({{{0.01, 0.02, 0.03}}, Mat3<double>::identity(), vec});
                const SurfaceHit<S> hit = ray_geom(m, g, s.view(), pnt.pos, pnt.size);
                const auto hits = hit.x >= S(0);
                broken += !all(isfinite(hit.x) || !hits) || !finite(hit.normal, hits);
            }
    CHECK(broken == 0);
}
