// Tendons: the Jacobian is the gradient of the length, the path is where it should be, in every kind of scalar.
#include "catch.hpp"
#include "scalar/scalar_types.hpp"
#include "transmission_scene.hpp"

#include "mjx/data.hpp"
#include "mjx/model/cast.hpp"

using namespace mjx;

namespace {

const Model<>& robot() {
    static const Model<> m = load_mjcf_string(scene::robot);
    return m;
}

template <class M, class D>
std::vector<double> tendon_columns(const M& m, const D& d, int t) {
    std::vector<double> row(static_cast<std::size_t>(m.nv), 0.0);
    for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k)
        row[static_cast<std::size_t>(m.ten_J_colind[k])] = static_cast<double>(d.ten_J[k]);
    return row;
}

}  // namespace

TEST_CASE("the tendon Jacobian is the gradient of the length") {
    const auto& m = robot();
    Data<double, Model<>> d(m), up(m), down(m);
    for (int pose = 0; pose < 6; ++pose) {
        scene::pose(m, d.qpos, pose);
        scene::positions(m, d);
        for (int i = 0; i < m.nv; ++i) {
            const double h = 1e-6;
            scene::pose(m, up.qpos, pose);
            scene::pose(m, down.qpos, pose);
            for (int k = 0; k < m.nv; ++k) up.qvel[k] = down.qvel[k] = k == i;
            integrate_pos(m, up.qpos, up.qvel, h);
            integrate_pos(m, down.qpos, down.qvel, -h);
            scene::positions(m, up);
            scene::positions(m, down);
            for (int t = 0; t < m.ntendon; ++t) {
                CAPTURE(pose, i, m.tendon_name[t]);
                // inside wrapping is solved to 1e-6, the others exactly
                const double slope = (up.ten_length[t] - down.ten_length[t]) / (2 * h);
                const double margin = m.tendon_name[t] == "inside" ? 2e-3 : 1e-7;
                CHECK(tendon_columns(m, d, t)[static_cast<std::size_t>(i)] == Approx(slope).margin(margin));
            }
        }
    }
}

TEST_CASE("tendon velocity is the Jacobian times the joint velocities") {
    const auto& m = robot();
    Data<double, Model<>> d(m);
    scene::pose(m, d.qpos, 1);
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = 0.1 * i - 0.4;
    scene::positions(m, d);
    tendon_velocity(m, d);
    for (int t = 0; t < m.ntendon; ++t) {
        const auto row = tendon_columns(m, d, t);
        double sum = 0;
        for (int i = 0; i < m.nv; ++i) sum += row[static_cast<std::size_t>(i)] * d.qvel[i];
        CHECK(d.ten_velocity[t] == Approx(sum).epsilon(1e-14));
    }
}

TEST_CASE("the path of a tendon adds up to its length") {
    const auto& m = robot();
    Data<double, Model<>> d(m);
    scene::pose(m, d.qpos, 2);
    scene::positions(m, d);
    for (int t = 1; t < m.ntendon; ++t) {
        double length = 0, divisor = 1;
        int strand = 0;
        const double divisors[] = {1, 2, 3};
        for (int k = d.ten_wrapadr[t]; k + 1 < d.ten_wrapadr[t] + d.ten_wrapnum[t]; ++k) {
            if (d.wrap_obj[k] == -2) divisor = divisors[++strand];
            if (d.wrap_obj[k] == -2 || d.wrap_obj[k + 1] == -2) continue;
            double piece = norm(Vec3<double>(d.wrap_xpos[k + 1] - d.wrap_xpos[k]));
            const int g = d.wrap_obj[k];
            if (g >= 0 && d.wrap_obj[k + 1] == g) {
                // on the geom: an arc instead of the chord, with the rise of a helix around a cylinder
                const Vec3<double> a = transpose_mul(d.geom_xmat[g], d.wrap_xpos[k] - d.geom_xpos[g]);
                const Vec3<double> b = transpose_mul(d.geom_xmat[g], d.wrap_xpos[k + 1] - d.geom_xpos[g]);
                const double r = m.geom_size[g][0], rise = m.geom_type[g] == shape::cylinder ? b[2] - a[2] : 0;
                const double chord = std::sqrt(std::max(0.0, piece * piece - rise * rise));
                piece = std::hypot(2 * r * std::asin(std::min(1.0, chord / (2 * r))), rise);
            }
            length += piece / divisor;
        }
        CAPTURE(m.tendon_name[t]);
        CHECK(length == Approx(d.ten_length[t]).epsilon(1e-9));
    }
}

TEST_CASE("a tendon over a pulley keeps its length while the loads move") {
    // a string from the ceiling under a movable pulley counts half: lowering one load by 2 raises the other by 1
    const auto m = load_mjcf_string(R"(
    <mujoco><worldbody>
      <site name="a" pos="0 0 2"/><site name="b" pos="1 0 2"/>
      <body pos="0 0 1"><joint name="za" type="slide" axis="0 0 1"/><geom size=".1"/><site name="la"/></body>
      <body pos="1 0 1"><joint name="zb" type="slide" axis="0 0 1"/><geom size=".1"/><site name="lb"/></body>
    </worldbody>
    <tendon><spatial><site site="la"/><site site="a"/><pulley divisor=".5"/><site site="b"/><site site="lb"/></spatial></tendon></mujoco>)");
    Data<double, Model<>> d(m);
    for (const double s : {-0.2, 0.0, 0.1, 0.3}) {
        d.qpos[0] = 2 * s;
        d.qpos[1] = -s;
        scene::positions(m, d);
        CHECK(d.ten_length[0] == Approx(1 + 2).epsilon(1e-14));
    }
}

TEMPLATE_TEST_CASE("every lane of every scalar has the tendons of that lane alone", "", float, scalar_types::packf, scalar_types::packd,
                   scalar_types::dual3) {
    using S = TestType;
    using V = value_t<S>;
    const auto m = cast<V>(robot());
    using M = std::remove_cvref_t<decltype(m)>;
    Data<S, M> d(m);
    Data<V, M> alone(m);
    for (int k = 0; k < lanes_v<S>; ++k) {
        scene::pose(m, alone.qpos, k);
        for (int i = 0; i < m.nq; ++i) set_lane(d.qpos[i], k, lane_t<S>(alone.qpos[i]));
    }
    scene::positions(m, d);
    for (int k = 0; k < lanes_v<S>; ++k) {
        scene::pose(m, alone.qpos, k);
        scene::positions(m, alone);
        const double tolerance = 2e3 * double(epsilon_v<S>);
        for (int t = 0; t < m.ntendon; ++t)
            CHECK(double(value_of(lane(d.ten_length[t], k))) == Approx(double(alone.ten_length[t])).margin(tolerance));
        for (int e = 0; e < m.nJten; ++e) CHECK(double(value_of(lane(d.ten_J[e], k))) == Approx(double(alone.ten_J[e])).margin(tolerance));
    }
}

TEST_CASE("the derivative of a tendon's length by a joint is its Jacobian, to first order in duals") {
    using S = dual<double, 1>;
    const auto& m = robot();
    Data<S, Model<>> d(m);
    scene::pose(m, d.qpos, 3);
    const int q = m.jnt_qposadr[0];
    d.qpos[q] = S::variable(d.qpos[q].value, 0);
    scene::positions(m, d);
    for (int t = 0; t < m.ntendon; ++t)
        for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k)
            if (m.ten_J_colind[k] == 0) CHECK(d.ten_length[t].partial[0] == Approx(d.ten_J[k].value).margin(2e-6));
}
