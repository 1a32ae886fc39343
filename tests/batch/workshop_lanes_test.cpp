// Packs in a scene with contacts of meshes and a height field.
//
// A patch of two hulls has at most four corners, those of the largest quadrilateral. Where corners coincide several are equally
// large, and the last bit decides, as in MuJoCo: there a run parts from another that differs from it by rounding, a pack from its
// environments as much as an environment from itself after a nudge of 1e-16. So each step is compared from the same state.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/batch/lanes.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"

#include <memory>
#include <vector>

TEST_CASE("each step of a lane among contacts of meshes is the step of its environment alone") {
    using P = mjx::pack<double>;
    const auto model = load_scene("workshop");
    const auto pack = std::make_unique<mjx::Simulator<P, mjx::Euler, mjx::Newton>>(model);
    mjx::Simulator<double, mjx::Euler, mjx::Newton> alone(model);
    std::vector<mjx::State<double>> states;  // every environment has controls of its own
    for (int k = 0; k < mjx::lanes_v<P>; ++k) {
        for (int i = 0; i < model.nu; ++i) alone.ctrl()[i] = 0.1 * ((i + k) % 5 - 2);
        states.emplace_back(alone.data());
    }
    int most = 0;
    for (int step = 0; step < 100; ++step) {
        for (int k = 0; k < mjx::lanes_v<P>; ++k) mjx::set_lane_state(pack->data(), k, states[static_cast<std::size_t>(k)]);
        pack->step();
        for (int k = 0; k < mjx::lanes_v<P>; ++k) {
            auto& state = states[static_cast<std::size_t>(k)];
            state.restore(alone.data());
            alone.step();
            CAPTURE(step, k);
            most = std::max(most, alone.data().ncon);
            double apart = 0;
            for (int i = 0; i < model.nv; ++i) apart = std::max(apart, std::abs(lane(pack->qvel()[i], k) - alone.qvel()[i]));
            CHECK(apart < 1e-9);
            state = mjx::State<double>(alone.data());
        }
    }
    CHECK(most > 8);
}
