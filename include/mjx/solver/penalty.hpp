// Penalty: limits and equality constraints as springs, dry friction as a steep function of velocity, contacts in a PGS of their own.
//
// Reads   qacc_smooth, qLD, efc_pos, efc_vel, efc_KBIP, efc_R, efc_aref, contact, the model's solref
// Writes  efc_b, efc_force, qfrc_constraint, qacc, solver_niter, solver_gradient, ncache, cache
// The formulation mjx grew from, for comparison with MuJoCo's:
//     limits      k violation + b violation rate, k = 1/timeconst², b = 2 dampratio/timeconst, k at most 1/h², times the mass that the row
//                 sees; LiteralPenalty leaves the mass out, which is what was written, and too hard for light joints: b h/I may be 50
//     equality    the same times the impedance
//     friction    -frictionloss tanh(1000 v)
//     contacts    (A + R) f = aref - J qacc by Gauss-Seidel over 1, 3, 4 or 6 rows, each contact projected on its elliptic cone: normal
//                 at least zero, then friction scaled to the cone; starts from the forces of the step before (contact_cache.hpp)
// Contacts act on top of the other forces. All scalars run the same sweeps; derivatives converge with them, and sweeps go on until
// they have: forces may start where they will end, their derivatives start at zero.
#pragma once

#include "mjx/constraint/reference.hpp"
#include "mjx/math/sparse_ldl.hpp"
#include "mjx/solver/contact_cache.hpp"
#include "mjx/solver/finish.hpp"
#include "mjx/solver/primal.hpp"
#include "mjx/solver/solver.hpp"
#include "mjx/solver/unconstrained.hpp"

namespace mjx::inner {

// The largest of a number and its derivatives.
template <class S>
auto size_with_derivatives(const S& x) {
    if constexpr (requires { x.partial; }) {
        auto size = size_with_derivatives(x.value);
        for (const auto& p : x.partial) size = max(size, size_with_derivatives(p));
        return size;
    } else {
        return S(abs(x));
    }
}

template <class S, class M>
struct PenaltyWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<S, Dim::njmax> diagonal{at};  // of A + R, for a contact's own rows
    array<S, Dim::njmax> reference{at};  // their reference accelerations
    array<S, Dim::nv> row{at};
    array<S, Dim::nv> response{at};  // M⁻¹ Jᵀ times forces or what they change by
};

template <bool Scaled>
struct BasicPenalty : SolverDefaults {
    static constexpr int type = Scaled ? int(solver_type::penalty) : -1;
    static constexpr const char* name = Scaled ? solver_names[solver_type::penalty] : "LiteralPenalty";
    static constexpr bool remembers_contacts = true;
    template <class S, class M>
    using work = PenaltyWork<S, M>;

    template <class M, class D>
    static void solve(const M& m, D& d) {
        settle(m, d);
        remember_contacts(d);
    }
    template <class M, class D>
    static void settle(const M& m, D& d) {
        using S = typename D::scalar;
        if (d.nefc == 0) return solve_unconstrained(m, d);
        const auto w = borrow<PenaltyWork>(m, d);
        jacobian_product<S>(d, d.qacc_smooth, d.efc_b);
        for (int i = 0; i < d.nefc; ++i) d.efc_b[i] -= d.efc_aref[i];
        for (int i = 0; i < m.nv; ++i) w->response[i] = S(0);
        for (int b = 0; b < d.nblock; ++b) {
            if (is_contact(d, b)) continue;
            for (int i = d.block_row[b]; i < d.block_row[b] + block_rows(d, b); ++i) d.efc_force[i] = row_force(m, d, b, i);
            push(d, b, &d.efc_force[d.block_row[b]]);
        }
        prepare_contacts(m, d);
        solve_ldl(m, d.qLD, d.qLDiagInv, w->response);
        for (int i = 0; i < m.nv; ++i) d.qacc[i] = d.qacc_smooth[i] + w->response[i];
        sweep_contacts(m, d);
        for (int b = 0; b < d.nblock; ++b)
            if (is_pyramid(d, b)) to_edges(d, b);
        jacobian_transpose_product<S>(m, d, d.efc_force, d.qfrc_constraint);
    }

  private:
    template <class D>
    static bool is_contact(const D& d, int b) {
        return d.efc_type[d.block_row[b]] >= cnstr::contact_frictionless;
    }
    // response += Jᵀ f
    template <class D, class S>
    static void push(D& d, int b, const S* f) {
        block_transpose<S>(d, b, f, inner::work<PenaltyWork>(d).response);
    }

    // The force of an equality, limit or friction row.
    template <class M, class D>
    static auto row_force(const M& m, D& d, int block, int i) {
        using S = typename D::scalar;
        const S v = d.efc_vel[i], gap = d.efc_pos[i];
        if (law_of(d.efc_type[i]) == law::huber) return S(-d.efc_frictionloss[i] * tanh(S(v * value_t<S>(1000))));
        const auto p = solver_parameters(m, d, i);
        const auto direct = p.ref[0] <= S(0);
        const S time = select(direct, S(1), p.ref[0]), h(m.opt.timestep);
        const S k = min(select(direct, -p.ref[0], S(1) / (time * time)), S(1) / (h * h));
        const S b = select(direct, -p.ref[1], S(2) * p.ref[1] / time);
        S force = -(k * gap + b * v);
        if constexpr (Scaled) force = force / max(diagonal(m, d, block, i - d.block_row[block]), S(minval_v<S>));
        if (d.efc_type[i] == cnstr::equality) return S(force * d.efc_KBIP[i][2]);
        return select(gap < S(0), force, S(0));
    }

    // Reference accelerations, the diagonal of A + R and first forces (efc_force) of each contact's own rows, kept at its first efc rows.
    template <class M, class D>
    static void prepare_contacts(const M& m, D& d) {
        using S = typename D::scalar;
        using T = value_part_t<S>;
        auto& w = inner::work<PenaltyWork>(d);
        for (int b = 0; b < d.nblock; ++b) {
            if (!is_contact(d, b)) continue;
            const int row = d.block_row[b], dim = d.block_dim[b], id = d.efc_id[row];
            S v[max_block_dim];
            block_product<S>(d, b, d.qvel, v);
            if (surface_moves(m, d, id)) {
                const Vec6<S> belt = surface_velocity(m, d, id);
                for (int r = 0; r < dim; ++r) v[r] += belt[r];
            }
            const Vec<S, 4> k = d.efc_KBIP[row];
            for (int r = 0; r < dim; ++r) {
                w.reference[row + r] = -k[1] * v[r];
                w.diagonal[row + r] = diagonal(m, d, b, r) + regularization(d, b, r);
            }
            w.reference[row] -= k[0] * k[2] * (d.contact[id].dist - d.contact[id].includemargin);
            const Vec6<T> f = m.opt.disabled(disable::warmstart) ? Vec6<T>::zero() : cached_force(d, b) * part<T>(m.opt.warm_start_factor);
            for (int r = 0; r < dim; ++r) d.efc_force[row + r] = S(f[r]);
            push(d, b, &d.efc_force[row]);
        }
    }

    // R of the contact's row r, from that of its first efc row.
    template <class D>
    static auto regularization(const D& d, int b, int r) {
        using S = typename D::scalar;
        const int row = d.block_row[b];
        if (!is_pyramid(d, b)) return S(d.efc_R[row + r]);
        const auto& contact = d.contact[d.efc_id[row]];
        // a pyramid's R is 2 mu² R0; friction rows have R_j friction_j² = R0 mu²
        const S R0 = d.efc_R[row] / (S(2) * contact.mu * contact.mu);
        if (r == 0) return R0;
        const S friction = contact.friction[r - 1];
        return S(R0 * contact.mu * contact.mu / (friction * friction));
    }

    // J_r M⁻¹ J_rᵀ. Where a contact slides, the point that the projected sweeps come to rest at depends on it, so it has its derivatives.
    template <class M, class D>
    static auto diagonal(const M& m, D& d, int b, int r) {
        using S = typename D::scalar;
        const int adr = d.block_J[b], nnz = d.block_nnz[b];
        auto& x = inner::work<PenaltyWork>(d).row;
        for (int i = 0; i < m.nv; ++i) x[i] = S(0);
        for (int c = 0; c < nnz; ++c) x[d.efc_J_colind[adr + c]] = d.efc_J[adr + r * nnz + c];
        return row_inertia(m, d, x, d.efc_J_colind[adr + nnz - 1] + 1);
    }

    // qacc += M⁻¹ Jᵀ change for one block.
    template <class M, class D, class S>
    static void accelerate(const M& m, D& d, int b, const S* change) {
        auto& response = inner::work<PenaltyWork>(d).response;
        for (int i = 0; i < m.nv; ++i) response[i] = S(0);
        push(d, b, change);
        solve_ldl(m, d.qLD, d.qLDiagInv, response);
        for (int i = 0; i < m.nv; ++i) d.qacc[i] += response[i];
    }

    // One visit of a contact: row after row, then the cone. Gives the largest change of a force.
    template <class M, class D, class Mask>
    static auto visit(const M& m, D& d, int b, const Mask& done) {
        using S = typename D::scalar;
        using T = solver_scalar<D>;
        const int row = d.block_row[b], dim = d.block_dim[b];
        const auto& w = inner::work<PenaltyWork>(d);
        const auto& contact = d.contact[d.efc_id[row]];
        const auto here = d.efc_D[row] > S(0) && !done;
        S a[max_block_dim], f[max_block_dim]{}, change[max_block_dim];
        for (int r = 0; r < dim; ++r) change[r] = S(0);
        for (int r = 0; r < dim; ++r) {
            block_product<S>(d, b, d.qacc, a);
            const S residual = a[r] - w.reference[row + r] + regularization(d, b, r) * d.efc_force[row + r];
            change[r] = select(here, S(-residual / w.diagonal[row + r]), S(0));
            f[r] = d.efc_force[row + r] + change[r];
            accelerate(m, d, b, change);
            change[r] = S(0);
        }
        const auto released = f[0] < S(0);
        S square(0);
        for (int r = 1; r < dim; ++r) square += f[r] * f[r] / (contact.friction[r - 1] * contact.friction[r - 1]);
        const auto slips = square > f[0] * f[0];
        const S scale = select(slips, f[0] / sqrt(select(slips, square, S(1))), S(1));
        T largest(0);
        for (int r = 0; r < dim; ++r) {
            const S next = select(released, S(0), r == 0 ? f[0] : S(f[r] * scale));
            change[r] = select(here, next - f[r], S(0));
            largest = max(largest, select(here, T(size_with_derivatives(S(next - d.efc_force[row + r]))), T(0)));
            d.efc_force[row + r] = select(here, next, d.efc_force[row + r]);
        }
        accelerate(m, d, b, change);
        return largest;
    }

    template <class M, class D>
    static void sweep_contacts(const M& m, D& d) {
        using T = solver_scalar<D>;
        const T tolerance = resolved<T>(m.opt.tolerance);
        mask_t<T> done(false);
        int iteration = 0;
        T change(0);
        while (!all(done) && iteration < m.opt.iterations) {
            change = T(0);
            T size(1);
            for (int b = 0; b < d.nblock; ++b) {
                if (!is_contact(d, b)) continue;
                change = max(change, visit(m, d, b, done));
                size = max(size, T(size_with_derivatives(d.efc_force[d.block_row[b]])));
            }
            done = done || change < tolerance * size;
            ++iteration;
        }
        d.solver_niter = iteration;
        d.solver_gradient = typename D::scalar(change);
    }

    // A contact's own forces become those of its pyramid's edges, as users and sensors read them.
    template <class D>
    static void to_edges(D& d, int b) {
        using S = typename D::scalar;
        const int row = d.block_row[b], dim = d.block_dim[b];
        const auto& contact = d.contact[d.efc_id[row]];
        S f[max_block_dim];
        for (int r = 0; r < dim; ++r) f[r] = d.efc_force[row + r];
        const S share = f[0] / S(static_cast<value_t<S>>(dim - 1));
        for (int k = 1; k < dim; ++k) {
            const S tangent = f[k] / contact.friction[k - 1];
            d.efc_force[row + 2 * k - 2] = S(0.5) * (share + tangent);
            d.efc_force[row + 2 * k - 1] = S(0.5) * (share - tangent);
        }
    }
};

using Penalty = BasicPenalty<true>;
using LiteralPenalty = BasicPenalty<false>;

}  // namespace mjx::inner
