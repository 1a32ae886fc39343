// Derivatives of inverse dynamics by dual numbers: of f = qfrc_inverse(q, v, a), of the sensors and of the inertia matrix (mjd_inverseFD,
// but exact, and with results as rows).
//
// Reads the state of the simulator and qacc, which is a, and leaves it as it is. Positions are varied in the tangent space, q ⊕ δq. With
// the invdiscrete flag a is the difference quotient (v' - v)/h. The simulator's hooks must be written for a generic data.
#pragma once

#include "mjx/derivative/by_duals.hpp"
#include "mjx/solver/inverse.hpp"

namespace mjx::inner {

template <class T>
struct InverseDerivatives {
    Matrix<T> DfDq, DfDv, DfDa;  // (nv, nv)
    Matrix<T> DsDq, DsDv, DsDa;  // (nsensordata, nv)
    Matrix<T> DmDq;  // (nM, nv): the entries of M as Data keeps them
};

// N columns of (δq, v, a) in each pass. With `subtract_actuation`, f is what remains to be applied beside the actuators' forces.
template <int N = 7, class Sim, class T = typename Sim::scalar>
InverseDerivatives<T> inverse_derivatives(const Sim& sim, bool subtract_actuation = false) {
    static_assert(std::floating_point<T>, "inverse_derivatives(sim) needs a simulator of float or double: it makes the duals itself");
    using D = dual<T, N>;
    const auto dual_sim = make_dual_simulator<D>(sim);
    const auto& m = dual_sim->model();
    auto& d = dual_sim->data();
    const auto matrix = [&](int rows) { return Matrix<T>::from_shape({static_cast<std::size_t>(rows), static_cast<std::size_t>(m.nv)}); };
    const auto forces = [&] { return matrix(m.nv); };
    const auto sensors = [&] { return matrix(m.nsensordata); };
    InverseDerivatives<T> result{forces(), forces(), forces(), sensors(), sensors(), sensors(), matrix(m.nM)};
    Matrix<T>* const force_of[] = {&result.DfDq, &result.DfDv, &result.DfDa};
    Matrix<T>* const sensor_of[] = {&result.DsDq, &result.DsDv, &result.DsDa};

    for (int first = 0; first < 3 * m.nv; first += N) {
        const int last = first + N < 3 * m.nv ? first + N : 3 * m.nv;
        const auto delta = [&](int c) { return D::variable(T(0), c - first); };
        copy_state(d, sim.data());
        vary(m, d, first, last < 2 * m.nv ? last : 2 * m.nv, delta);
        dual_sim->step1();
        for (int i = 0; i < m.nv; ++i) d.qacc[i] = D(sim.data().qacc[i]);
        for (int c = first; c < last; ++c)
            if (c >= 2 * m.nv) d.qacc[c - 2 * m.nv] += delta(c);
        inverse<typename Sim::integrator>(m, d);
        actuation(m, d, dual_sim->hooks());
        sensor_acc(m, d, dual_sim->hooks());
        if (subtract_actuation)
            for (int i = 0; i < m.nv; ++i) d.qfrc_inverse[i] -= d.qfrc_actuator[i];
        for (int c = first; c < last; ++c) {
            const auto column = static_cast<std::size_t>(c % m.nv);
            const auto store_column = [&](Matrix<T>& to, const auto& from, int rows) {
                for (int r = 0; r < rows; ++r) to(static_cast<std::size_t>(r), column) = from[r].partial[c - first];
            };
            store_column(*force_of[c / m.nv], d.qfrc_inverse, m.nv);
            store_column(*sensor_of[c / m.nv], d.sensordata, m.nsensordata);
            if (c < m.nv) store_column(result.DmDq, d.M, m.nM);
        }
    }
    return result;
}

}  // namespace mjx::inner
