// A program for a small machine: no exceptions, no RTTI, no other library than mjx, no heap. It drops a humanoid and moves an arm.
#include "arm.hpp"
#include "humanoid.hpp"

#include "mjx/integrators.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include <cstdio>
#include <cstdlib>

namespace {
bool stepping = false;
mjx::Simulator<float, mjx::Euler, mjx::Newton, models::Humanoid> humanoid;
mjx::Simulator<double, mjx::RK4, mjx::Unconstrained, models::Arm> arm;
}  // namespace

void* operator new(std::size_t size) {
    if (stepping) std::abort();
    return std::malloc(size);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

int main() {
    static_assert(std::is_trivially_copyable_v<decltype(humanoid)::data_type>);
    static_assert(sizeof(decltype(humanoid)::data_type) < 100 * 1024, "an environment fits the nearer caches");
    constexpr int elbow = models::Arm::joint("joint4");
    stepping = true;
    humanoid.step(20);
    const float fallen = 1.35f - humanoid.qpos()[2];
    humanoid.step(200);
    arm.qvel()[models::Arm::jnt_dofadr[elbow]] = 1;
    arm.step(20);
    stepping = false;
    // 0.1 s of free fall, then the ground; the elbow went the way it was pushed
    const double turned = arm.qpos()[models::Arm::jnt_qposadr[elbow]];
    const int contacts = humanoid.data().ncon;
    std::printf("the humanoid fell %g m and has %d contacts, the elbow turned %g rad\n", static_cast<double>(fallen), contacts, turned);
    return fallen > 0.04f && fallen < 0.06f && contacts > 0 && humanoid.qpos()[2] > 0 && turned > 0 ? 0 : 1;
}
