// Static equilibrium: the forces that hold a pose, and the pose of a free base in which contacts carry it.
//
//     const auto rest = static_equilibrium(sim, force);      force: nv numbers; applied, e.g. as qfrc_applied, it keeps the robot still
// Reads   qpos of the simulator, and moves its free joints; qvel and qacc are set to zero
// At rest the inverse dynamics of qacc = 0 is what is missing to equilibrium: gravity and springs less what contacts and limits carry. What
// is missing at the joints their motors give. At a free base nobody can, so it sinks until its contacts carry the weight, then also tilts
// until they give all of it: damped Gauss-Newton steps over the dofs of all free joints, with derivatives by differences, since contacts
// come and go.
#pragma once

#include "mjx/integrator/advance.hpp"
#include "mjx/solver/inverse.hpp"

#include <vector>

namespace mjx::inner {

template <class S>
struct Equilibrium {
    S missing;  // the largest force or torque that no contact gives at a free joint, N or Nm
    int iterations;
};

template <class Sim>
class EquilibriumSearch {
  public:
    using S = typename Sim::scalar;
    using joints = typename Sim::model_type::joints;
    static_assert(std::floating_point<S>, "static_equilibrium needs a simulator of float or double");

    explicit EquilibriumSearch(Sim& simulator) : sim(simulator), m(sim.model()), d(sim.data()) {
        for (int j = 0; j < m.njnt; ++j)
            for (int k = 0; joints::floats(m.jnt_type[j]) && k < joints::nv(m.jnt_type[j]); ++k) dofs.push_back(m.jnt_dofadr[j] + k);
    }

    template <class Force>
    Equilibrium<S> run(Force& force) {
        const int n = static_cast<int>(dofs.size());
        sink();
        std::vector<S> f = missing(), trial, slopes(f.size() * f.size()), step(static_cast<std::size_t>(m.nv));
        S damping(0);
        int iteration = 0;
        for (; iteration < 200 && largest(f) > tolerance(); ++iteration) {
            differentiate(f, slopes);
            if (damping == 0)
                for (int i = 0; i < n; ++i) damping = max(damping, S(1e-6) * slope_square(slopes, i));
            const std::vector<S> start(d.qpos.begin(), d.qpos.begin() + m.nq);
            for (int trials = 0; trials < 30; ++trials, damping *= 4) {
                find_step(slopes, f, damping, step);
                integrate_pos(m, d.qpos, step, S(1));
                trial = missing();
                if (square(trial) < square(f)) break;
                for (int i = 0; i < m.nq; ++i) d.qpos[i] = start[static_cast<std::size_t>(i)];
            }
            if (!(square(trial) < square(f))) break;
            damping /= 16;
            f = trial;
        }
        missing();
        for (int i = 0; i < m.nv; ++i) force[i] = d.qfrc_inverse[i];
        for (const int i : dofs) force[i] = S(0);
        return {largest(f), iteration};
    }

  private:
    Sim& sim;
    const typename Sim::model_type& m;
    typename Sim::data_type& d;
    std::vector<int> dofs{};

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    S tolerance() const { return S(1e-3) * std::sqrt(epsilon_v<S>) * m.body_subtreemass[0] * S(10); }
    static S square(const std::vector<S>& f) {
        S sum(0);
        for (const S& x : f) sum += x * x;
        return sum;
    }
    static S largest(const std::vector<S>& f) {
        S most(0);
        for (const S& x : f) most = max(most, abs(x));
        return most;
    }
    S slope_square(const std::vector<S>& slopes, int i) const {
        S sum(0);
        for (std::size_t r = 0; r < dofs.size(); ++r) sum += slopes[r * dofs.size() + at(i)] * slopes[r * dofs.size() + at(i)];
        return sum;
    }

    // The inverse dynamics at rest, where nobody can help.
    std::vector<S> missing() {
        for (int i = 0; i < m.nv; ++i) d.qvel[i] = S(0);
        sim.step1();
        for (int i = 0; i < m.nv; ++i) d.qacc[i] = S(0);
        inverse_at_qacc(m, d);
        std::vector<S> f;
        for (const int i : dofs) f.push_back(d.qfrc_inverse[i]);
        return f;
    }
    // The weight that no contact carries; negative where contacts push harder than it.
    S weight_missing() {
        missing();
        const S g = norm(m.opt.gravity);
        S sum(0);
        for (std::size_t i = 0; g > 0 && i < dofs.size(); i += 6)
            for (int k = 0; k < 3; ++k) sum -= d.qfrc_inverse[dofs[i] + k] * m.opt.gravity[k] / g;
        return sum;
    }
    void shift(const std::vector<S>& start, const S& distance) {
        const S g = norm(m.opt.gravity);
        std::vector<S> step(at(m.nv), S(0));
        for (std::size_t i = 0; g > 0 && i < dofs.size(); i += 6)
            for (int k = 0; k < 3; ++k) step[at(dofs[i] + k)] = m.opt.gravity[k] / g;
        for (int i = 0; i < m.nq; ++i) d.qpos[i] = start[at(i)];
        integrate_pos(m, d.qpos, step, distance);
    }
    // Along gravity to where contacts carry the weight, from above or from within the ground; nowhere if there is no such place.
    void sink() {
        const std::vector<S> start(d.qpos.begin(), d.qpos.begin() + m.nq);
        const bool floating = weight_missing() > 0;
        const S sign(floating ? 1 : -1);
        S carried(0), step(1e-3);
        for (int i = 0; i < 14 && (weight_missing() > 0) == floating; ++i, step *= 2) shift(start, carried = sign * step);
        if ((weight_missing() > 0) == floating) return shift(start, S(0));
        S other = std::abs(carried) > S(1e-3) ? carried / 2 : S(0);
        for (int i = 0; i < 60; ++i) {
            const S middle = (other + carried) / 2;
            shift(start, middle);
            ((weight_missing() > 0) == floating ? other : carried) = middle;
        }
        shift(start, carried);
    }
    void differentiate(const std::vector<S>& f, std::vector<S>& slopes) {
        const S h = std::cbrt(epsilon_v<S>) * S(1e-2);
        const std::vector<S> start(d.qpos.begin(), d.qpos.begin() + m.nq);
        std::vector<S> step(at(m.nv), S(0));
        for (std::size_t c = 0; c < dofs.size(); ++c) {
            step[at(dofs[c])] = h;
            integrate_pos(m, d.qpos, step, S(1));
            const std::vector<S> moved = missing();
            for (std::size_t r = 0; r < dofs.size(); ++r) slopes[r * dofs.size() + c] = (moved[r] - f[r]) / h;
            step[at(dofs[c])] = S(0);
            for (int i = 0; i < m.nq; ++i) d.qpos[i] = start[at(i)];
        }
    }
    // (slopesᵀ slopes + damping) step = -slopesᵀ f, by Cholesky.
    void find_step(const std::vector<S>& slopes, const std::vector<S>& f, const S& damping, std::vector<S>& step) const {
        const std::size_t n = dofs.size();
        std::vector<S> L(n * n), x(n);
        for (std::size_t i = 0; i < n; ++i) {
            S right(0);
            for (std::size_t r = 0; r < n; ++r) right -= slopes[r * n + i] * f[r];
            for (std::size_t j = 0; j <= i; ++j) {
                S sum = i == j ? damping : S(0);
                for (std::size_t r = 0; r < n; ++r) sum += slopes[r * n + i] * slopes[r * n + j];
                for (std::size_t k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
                L[i * n + j] = i == j ? S(std::sqrt(max(sum, S(minval_v<S>)))) : S(sum / L[j * n + j]);
            }
            for (std::size_t k = 0; k < i; ++k) right -= L[i * n + k] * x[k];
            x[i] = right / L[i * n + i];
        }
        for (S& s : step) s = S(0);
        for (std::size_t i = n; i-- > 0;) {
            for (std::size_t k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
            x[i] /= L[i * n + i];
            step[at(dofs[i])] = x[i];
        }
    }
};

template <class Sim, class Force>
Equilibrium<typename Sim::scalar> static_equilibrium(Sim& sim, Force&& force) {
    return EquilibriumSearch<Sim>(sim).run(force);
}

}  // namespace mjx::inner
