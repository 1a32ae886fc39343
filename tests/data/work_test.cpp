// The region of work space against what algorithms say they work on, each where it is declared.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/collision/near_bodies.hpp"
#include "mjx/constraint/make.hpp"
#include "mjx/integrators.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalars.hpp"
#include "mjx/sensor/sensor.hpp"
#include "mjx/solver/effective.hpp"
#include "mjx/solver/force_rows.hpp"
#include "mjx/solver/inverse.hpp"
#include "mjx/solver/penalty.hpp"
#include "mjx/solver/work.hpp"
#include "mjx/stage/crba.hpp"
#include "mjx/stage/energy.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/rne.hpp"
#include "mjx/stage/tendon.hpp"
#include "mjx/stage/velocity_derivative.hpp"

#include <algorithm>

using namespace mjx;
using namespace mjx::inner;

namespace {

template <template <class, class> class W>
struct Part {
    template <class S, class M>
    using work = W<S, M>;
};
// The bytes of loans that are out at the same time.
template <class S, template <class, class> class... Works>
std::size_t together(const Model<value_t<S>>& m) {
    return (std::size_t(0) + ... + work_bytes<Part<Works>, S>(m));
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

TEMPLATE_TEST_CASE("The work space holds every integrator with those that call stages, and any stage or solver above them", "", double,
                   (dual<double, 2>), pack<float>) {
    using S = TestType;
    const std::string workshop = std::string("<mujoco><include file='") + MJX_TESTS_DIR + "/models/workshop.xml'/></mujoco>";
    const std::string humanoid = std::string("<mujoco><include file='") + MJX_TESTS_DIR + "/models/humanoid.xml'/></mujoco>";
    for (const std::string& text : {std::string(one_ball), slides(3, 1), slides(3000, 7), workshop, humanoid}) {
        const auto m = cast<value_t<S>>(load_model_string(text));
        CAPTURE(m.nv, m.nbody, m.njmax);
        const std::size_t room = standard_space::bytes<S>(m);
        const std::size_t integrator = std::max({together<S, RK4Work>(m), together<S, EulerWork>(m), together<S, ImplicitWork>(m),
                                                 together<S, SpringDamperWork>(m), together<S, EffectiveWork>(m)});
        const std::size_t caller = together<S, RecordWork, InverseWork>(m);
        const std::size_t stage = std::max({together<S, BiasWork, FrameWork>(m), together<S, RneWork>(m), together<S, MomentumWork>(m),
                                            together<S, AngleWork>(m), together<S, CrbaWork>(m), together<S, TendonWork>(m),
                                            together<S, DiagonalWork>(m), together<S, BroadWork>(m), together<S, NearWork>(m),
                                            together<S, IslandWork>(m)});
        const std::size_t solver = std::max({together<S, SolverWork>(m), together<S, ForceWork>(m), together<S, PenaltyWork>(m)});
        CHECK(room >= integrator + caller + std::max(stage, solver));
    }
}
