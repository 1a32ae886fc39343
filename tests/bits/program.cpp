// Prints how every robot of bench/, and a tray of two robots and three bodies, moves with every solver and integrator. The same text
// whatever the compiler, its flags and the instructions; and the program fails where a lane of a pack, among neighbours with controls of
// their own, moves differently from the environment alone. Builds with MJX_BITS_BRIEF look at the lanes of Newton alone.
#include "load.hpp"
#include "motion.hpp"

#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/solvers.hpp"

namespace {

#ifdef MJX_BITS_BRIEF
constexpr bool all_lanes = false;
#else
constexpr bool all_lanes = true;
#endif
bool same = true;

template <class T, class Integrator, class Solver>
void compare(const char* robot, const mjx::Model<double>& loaded) {
    auto model = mjx::cast<T>(loaded);
    model.opt.chosen = 0;  // not what the file asks for
    mjx::Simulator<T, Integrator, Solver, mjx::Model<T>> alone(model);
    const auto expected = bits::motion(alone, 0);
    bits::print(robot, Integrator::name, Solver::name, sizeof(T) == 4 ? "float" : "double", expected);
    if constexpr (all_lanes || (std::same_as<Integrator, mjx::Euler> && std::same_as<Solver, mjx::Newton>)) {
        mjx::Simulator<mjx::pack<T>, Integrator, Solver, mjx::Model<T>> pack(model);
        const auto found = bits::motion(pack, mjx::lanes_v<mjx::pack<T>> - 1);
        if (found == expected) return;
        std::printf("    but as a lane of a pack %016llx\n", static_cast<unsigned long long>(found));
        same = false;
    }
}

}  // namespace

int main() {
    for (const char* robot : bits::robots) {
        const auto model = load_scene(robot);
        compare<double, mjx::Euler, mjx::Newton>(robot, model);
        compare<double, mjx::Euler, mjx::CG>(robot, model);
        compare<double, mjx::Euler, mjx::PGS>(robot, model);
        compare<double, mjx::Euler, mjx::CachedPGS>(robot, model);
        compare<double, mjx::Euler, mjx::Penalty>(robot, model);
        compare<double, mjx::Euler, mjx::Unconstrained>(robot, model);
        compare<double, mjx::RK4, mjx::Newton>(robot, model);
        compare<double, mjx::Implicit, mjx::Newton>(robot, model);
        compare<double, mjx::ImplicitFast, mjx::Newton>(robot, model);
        compare<double, mjx::ImplicitSpringDamper, mjx::Newton>(robot, model);
        compare<double, mjx::Discrete, mjx::Newton>(robot, model);
        compare<float, mjx::Euler, mjx::Newton>(robot, model);
    }
    return same ? 0 : 1;
}
