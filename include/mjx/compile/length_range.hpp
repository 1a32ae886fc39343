// actuator_lengthrange: how short and how long an actuator's transmission can get, for muscles (and others on request).
//
// Found by simulation, as in MuJoCo: the model is pulled along the actuator with a steady acceleration, first one way and then the
// other, with gravity, springs, dampers, dry friction, contacts and actuators off, while its velocity decays. Joint limits and
// equality constraints stop it; the length over the last interval is the answer, if it has settled by then.
#pragma once

#include "mjx/compile/capacity.hpp"
#include "mjx/compile/row_solver.hpp"
#include "mjx/constraint/make.hpp"
#include "mjx/constraint/reference.hpp"
#include "mjx/integrator/advance.hpp"
#include "mjx/stage/acceleration.hpp"
#include "mjx/stage/rne.hpp"
#include "mjx/stage/velocity.hpp"

#include <chrono>

namespace mjx::inner::compiler {

template <class M>
bool needs_length_range(const M& m, int i, const SpecCompiler& c) {
    const unsigned facts = gain_kinds[m.actuator_gaintype[i]].facts | bias_kinds[m.actuator_biastype[i]].facts;
    const bool muscle = (facts & actuator_fact::length) != 0, user = (facts & actuator_fact::own) != 0;
    if (c.lr_mode == 0 || (c.lr_mode == 1 && !muscle) || (c.lr_mode == 2 && !muscle && !user)) return false;
    const auto& range = m.actuator_lengthrange[m.actuator_outadr[i]];
    return !(c.lr_useexisting && range[0] < range[1]);
}

template <class M>
bool wants_length_ranges(const M& m, const Spec& spec) {
    for (int i = 0; i < m.nactuator; ++i)
        if (needs_length_range(m, i, spec.compiler)) return true;
    return false;
}

// With uselimit, a limited joint or tendon says it all.
template <class M>
bool take_limit(M& m, int i) {
    const int id = m.actuator_trnid[i][0], out = m.actuator_outadr[i], type = m.actuator_trntype[i];
    if (drives_joint(type) && m.jnt_limited[id])
        m.actuator_lengthrange[out] = m.jnt_range[id];
    else if (drives_tendon(type) && m.tendon_limited[id])
        m.actuator_lengthrange[out] = m.tendon_range[id];
    else
        return false;
    return true;
}

// Position and velocity stages of a model without contacts.
template <class M>
void prepare_pull(const M& m, RestData<M>& d) {
    kinematics(m, d);
    com_pos(m, d);
    tendon(m, d);
    crba(m, d);
    tendon_armature(m, d);
    factor(m, d);
    make_constraint(m, d, m.opt.cone);
    transmission(m, d);
    com_vel(m, d);
    reference_constraint(m, d);
    rne(m, d);
    tendon_bias(m, d);
}

// A generalized force along the moment that accelerates the model at lr_accel; `side` is -1 or 1.
template <class M>
void set_pull(const M& m, RestData<M>& d, int out, double side, const SpecCompiler& c) {
    const auto length = [&] {
        double sum = 0;
        for (int i = 0; i < m.nv; ++i) sum += d.qfrc_applied[i] * d.qfrc_applied[i];
        return std::sqrt(sum);
    };
    const auto moment = [&](double scale) {
        for (int i = 0; i < m.nv; ++i) d.qfrc_applied[i] = 0;
        for (int k = m.moment_rowadr[out]; k < m.moment_rowadr[out] + m.moment_rownnz[out]; ++k)
            d.qfrc_applied[m.moment_colind[k]] = d.actuator_moment[k] * scale;
    };
    moment(1);
    solve_ldl(m, d.qLD, d.qLDiagInv, d.qfrc_applied);
    moment(side * c.lr_accel / std::max(minval, length()));
    const double force = length();
    if (c.lr_maxforce > 0 && force > c.lr_maxforce)
        for (int i = 0; i < m.nv; ++i) d.qfrc_applied[i] *= c.lr_maxforce / std::max(minval, force);
}

// One step; gives the length before it.
template <class M>
double pull(const M& m, RestData<M>& d, int out, double side, const SpecCompiler& c) {
    const double decay = std::exp(-m.opt.timestep / std::max(0.01, c.lr_timeconst));
    for (int i = 0; i < m.nv; ++i) d.qvel[i] *= decay;
    prepare_pull(m, d);
    set_pull(m, d, out, side, c);
    acceleration(m, d);
    solve_rows(m, d);
    for (int i = 0; i < m.nv; ++i) {
        d.qvel[i] += d.qacc[i] * m.opt.timestep;
        d.qacc_warmstart[i] = d.qacc[i];
    }
    integrate_pos(m, d.qpos, d.qvel, m.opt.timestep);
    d.time += m.opt.timestep;
    return d.actuator_length[out];
}

// What the search for all length ranges may take.
class RangeClock {
  public:
    explicit RangeClock(const Budget& budget) : budget_(budget) {}
    void check_steps(double steps, const std::string& where) const {
        if (steps > static_cast<double>(budget_.range_steps))
            fail(where, {"lengthrange: inttotal over timestep is ", over_budget(budget_.range_steps, "range_steps")});
    }
    void check_time(const std::string& where) const {
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
        if (spent.count() > budget_.seconds)
            fail(where, {"the simulations that find lengthranges took ", std::to_string(budget_.seconds),
                         " seconds, their budget (budget.seconds); give lengthrange"});
    }

  private:
    const Budget& budget_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Least and greatest length while the simulation settles at one end.
template <class M>
[[gnu::cold]] Interval settled_length(const M& m, RestData<M>& d, int i, double side, const SpecCompiler& c, const std::string& where,
                                      const RangeClock& clock) {
    Interval range{{0, 0}};
    bool first = true;
    reset(m, d);
    clock.check_steps(c.lr_inttotal / m.opt.timestep, where);
    while (d.time < c.lr_inttotal) {
        clock.check_time(where);
        const double length = pull(m, d, m.actuator_outadr[i], side, c);
        if (any(bad_lanes<double>(d.qacc, m.nv)) || any(bad_lanes<double>(d.qpos, m.nq)))
            fail(where, "the simulation that finds its lengthrange is unstable; give lengthrange, or change the lengthrange element");
        if (!(d.time > c.lr_inttotal - c.lr_interval)) continue;
        range[0] = first ? length : std::min(range[0], length);
        range[1] = first ? length : std::max(range[1], length);
        first = false;
    }
    return range;
}

// Both ends for the actuator; m is set up for the simulation.
template <class M>
Interval simulate_range(const M& m, RestData<M>& d, int i, const SpecCompiler& c, const std::string& where, const RangeClock& clock) {
    const Interval low = settled_length(m, d, i, -1, c, where, clock), high = settled_length(m, d, i, 1, c, where, clock);
    const double size = high[1] - low[0];
    if (!(size > 0)) fail(where, "its length does not change, so it has no lengthrange");
    if (std::max(low[1] - low[0], high[1] - high[0]) > c.lr_tolrange * size)
        fail(where, "the simulation that finds its lengthrange does not settle; give lengthrange, or limit its joints");
    return {{low[0], high[1]}};
}

// Options and capacities are others while it runs: there is room for constraints without contacts.
template <class M>
[[gnu::cold]] void set_length_ranges(M& m, const Spec& spec) {
    const SpecCompiler& c = spec.compiler;
    const RangeClock clock(spec.budget);
    const Option<double> option = m.opt;
    const int njmax = m.njmax, nJmax = m.nJmax;
    m.opt.disableflags = disable::frictionloss | disable::contact | disable::spring | disable::damper | disable::gravity |
                         disable::actuation;
    if (c.lr_timestep > 0) m.opt.timestep = c.lr_timestep;
    const Capacity capacity = constraint_capacity(m, M::joints::kinds);
    m.njmax = static_cast<int>(capacity.rows);
    m.nJmax = static_cast<int>(capacity.entries);
    RestData<M> d(m);
    int i = 0;
    for (const SpecActuator& a : spec.actuators) {
        const int id = i++;
        if (!needs_length_range(m, id, c) || (c.lr_uselimit && take_limit(m, id))) continue;
        m.actuator_lengthrange[m.actuator_outadr[id]] = simulate_range(m, d, id, c, place(a, "actuator"), clock);
    }
    m.opt = option;
    m.njmax = njmax;
    m.nJmax = nJmax;
}

}  // namespace mjx::inner::compiler
