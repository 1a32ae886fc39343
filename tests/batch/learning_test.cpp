// What learning needs of a batch: resets of some environments, observations of any field, arrays without copies.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/batch/batch.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/solver/newton.hpp"

namespace {

const mjx::Model<>& scene() {
    static const mjx::Model<> model = load_model_string(R"(<mujoco><size nuserdata="2"/><worldbody>
        <geom type="plane" size="5 5 1"/>
        <body name="target" mocap="true" pos="0 0 1"/>
        <body name="ball" pos="0 0 0.3"><freejoint/><geom size="0.1"/>
            <body pos="0 0 0.2"><joint name="arm" axis="0 1 0"/><geom size="0.03" fromto="0 0 0 0.2 0 0" type="capsule"/></body></body>
        </worldbody><actuator><motor joint="arm"/></actuator><sensor><jointvel joint="arm"/></sensor>
        <keyframe><key time="3" qpos="1 2 0.5 1 0 0 0 0.4" qvel="0 0 0 0 0 0 2" ctrl="0.7" mpos="1 1 1"/></keyframe></mujoco>)");
    return model;
}

// Pushes by what each environment has in its userdata: a controller with values of its own, in every step.
struct Push {
    template <class M, class D>
    void control(const M&, D& d) const {
        d.ctrl[0] = d.userdata[0] * d.qpos[7] + d.userdata[1];
    }
};
template <class S, class Hooks = mjx::no_hooks>
using Batch = mjx::Batch<S, mjx::Euler, mjx::Newton, mjx::Model<>, Hooks>;

constexpr int environments = 11;
mjx::Vector<bool> every_third() {
    auto mask = mjx::Vector<bool>::from_shape({environments});
    for (std::size_t e = 0; e < environments; ++e) mask(e) = e % 3 == 1;
    return mask;
}

}  // namespace

TEMPLATE_TEST_CASE("chosen environments go to a keyframe, the others stay as they are", "", double, mjx::pack<double>) {
    Batch<TestType> batch(scene(), environments, 2);
    batch.step(10);
    const auto before = batch.qpos();
    const auto mask = every_third();
    batch.reset(mask, 0);
    const auto qpos = batch.qpos(), qvel = batch.qvel(), time = batch.time(), mocap = batch.get("mocap_pos"), ctrl = batch.ctrl();
    for (std::size_t e = 0; e < environments; ++e) {
        for (std::size_t i = 0; i < qpos.shape(1); ++i) CHECK(qpos(e, i) == (mask(e) ? scene().key_qpos[int(i)] : before(e, i)));
        CHECK(time(e, 0) == Approx(mask(e) ? 3 : 0.02));
        CHECK(mocap(e, 0) == (mask(e) ? 1 : 0));
        CHECK(ctrl(e, 0) == (mask(e) ? 0.7 : 0));
        if (mask(e)) CHECK(qvel(e, 6) == 2);
    }
    CHECK_THROWS_WITH(batch.reset(mask, 1), "Batch: there is no keyframe 1, the model has 1");
}

TEMPLATE_TEST_CASE("chosen environments go to random states that only the seed decides", "", float, mjx::pack<double>) {
    using T = mjx::lane_t<TestType>;
    const auto shaken = [](int threads, std::uint64_t seed) {
        Batch<TestType> batch(scene(), environments, threads);
        batch.reset(every_third(), seed, [](const auto& environment, auto& random) {
            environment.qpos[7] = T(random.uniform(-1, 1));
            environment.qvel[0] += T(environment.index);
        });
        return std::pair(batch.qpos(), batch.qvel());
    };
    const auto [qpos, qvel] = shaken(1, 7);
    CHECK((shaken(3, 7).first == qpos));
    CHECK((shaken(3, 8).first != qpos));
    for (std::size_t e = 0; e < environments; ++e) {
        CHECK((qpos(e, 7) != 0) == (e % 3 == 1));
        CHECK(qvel(e, 0) == (e % 3 == 1 ? T(e) : 0));
        CHECK(std::abs(qpos(e, 7)) < 1);
    }
    CHECK(qpos(1, 7) != qpos(4, 7));
}

TEMPLATE_TEST_CASE("a functor sees the Data of every environment, contacts too", "", double, mjx::pack<float>) {
    using T = mjx::lane_t<TestType>;
    Batch<TestType> batch(scene(), environments, 2);
    auto qpos = batch.qpos();
    for (std::size_t e = 0; e < environments; ++e) qpos(e, 2) = T(e % 2 == 0 ? 0.09 : 0.5);
    batch.set_qpos(qpos);
    const auto observe = [](const auto&, const auto& d, auto* out) {
        using S = TestType;
        out[0] = d.xpos[2][2];
        for (int c = 0; c < d.ncon; ++c) out[1] += mjx::select(d.contact[c].dist < S(0), S(1), S(0));
    };
    const auto seen = batch.map(2, observe);
    REQUIRE((seen.shape() == std::array<std::size_t, 2>{environments, 2}));
    for (std::size_t e = 0; e < environments; ++e) {
        CHECK(seen(e, 0) == qpos(e, 2));
        CHECK((seen(e, 1) > 0) == (e % 2 == 0));
    }
    CHECK((batch.qpos() == qpos));
    // after steps: positions are new, contacts those on the way
    Batch<TestType> other(scene(), environments, 1);
    other.set_qpos(qpos);
    const auto stepped = batch.step(3, 1, [](const auto&, const auto& d, auto* out) { out[0] = d.qpos[2]; });
    other.step(3);
    const auto expected = other.qpos();
    for (std::size_t e = 0; e < environments; ++e) CHECK(stepped(e, 0) == expected(e, 2));
}

TEMPLATE_TEST_CASE("a view is the state itself", "", double, mjx::pack<double>) {
    Batch<TestType> batch(scene(), environments, 2);
    auto view = batch.view("qvel");
    REQUIRE((view.shape()[0] == environments && view.shape()[1] == std::size_t(scene().nv)));
    for (std::size_t e = 0; e < environments; ++e) view(e, 3) = double(e);
    const auto qvel = batch.qvel();
    for (std::size_t e = 0; e < environments; ++e) CHECK(qvel(e, 3) == double(e));
    batch.step();
    CHECK((view(10, 2) == batch.qvel()(10, 2) && view(10, 2) < 0));
    CHECK_THROWS_WITH(batch.get("xpos"), Catch::Contains("environments keep no 'xpos', expected one of time, qpos, qvel"));
}

TEMPLATE_TEST_CASE("hooks act in every step with values of the environment's own", "", double, mjx::pack<double>) {
    Batch<TestType, Push> batch(scene(), environments, 2);
    auto gains = batch.userdata();
    for (std::size_t e = 0; e < environments; ++e) {
        gains(e, 0) = -0.1 * double(e);
        gains(e, 1) = 0.01;
    }
    batch.set_userdata(gains);
    batch.step(20);
    const auto qpos = batch.qpos();
    for (int e = 0; e < environments; ++e) {
        mjx::Simulator<double, mjx::Euler, mjx::Newton> alone(scene());
        for (int k = 0; k < 20; ++k) {
            alone.ctrl()[0] = -0.1 * e * alone.qpos()[7] + 0.01;
            alone.step();
        }
        for (int i = 0; i < scene().nq; ++i) CHECK(qpos(std::size_t(e), std::size_t(i)) == alone.qpos()[i]);
    }
}

TEMPLATE_TEST_CASE("an environment goes on from a state of another", "", double, mjx::pack<double>) {
    Batch<TestType> batch(scene(), environments, 2);
    batch.reset(every_third(), 1, [](const auto& environment, auto& random) { environment.qvel[6] = random.uniform(); });
    batch.step(5);
    const auto saved = batch.state(4);
    batch.set_state(9, saved);
    batch.step(5);
    const auto qpos = batch.qpos();
    for (std::size_t i = 0; i < qpos.shape(1); ++i) CHECK(qpos(9, i) == qpos(4, i));
    batch.set_state(saved);
    batch.step(5);
    const auto all = batch.qpos();
    for (std::size_t i = 0; i < qpos.shape(1); ++i) CHECK((all(0, i) == qpos(4, i) && all(10, i) == qpos(4, i)));
    CHECK_THROWS_WITH(batch.set_state(0, {}), "Batch: the state is that of another model");
}

TEMPLATE_TEST_CASE("chosen environments go on from states, one for all or one for each", "", double, mjx::pack<double>) {
    const auto thrown = [](int threads) {
        auto batch = std::make_unique<Batch<TestType>>(scene(), environments, threads);
        auto qvel = batch->qvel();
        for (std::size_t e = 0; e < environments; ++e) qvel(e, 6) = 0.1 * double(e);
        batch->set_qvel(qvel);
        batch->step(30);
        return batch;
    };
    const auto mask = every_third();
    const auto saved = thrown(1);
    std::vector<mjx::State<double>> states;
    for (int e = 0; e < environments; ++e) states.push_back(saved->state(e));
    const auto same = [](const auto& a, const auto& b) { return a.values == b.values && a.switches == b.switches; };
    for (const bool one : {true, false}) {
        const auto batch = thrown(2);
        batch->step(20);
        std::vector<mjx::State<double>> before;
        for (int e = 0; e < environments; ++e) before.push_back(batch->state(e));
        if (one)
            batch->reset(mask, states[5]);
        else
            batch->reset(mask, states);
        for (std::size_t e = 0; e < environments; ++e) CHECK(same(batch->state(int(e)), mask(e) ? states[one ? 5 : e] : before[e]));
        batch->step(20);
        const auto alone = thrown(1);
        alone->step(20);
        for (std::size_t i = 0; i < std::size_t(scene().nq); ++i) CHECK(batch->qpos()(4, i) == alone->qpos()(one ? 5 : 4, i));
    }
    states.pop_back();
    CHECK_THROWS_WITH(saved->reset(mask, states), "Batch: reset was given 10 states, expected 1 or 11");
    CHECK_THROWS_WITH(saved->reset(mask, mjx::State<double>{}), "Batch: the state is that of another model");
}

TEMPLATE_TEST_CASE("a functor starts environments with targets, forces and times, too", "", double, mjx::pack<float>) {
    using T = mjx::lane_t<TestType>;
    Batch<TestType> batch(scene(), environments, 2);
    const auto mask = every_third();
    batch.reset(mask, 1, [](const auto& environment, auto&) {
        const T x = T(environment.index);
        CHECK((environment.mocap_pos.size() == 3 && environment.xfrc_applied.size() == 6 * scene().nbody));
        environment.mocap_pos[2] += x;
        environment.mocap_quat[0] = 0;
        environment.mocap_quat[3] = 1;
        environment.xfrc_applied[6 * 2 + 1] = x;
        environment.qfrc_applied[6] = x;
        environment.time = x;
    });
    const auto target = batch.get("mocap_pos"), turned = batch.get("mocap_quat"), pushed = batch.get("xfrc_applied");
    for (std::size_t e = 0; e < environments; ++e) {
        const T x = T(mask(e) ? e : 0);
        CHECK((target(e, 2) == 1 + x && turned(e, 3) == (mask(e) ? 1 : 0) && pushed(e, 13) == x));
        CHECK((batch.get("qfrc_applied")(e, 6) == x && batch.time()(e, 0) == x));
    }
}

// Mocap bodies carry what is welded to them: each environment follows its own target, and is pushed by a force of its own.
TEMPLATE_TEST_CASE("targets and applied forces of the environments are those of simulators", "", double, mjx::pack<double>) {
    const auto model = load_model_string(R"(<mujoco><worldbody><body name="target" mocap="true" pos="0 0 1"/>
        <body name="ball" pos="0 0 1"><freejoint/><geom size="0.1"/>
            <body pos="0 0 0.2"><joint axis="0 1 0"/><geom size="0.03" fromto="0 0 0 0.2 0 0" type="capsule"/></body></body></worldbody>
        <equality><weld body1="target" body2="ball"/></equality></mujoco>)");
    const auto pos = [](std::size_t e, std::size_t i) { return 0.01 * double(e * (i + 1)) + (i == 2 ? 1 : 0); };
    const auto quat = [](std::size_t e, std::size_t i) { return i == 0 ? 1 : 0.02 * double(e) * double(i); };
    const auto force = [](std::size_t e, std::size_t i) { return 0.1 * (double((e + 3 * i) % 7) - 3); };
    Batch<TestType> batch(model, environments, 2);
    const auto filled = [](auto array, const auto& number) {
        for (std::size_t e = 0; e < array.shape(0); ++e)
            for (std::size_t i = 0; i < array.shape(1); ++i) array(e, i) = number(e, i);
        return array;
    };
    batch.set_mocap_pos(filled(batch.get("mocap_pos"), pos));
    batch.set_mocap_quat(filled(batch.get("mocap_quat"), quat));
    batch.set_xfrc_applied(filled(batch.get("xfrc_applied"), force));
    batch.step(40);
    const auto qpos = batch.qpos();
    for (std::size_t e = 0; e < environments; ++e) {
        mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(model);
        auto& d = sim.data();
        for (int i = 0; i < 3; ++i) d.mocap_pos[0][i] = pos(e, std::size_t(i));
        for (int i = 0; i < 4; ++i) d.mocap_quat[0][i] = quat(e, std::size_t(i));
        for (int b = 0; b < model.nbody; ++b)
            for (int i = 0; i < 6; ++i) d.xfrc_applied[b][i] = force(e, std::size_t(6 * b + i));
        sim.step(40);
        for (int i = 0; i < model.nq; ++i) CHECK(qpos(e, std::size_t(i)) == sim.qpos()[i]);
    }
}

namespace {

// An equality that holds the ball up unless it is off, and a box at rest that falls asleep.
const mjx::Model<>& switched() {
    static const mjx::Model<> model = load_model_string(R"(<mujoco><option><flag sleep="enable"/></option><worldbody>
        <geom type="plane" size="5 5 1"/>
        <body name="ball" pos="0 0 1"><freejoint/><geom size="0.1"/></body>
        <body name="box" pos="1 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody>
        <equality><weld name="hook" body1="ball"/></equality></mujoco>)");
    return model;
}

}  // namespace

TEMPLATE_TEST_CASE("an environment of plain numbers takes the switches of a state, too", "", double, float) {
    using T = TestType;
    Batch<T> batch(switched(), 3, 2);
    mjx::Simulator<T, mjx::Euler, mjx::Newton> sim(switched());
    sim.data().eq_active[0] = 0;
    for (int i = 0; i < 400 && sim.data().tree_asleep[1] < 0; ++i) sim.step();
    REQUIRE(sim.data().tree_asleep[1] >= 0);
    const mjx::State<T> falling(sim.data());
    batch.set_state(1, falling);
    CHECK((batch.state(1).switches == falling.switches));
    CHECK((batch.state(0).switches != falling.switches));
    batch.step(20);
    sim.step(20);
    const auto qpos = batch.qpos();
    for (int i = 0; i < switched().nq; ++i) CHECK(qpos(1, std::size_t(i)) == sim.qpos()[i]);
    CHECK(qpos(0, 2) == Approx(1).margin(0.01));  // hangs
}

TEST_CASE("environments of a pack refuse a state whose switches are others than those they share") {
    using P = mjx::pack<double>;
    if (mjx::lanes_v<P> == 1) return;
    constexpr int size = mjx::lanes_v<P> + 1;
    Batch<P> batch(switched(), size, 2);
    auto state = batch.state(0);
    state.switches[0] = 0;
    CHECK_THROWS_WITH(
        batch.set_state(1, state),
        Catch::Contains("Batch: environment 1: eq_active[0] is 0 in the state and 1 in its pack, whose environments share it"));
    CHECK(batch.state(1).switches[0] == 1);
    batch.set_state(size - 1, state);  // alone in its block
    CHECK(batch.state(size - 1).switches[0] == 0);
    batch.set_state(state);  // all of them
    for (int e = 0; e < size; ++e) CHECK(batch.state(e).switches[0] == 0);
    state.switches[1] = 0;
    CHECK_THROWS_WITH(batch.set_state(0, state), Catch::Contains("tree_asleep[0] is 0 in the state"));
    auto all = mjx::Vector<bool>::from_shape({std::size_t(size)});
    all.fill(true);
    batch.reset(all);
    for (int e = 0; e < size; ++e) CHECK(batch.state(e).switches[0] == 1);
}

TEST_CASE("switches are read and set by name, together where a pack shares them") {
    Batch<double> batch(switched(), 3, 2);
    auto active = batch.get("eq_active");
    REQUIRE((active.shape() == std::array<std::size_t, 2>{3, 1}));
    CHECK((active(0, 0) == 1 && active(2, 0) == 1));
    active(1, 0) = 0;
    batch.set("eq_active", active);
    CHECK((batch.get("eq_active") == active));
    batch.step(50);
    const auto qpos = batch.qpos();
    CHECK((qpos(0, 2) > 0.99 && qpos(1, 2) < 0.96 && qpos(2, 2) == qpos(0, 2)));
    CHECK_THROWS_WITH(batch.view("eq_active"), "Batch: 'eq_active' are switches, which have no view; expected get and set");

    using P = mjx::pack<double>;
    constexpr std::size_t size = std::size_t(mjx::lanes_v<P>) + 1;
    Batch<P> lanes(switched(), int(size), 1);
    auto all = lanes.get("eq_active");
    all.fill(0);
    all(size - 1, 0) = 1;
    lanes.set("eq_active", all);
    CHECK((lanes.get("eq_active") == all));
    lanes.step(50);
    CHECK((lanes.qpos()(0, 2) < 0.96 && lanes.qpos()(size - 1, 2) > 0.99));
    if (size == 2) return;
    all(1, 0) = 1;
    CHECK_THROWS_WITH(lanes.set("eq_active", all),
                      Catch::Contains("Batch: environments 0 and 1 share a pack and with it 'eq_active', but"));
}

TEST_CASE("environments that break are told, and were reset unless the model forbids it") {
    for (const bool autoreset : {true, false}) {
        mjx::Model<> m = scene();
        if (!autoreset) m.opt.disableflags |= mjx::disable::autoreset;
        Batch<mjx::pack<float>> batch(m, environments, 2);
        auto qvel = batch.qvel();
        qvel(6, 2) = std::numeric_limits<float>::quiet_NaN();
        batch.set_qvel(qvel);
        batch.step();
        for (std::size_t e = 0; e < environments; ++e) {
            CHECK(batch.was_bad()(e) == (e == 6));
            CHECK(batch.was_reset()(e) == (e == 6 && autoreset));
        }
    }
}

TEMPLATE_TEST_CASE("environments that broke are told until the next step or rollout, whatever is looked at or reset meanwhile", "", double,
                   mjx::pack<float>) {
    using T = mjx::lane_t<TestType>;
    Batch<TestType> batch(scene(), environments, 2);
    const auto breaks = [&](std::size_t e) {
        auto qvel = batch.qvel();
        qvel(e, 2) = std::numeric_limits<T>::quiet_NaN();
        batch.set_qvel(qvel);
    };
    const auto only = [&](std::size_t bad) {
        const auto told = batch.was_bad();
        for (std::size_t e = 0; e < environments; ++e) CHECK(told(e) == (e == bad));
    };
    breaks(6);
    batch.step();
    only(6);
    batch.map(1, [](const auto&, const auto& d, auto* out) { out[0] = d.qpos[2]; });
    only(6);
    batch.reset(every_third());
    only(6);
    batch.reset(every_third(), 3, [](const auto& environment, auto& random) { environment.qpos[7] = T(random.uniform()); });
    only(6);
    batch.set_state(batch.state(0));
    only(6);
    breaks(2);
    batch.step(2, 1, [](const auto&, const auto& d, auto* out) { out[0] = d.qpos[2]; });
    only(2);
    batch.step();
    only(environments);
    auto controls = mjx::Tensor3<T>::from_shape({environments, 3, 1});
    controls.fill(0);
    breaks(3);
    batch.rollout(controls);
    only(3);
    breaks(5);
    batch.rollout(controls, [](int, int, const auto&) {});
    only(5);
    batch.reset();
    only(5);
}
