// Two robots whose files have one name live in one program. The crab has room for three contacts and needs four, for nine rows and
// needs twelve for three contacts; the lamp keeps its shade.
#include "robot_crab.hpp"
#include "robot_lamp.hpp"

#include "mjx/data.hpp"
#include "mjx/integrators.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include <cstdio>
#include <string>

using Crab = models::RobotCrab;
using Lamp = models::RobotLamp;

static_assert(Crab::nconmax == 3 && Crab::njmax == 9);
static_assert(Crab::ngeom == 3 && Crab::geom("claw") == 2 && Crab::nmesh == 0, "what a sensor looks at stays, what is only seen goes");
static_assert(Lamp::ngeom == 3 && Lamp::nmesh == 1, "asked for");
static_assert(Lamp::nconmax == 2 && Lamp::njmax == 8, "a capsule on a table: two contacts of four rows");

int main() {
    mjx::Simulator<double, mjx::Euler, mjx::Newton, Crab> crab;
    mjx::Simulator<double, mjx::Euler, mjx::Newton, Lamp> lamp;
    std::string said;
    crab.on_warning([&](const mjx::Warning& w) { said += w.text + "\n"; });
    crab.step();
    lamp.step();
    std::printf("%s", said.c_str());
    const auto told = [&](const char* part) { return said.find(part) != std::string::npos; };
    return told("room for 3, 1 more were left out; build the model with mjx_add_model(... CONTACTS 4)") &&
                   told("room for 9, the rows of 1 more") && told("mjx_add_model(... ROWS 12)") && crab.data().ncon == 3 &&
                   crab.data().warning[mjx::warning::contactfull] == 1 && lamp.warnings().empty()
               ? 0
               : 1;
}
