// The region of work space against what algorithms say they work on, each where it is declared.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/data.hpp"
#include "mjx/integrators.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalars.hpp"
#include "mjx/solvers.hpp"

#include <cstddef>
#include <string>

using namespace mjx;
using namespace mjx::inner;

namespace {

template <class...>
struct Kinds {};

// Whether an integrator's loan, that of whom it calls and the solver's fit into a Data one on the other, with all their arrays.
template <template <class, class> class Caller, class Integrator, class Solver, class S, class M>
bool fits(const M& m, Data<S, M>& d) {
    using Integrates = typename Integrator::template work<S, M>;
    using Solves = typename Solver::template work<S, M>;
    const std::size_t needed = loan_bytes<Integrates>(m) + loan_bytes<Caller<S, M>>(m) + loan_bytes<Solves>(m);
    if (needed > d.work.size) return false;  // a loan would end the program
    const Loan<Integrates, HeapRegion> integrates(m, d.work);
    const auto caller = borrow<Caller>(m, d);
    const Loan<Solves, HeapRegion> solves(m, d.work);
    return static_cast<std::size_t>(d.work.end) == needed;
}
template <class Integrator, class... Solvers, class S, class M>
bool all_fit(Kinds<Solvers...>, const M& m, Data<S, M>& d) {
    return (... && (fits<RecordWork, Integrator, Solvers>(m, d) && fits<InverseWork, Integrator, Solvers>(m, d) &&
                    fits<AsleepWork, Integrator, Solvers>(m, d)));
}

const char* const one_ball = "<mujoco><size njmax='100000'/><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";

// Slides, more of them than a dense Hessian has, with tendons along some of them.
std::string slides(int count, int tendons) {
    std::string bodies, paths;
    for (int k = 0; k < count; ++k) {
        const std::string n = std::to_string(k);
        bodies += "<body pos='" + n + " 0 1'><joint name='j" + n + "' type='slide'/><geom size='.1'/></body>";
    }
    for (int t = 0; t < tendons; ++t) {
        paths += "<fixed limited='true' range='-1 1' frictionloss='1'>";
        for (int k = t; k < count; k += tendons) paths += "<joint joint='j" + std::to_string(k) + "' coef='1'/>";
        paths += "</fixed>";
    }
    return "<mujoco><worldbody>" + bodies + "</worldbody><tendon>" + paths + "</tendon></mujoco>";
}

}  // namespace

TEMPLATE_TEST_CASE("The work space holds every integrator with those that call stages, and any solver above them", "", double,
                   (dual<double, 2>), pack<float>) {
    using S = TestType;
    const std::string workshop = std::string("<mujoco><include file='") + MJX_TESTS_DIR + "/models/workshop.xml'/></mujoco>";
    const std::string humanoid = std::string("<mujoco><include file='") + MJX_TESTS_DIR + "/models/humanoid.xml'/></mujoco>";
    for (const std::string& text : {std::string(one_ball), slides(3, 1), slides(3000, 7), workshop, humanoid}) {
        const auto m = cast<value_t<S>>(load_model_string(text));
        CAPTURE(m.nv, m.nbody, m.njmax);
        Data<S, Model<value_t<S>>> d(m);
        const Kinds<PGS, CachedPGS, CG, Newton, Penalty> solvers;
        CHECK(all_fit<Euler>(solvers, m, d));
        CHECK(all_fit<RK4>(solvers, m, d));
        CHECK(all_fit<Implicit>(solvers, m, d));
        CHECK(all_fit<ImplicitFast>(solvers, m, d));
        CHECK(all_fit<Discrete>(solvers, m, d));
        CHECK(all_fit<ImplicitSpringDamper>(solvers, m, d));
        CHECK(d.work.end == 0);
        // what a program brings takes the place of the library's where it is larger
        const std::size_t room = standard_space::bytes<S>(m), large = 2 * room;
        CHECK(standard_space::bytes<S>(m, 1, 1) == room);
        CHECK(standard_space::bytes<S>(m, large) > large);
        CHECK(standard_space::bytes<S>(m, 0, large) > large);
    }
}
