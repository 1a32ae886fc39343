// The smooth dynamics agree with each other, for every joint and every kind of number.
#include "../model/joint_scene.hpp"

#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/stage/acceleration.hpp"
#include "mjx/stage/crba.hpp"
#include "mjx/stage/energy.hpp"
#include "mjx/stage/factor.hpp"
#include "mjx/stage/passive.hpp"
#include "mjx/stage/rne.hpp"
#include "mjx/stage/velocity.hpp"

using namespace joint_scene;

namespace {

template <class S>
using ModelOf = Model<value_t<S>, Joints>;
template <class S>
using DataOf = Data<S, ModelOf<S>>;

// A box with joints of its own, on the world or on what is fixed to it.
SpecBody& add_box(SpecBody& on, const std::vector<SpecJoint>& joints, double off_centre = 0) {
    SpecBody& body = on.add_body({.pos = {on.pos[0] + 0.3, 0.1, 1}, .quat = {0.8, 0, 0.6, 0}});
    for (SpecJoint joint : joints) {
        joint.armature = 0.3;
        body.add_joint(joint);
    }
    body.add_geom({.type = shape::box, .pos = {off_centre, 0, 0}, .size = {0.1, 0.2, 0.3}});
    return body;
}
const SpecJoint slide_x{.type = jnt::slide, .axis = {1, 0, 0}}, slide_y{.type = jnt::slide, .axis = {0, -1, 0}},
    slide_z{.type = jnt::slide, .axis = {0, 0, 1}}, tilted{.type = jnt::slide, .axis = {0, 1, 1}}, hinge{.axis = {0, 1, 0}},
    off_hinge{.pos = {0.1, 0, 0}, .axis = {0, 1, 0}}, tilted_hinge{.axis = {1, 1, 0}}, ball{.type = jnt::ball};

// Bodies whose dofs are coupled to none, and how many dofs they have.
int add_lone_bodies(SpecBody& world) {
    add_box(world, {slide_x, slide_y, slide_z});
    add_box(world, {slide_z, slide_x, hinge});
    add_box(world, {hinge});
    add_box(world, {slide_y, ball});
    add_box(world.add_body({.pos = {1, 2, 3}}), {slide_x, hinge});
    return 3 + 3 + 1 + 4 + 2;
}
// Others that differ from them in one thing.
void add_coupled_bodies(SpecBody& world) {
    add_box(world, {slide_x, tilted});
    add_box(world, {slide_x, slide_x, hinge});
    add_box(world, {hinge, slide_x});
    add_box(world, {slide_x, tilted_hinge});
    add_box(world, {slide_z, off_hinge});
    add_box(world, {slide_x, hinge}, 0.1);
    add_box(world, {hinge, ball});
    add_box(world, {slide_x, slide_y}).add_body({.pos = {0.1, 0.2, 0.3}}).add_geom({.type = shape::sphere, .size = {0.1}});
    add_box(add_box(world, {slide_x}, 0.1), {slide_y});
}

// Every joint, and free bodies: one that stands alone on its principal axes, one beside them, one with another fixed to it; and bodies that
// slide and turn.
template <class S>
ModelOf<S> scene() {
    Spec spec = together();
    add_lone_bodies(spec.world);
    add_coupled_bodies(spec.world);
    add_box(spec.world, {{.type = jnt::free}});
    add_box(spec.world, {{.type = jnt::free}}, 0.1);
    add_box(spec.world, {{.type = jnt::free}}).add_body({.pos = {0.1, 0.2, 0.3}}).add_geom({.type = shape::sphere, .size = {0.1}});
    return cast<value_t<S>, Joints>(compile<Joints>(spec));
}

template <class M, class D>
void positions(const M& m, D& d) {
    kinematics(m, d);
    com_pos(m, d);
    crba(m, d);
}

template <class S>
void check_near(const S& a, const S& b, double tolerance) {
    const S error = abs(a - b) / (S(1) + abs(b));
    for (int k = 0; k < lanes_v<S>; ++k) CHECK(static_cast<double>(lane(error, k)) < tolerance);
}
template <class T, int N>
void check_near(const dual<T, N>& a, const dual<T, N>& b, double tolerance) {
    check_near(a.value, b.value, tolerance);
    for (int k = 0; k < N; ++k) check_near(a.partial[k], b.partial[k], 100 * tolerance);
}

template <class M, class D>
auto entry(const M& m, const D& d, int i, int j) {
    using S = typename D::scalar;
    for (int c = m.M_rowadr[i]; c < m.M_rowadr[i] + m.M_rownnz[i]; ++c)
        if (m.M_colind[c] == j) return S(d.M[c]);
    return S(0);
}

// Rounding of the number's own precision; `slope` for what is found by central differences, at the step that suits them best.
template <class S>
constexpr double rounding = 2000 * static_cast<double>(epsilon_v<S>);
template <class S>
const value_t<S> step_size = std::cbrt(epsilon_v<S>);
template <class S>
const double slope = 300 * std::pow(static_cast<double>(epsilon_v<S>), 2.0 / 3);

// A dual whose derivative is by the state itself, so that the laws hold for the derivatives too.
template <class M, class D>
void vary(const M& m, D& d) {
    if constexpr (requires { d.qvel[0].partial; })
        for (int i = 0; i < m.nv; ++i) {
            d.qvel[i].partial[0] = 0.1 * (i % 3 - 1);
            d.qpos[i].partial[0] = 0.2 * (i % 2);
        }
}

// All joints, in motion, after the stages of positions; a dual varies if the law says so.
template <class S>
struct Moving {
    const ModelOf<S> m = scene<S>();
    DataOf<S> d{m};

    explicit Moving(bool varied) {
        scatter(m, d);
        if (varied) vary(m, d);
        positions(m, d);
    }
};

}  // namespace

TEMPLATE_TEST_CASE("Columns of the inertia matrix are the forces of unit accelerations", "", float, double, (dual<double, 1>),
                   pack<float>) {
    using S = TestType;
    Moving<S> robot(true);
    const ModelOf<S>& m = robot.m;
    DataOf<S>& d = robot.d;
    com_vel(m, d);
    Array<S> bias, force, acceleration;
    for (Array<S>* x : {&bias, &force, &acceleration}) x->resize(m.nv);
    rne(m, d, no_acceleration{}, bias);
    for (int j = 0; j < m.nv; ++j) {
        for (int i = 0; i < m.nv; ++i) acceleration[i] = S(i == j);
        rne(m, d, acceleration, force);
        for (int i = 0; i < m.nv; ++i) {
            const S armature(i == j ? m.dof_armature[i] : value_t<S>(0));
            check_near(S(force[i] + armature), S(bias[i] + entry(m, d, std::max(i, j), std::min(i, j))), rounding<S>);
        }
    }
}

TEST_CASE("Dofs that the inertia does not couple are marked, and no others") {
    Spec spec;
    const int alone = add_lone_bodies(spec.world);
    const auto rest = compile<Joints>(spec);
    REQUIRE(rest.nv == alone);
    for (int i = 0; i < rest.nv; ++i) CHECK(stands_alone(rest, i));

    Spec other;
    add_coupled_bodies(other.world);
    const auto coupled = compile<Joints>(other);
    for (int i = 0; i < coupled.nv; ++i) CHECK_FALSE(stands_alone(coupled, i));
}

TEMPLATE_TEST_CASE("The factors multiply to the inertia matrix", "", float, double, (dual<double, 1>), pack<float>) {
    using S = TestType;
    Moving<S> robot(true);
    const ModelOf<S>& m = robot.m;
    DataOf<S>& d = robot.d;
    factor(m, d);
    Array<S> product;
    product.resize(m.nv * m.nv);
    // M_ij is the sum over k of L_ki D_k L_kj with ones on the diagonal of L
    for (int k = 0; k < m.nv; ++k) {
        const int row = m.M_rowadr[k], last = m.M_rownnz[k] - 1;
        const auto L = [&](int c) { return c == last ? S(1) : S(d.qLD[row + c]); };
        for (int a = 0; a <= last; ++a)
            for (int b = 0; b <= last; ++b) product[m.M_colind[row + a] * m.nv + m.M_colind[row + b]] += L(a) * L(b) / d.qLDiagInv[k];
    }
    for (int i = 0; i < m.nv; ++i)
        for (int j = 0; j <= i; ++j) check_near(product[i * m.nv + j], entry(m, d, i, j), rounding<S>);
}

TEMPLATE_TEST_CASE("Jacobians are the slopes of positions", "", float, double, (dual<double, 1>), pack<float>) {
    using S = TestType;
    Moving<S> robot(false);
    const ModelOf<S>& m = robot.m;
    DataOf<S>& d = robot.d;
    DataOf<S> ahead(m), behind(m);
    const value_t<S> h = step_size<S>;
    Array<S> unit;
    unit.resize(m.nv);
    for (int i = 0; i < m.nv; ++i) {
        for (int k = 0; k < m.nv; ++k) unit[k] = S(k == i);
        for (auto* moved : {&ahead, &behind}) {
            for (int k = 0; k < m.nq; ++k) moved->qpos[k] = d.qpos[k];
            integrate_pos(m, moved->qpos, unit, moved == &ahead ? h : -h);
            kinematics(m, *moved);
        }
        for (int b = 1; b < m.nbody; ++b) {
            Vec3<S> column = Vec3<S>::zero();
            for_each_dof_of(m, b, [&](int dof) {
                if (dof == i) column = point_column(m, d, b, d.xipos[b], i);
            });
            for (int k = 0; k < 3; ++k) check_near(S((ahead.xipos[b][k] - behind.xipos[b][k]) / S(2 * h)), column[k], slope<S>);
        }
    }
}

TEMPLATE_TEST_CASE("Energy is kept, and changes by the power of forces", "", float, double, (dual<double, 1>), pack<float>) {
    using S = TestType;
    Moving<S> robot(false);
    const ModelOf<S>& m = robot.m;
    DataOf<S>& d = robot.d;
    factor(m, d);
    com_vel(m, d);
    spring_damper(m, d);
    rne(m, d);
    S power(0);
    for (int i = 0; i < m.nv; ++i) {
        const S push(value_t<S>(0.1) * static_cast<value_t<S>>(i - 5));
        d.qacc[i] = push + d.qfrc_spring[i] + d.qfrc_damper[i] - d.qfrc_bias[i];
        power += (push + d.qfrc_damper[i]) * d.qvel[i];
    }
    solve_ldl(m, d.qLD, d.qLDiagInv, d.qacc);
    const value_t<S> h = step_size<S>;
    const auto energy_at = [&](value_t<S> t) {
        DataOf<S> moved(m);
        for (int k = 0; k < m.nq; ++k) moved.qpos[k] = d.qpos[k];
        integrate_pos(m, moved.qpos, d.qvel, t);
        for (int i = 0; i < m.nv; ++i) moved.qvel[i] = d.qvel[i] + d.qacc[i] * t;
        positions(m, moved);
        energy_pos(m, moved);
        energy_vel(m, moved);
        return S(moved.energy[0] + moved.energy[1]);
    };
    // energies are of the order of a thousand joules here, and their differences as uncertain
    check_near(S((energy_at(h) - energy_at(-h)) / S(2 * h)), power, 100 * slope<S>);
}
