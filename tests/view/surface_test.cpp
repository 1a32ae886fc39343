// Surfaces: closed, outward, of the size they should be; and what a scene says of a model.
#include "catch.hpp"

#include "mjx/compile.hpp"
#include "mjx/load.hpp"
#include "mjx/shapes.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/reset.hpp"
#include "mjx/view/frame.hpp"

#include <map>
#include <numbers>

using namespace mjx::inner::show;
namespace shape = mjx::inner::shape;
using mjx::inner::Vec3;

namespace {

double volume(const Surface& s) {
    double sum = 0;
    for (std::size_t i = 0; i < s.index.size(); i += 3) {
        const auto &a = s.vert[s.index[i]], &b = s.vert[s.index[i + 1]], &c = s.vert[s.index[i + 2]];
        sum += static_cast<double>(dot(a, cross(b, c))) / 6;
    }
    return sum;
}

// Every edge is passed once in each direction, by places: corners may have several normals.
bool closed(const Surface& s) {
    const auto place = [&](std::uint32_t i) {
        const auto whole = [](float x) { return static_cast<int>(std::lround(x * 1e5f)); };
        return std::array{whole(s.vert[i][0]), whole(s.vert[i][1]), whole(s.vert[i][2])};
    };
    std::map<std::pair<std::array<int, 3>, std::array<int, 3>>, int> edges;
    for (std::size_t i = 0; i < s.index.size(); i += 3)
        for (std::size_t k = 0; k < 3; ++k) {
            const auto a = place(s.index[i + k]), b = place(s.index[i + (k + 1) % 3]);
            if (a < b)
                ++edges[{a, b}];
            else
                --edges[{b, a}];
        }
    for (const auto& [edge, sum] : edges)
        if (sum != 0) return false;
    return true;
}

// The normal of a corner and that of its triangle look the same way.
bool outward(const Surface& s) {
    for (std::size_t i = 0; i < s.index.size(); i += 3) {
        const auto &a = s.vert[s.index[i]], &b = s.vert[s.index[i + 1]], &c = s.vert[s.index[i + 2]];
        const Vec3f flat = cross(b - a, c - a);
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3f& n = s.normal[s.index[i + k]];
            if (!(dot(flat, n) > 0) || std::abs(dot(n, n) - 1) > 1e-4f) return false;
        }
    }
    return true;
}

// A box with everything around it that is no further than a tenth.
struct RoundedBox {
    static constexpr int type = mjx::shape::count, sizes = 3;
    static constexpr const char* name = "rounded_box";
    template <class T>
    static mjx::Vec3<T> support(const mjx::Vec3<T>& size, const mjx::Vec3<T>& dir) {
        mjx::Vec3<T> p = dir * T(0.1);
        for (int i = 0; i < 3; ++i) p[i] += dir[i] >= T(0) ? size[i] : -size[i];
        return p;
    }
};

}  // namespace

TEST_CASE("primitive surfaces are closed, face outward, and hold nearly the volume of the shape") {
    constexpr double pi = std::numbers::pi;
    const struct {
        Surface surface;
        double volume;
    } cases[] = {{round_surface({{0.5f, 0.5f, 0.5f}}, 0), 4.0 / 3 * pi * 0.125},
                 {round_surface({{0.2f, 0.2f, 0.2f}}, 0.7f), 4.0 / 3 * pi * 0.008 + pi * 0.04 * 1.4},
                 {round_surface({{0.3f, 0.5f, 0.7f}}, 0), 4.0 / 3 * pi * 0.3 * 0.5 * 0.7},
                 {cylinder_surface(0.3f, 0.4f), pi * 0.09 * 0.8},
                 {box_surface({{0.1f, 0.2f, 0.3f}}), 0.048}};
    for (const auto& c : cases) {
        CHECK(closed(c.surface));
        CHECK(outward(c.surface));
        CHECK(volume(c.surface) <= c.volume * (1 + 1e-6));  // corners lie on the shape, and shapes are convex
        CHECK(volume(c.surface) >= c.volume * 0.98);
    }
}

TEST_CASE("a shape of the user's own is seen as its support function has it") {
    mjx::Spec spec;
    spec.world.add_geom({.type = RoundedBox::type, .size = {0.2, 0.3, 0.4}});
    spec.world.add_site({.name = "site", .type = RoundedBox::type, .size = {0.2, 0.3, 0.4}});
    const Scene scene = make_scene(mjx::compile<RoundedBox>(spec));
    CHECK(scene.sites[0].surface == scene.geoms[0].surface);
    for (int i = 0; i < 3; ++i) CHECK(double(scene.geoms[0].half[i]) == Approx(0.1 * (3 + i)));
    const Surface& s = scene.surfaces[static_cast<std::size_t>(scene.geoms[0].surface)];
    for (const Vec3f& v : s.vert) {  // a tenth from the box
        double beyond = 0;
        for (int i = 0; i < 3; ++i) beyond += std::pow(std::max(0.0, std::abs(double(v[i])) - 0.1 * (2 + i)), 2);
        CHECK(std::abs(std::sqrt(beyond) - 0.1) < 1e-6);
    }
    constexpr double pi = std::numbers::pi;
    const double whole = 0.4 * 0.6 * 0.8 + 0.2 * (0.4 * 0.6 + 0.6 * 0.8 + 0.8 * 0.4) + pi * 0.01 * (0.4 + 0.6 + 0.8) + 4.0 / 3 * pi * 0.001;
    CHECK(volume(s) <= whole);
    CHECK(volume(s) >= 0.97 * whole);
}

TEST_CASE("a joint says of itself what the page shows of it") {
    mjx::Spec spec;
    for (const int type : {mjx::jnt::hinge, mjx::jnt::slide, mjx::jnt::ball, mjx::jnt::planar}) {
        auto& body = spec.world.add_body({.name = "body" + std::to_string(type)});
        body.add_joint({.type = type});
        body.add_geom({.size = {0.1}});
    }
    const std::vector<Joint> joints = make_scene(mjx::compile(spec)).joints;
    for (const std::size_t marked : {0u, 1u, 3u}) CHECK(joints[marked].has_axis);
    CHECK_FALSE(joints[2].has_axis);
    for (const std::size_t listed : {0u, 1u}) CHECK(joints[listed].scalar);
    for (const std::size_t other : {2u, 3u}) CHECK_FALSE(joints[other].scalar);
    for (const std::size_t turning : {0u, 3u}) CHECK(joints[turning].turns);
    CHECK_FALSE(joints[1].turns);
}

TEST_CASE("a height field is closed but for its bottom") {
    const Surface s = hfield_surface(4, 5, 1, 2, -0.5f, [](int r, int c) { return 0.1f * static_cast<float>(r * c % 3); });
    CHECK(outward(s));
    CHECK(s.vert.size() == 20 + 4 * 2 * (3 + 4));
}

TEST_CASE("edges sharper than forty degrees stay sharp, others become smooth") {
    const Vec3f points[] = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
    const mjx::inner::Vec<int, 3> faces[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    const Surface s = creased_surface(
        4, 4, [&](int i) { return points[i]; }, [&](int i) { return faces[i]; });
    CHECK(s.vert.size() == 12);  // each corner three times
    CHECK(closed(s));
    CHECK(outward(s));
    const Surface ball = round_surface({{1, 1, 1}}, 0);
    const Surface again = creased_surface(
        static_cast<int>(ball.vert.size()), static_cast<int>(ball.index.size() / 3),
        [&](int i) { return ball.vert[static_cast<std::size_t>(i)]; },
        [&](int i) {
            const auto at = static_cast<std::size_t>(3 * i);
            return mjx::inner::Vec<int, 3>{
                {static_cast<int>(ball.index[at]), static_cast<int>(ball.index[at + 1]), static_cast<int>(ball.index[at + 2])}};
        });
    for (std::size_t i = 0; i < again.vert.size(); ++i) CHECK(dot(again.vert[i], again.normal[i]) > 0.98f);
}

TEST_CASE("a scene has the colours, surfaces and lists of its model") {
    const auto m = mjx::load_mjcf_string(R"(<mujoco model="look">
      <visual><global azimuth="30"/><headlight ambient="0.2 0.3 0.4"/></visual>
      <default><geom rgba="0.1 0.2 0.3 1"/><site rgba="1 0 0 1"/></default>
      <asset>
        <texture name="sky" type="skybox" builtin="gradient" rgb1="0.3 0.5 0.7" rgb2="0 0 0" width="32" height="32"/>
        <texture name="squares" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 1 0" width="32" height="32"/>
        <material name="red" rgba="1 0 0 1" shininess="0.25"/>
        <material name="ground" texture="squares" texrepeat="4 5" texuniform="true"/>
        <mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
      </asset>
      <worldbody>
        <light dir="0 1 -1" diffuse="0.5 0.6 0.7" type="directional"/>
        <geom type="plane" size="2 3 1" rgba="0.5 0.5 0.5 1" material="ground"/>
        <body pos="0 0 1"><joint name="hip" axis="0 1 0" range="-30 40"/>
          <geom size="0.1" rgba="0.5 0.5 0.5 1" material="red"/>
          <geom size="0.1" pos="1 0 0" material="red"/>
          <geom type="mesh" mesh="tetra" pos="0 1 0"/>
          <site name="tip" pos="0 0 0.5"/>
          <body pos="0 0 1"><geom type="box" size="0.1 0.2 0.3"/></body>
        </body>
      </worldbody>
      <actuator><motor name="push" joint="hip" ctrlrange="-2 3"/></actuator>
    </mujoco>)");
    const Scene s = make_scene(m);
    CHECK(s.bodies.size() == 3);
    CHECK(s.bodies[2].pos[2] == 2);
    CHECK(s.geoms[1].rgba[0] == 1);  // the default colour: the material's counts
    CHECK(s.geoms[2].rgba[2] == 0.3f);  // a colour of its own: it counts
    CHECK(s.geoms[1].surface == s.geoms[2].surface);
    CHECK(s.geoms[3].hull >= 0);
    CHECK(s.sites[0].rgba[0] == 1);
    CHECK(s.joints[0].limited);
    CHECK((s.joints[0].has_axis && s.joints[0].scalar && s.joints[0].turns));
    CHECK(s.controls[0].high == 3);
    CHECK(s.lights[0].look.diffuse[1] == 0.6f);
    CHECK(s.lights[0].look.type == 1);
    CHECK(s.visual.view.azimuth == 30);
    CHECK(s.visual.view.headlight_ambient[2] == 0.4f);
    CHECK(s.visual.materials[0].shininess == 0.25f);
    CHECK(s.visual.materials[1].texture == 1);
    CHECK(s.visual.materials[1].texrepeat[1] == 5);
    CHECK(s.visual.textures[0].type == mjx::inner::texture_type::skybox);
    CHECK(closed(s.surfaces[static_cast<std::size_t>(s.geoms[3].hull)]));

    mjx::Data<double, mjx::Model<double>> d(m);
    mjx::inner::reset(m, d);
    d.qpos[0] = 0.3;
    mjx::inner::kinematics(m, d);
    Frame frame;
    read_frame(m, d, 0, {}, frame);
    for (int b = 0; b < m.nbody; ++b)
        for (int i = 0; i < 3; ++i) CHECK(frame.pose[static_cast<std::size_t>(7 * b + i)] == static_cast<float>(d.xpos[b][i]));
}

TEST_CASE("any number of Data can be asked for by the name of its field") {
    const auto m = mjx::load_mjcf_string("<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>");
    mjx::Data<double, mjx::Model<double>> d(m);
    mjx::inner::reset(m, d);
    d.time = 7;
    d.energy[1] = 3;
    d.xpos[1][2] = 5;
    std::vector<Probe> probes;
    const std::vector<FieldName> names = field_names(d);
    const auto ask = [&](const std::string& name, int index) {
        for (std::size_t f = 0; f < names.size(); ++f)
            if (names[f].name == name && index < names[f].count) probes.push_back({static_cast<int>(f), index});
    };
    ask("time", 0);
    ask("energy", 1);
    ask("xpos", 5);
    std::vector<double> found;
    read_probes(d, 0, probes, found);
    CHECK(found == std::vector<double>{7, 3, 5});
}
