// The columns two bodies share, and the difference of their Jacobians there.
//
// Reads   cdof, subtree_com
// The dofs that move a body are an ascending list (B_colind); for two bodies of one tree the lists begin with the dofs of
// their common ancestors. Those move both bodies alike, so a contact, whose points coincide, does not feel them.
#pragma once

#include "mjx/stage/jacobian.hpp"
#include "mjx/stage/row.hpp"

namespace mjx::inner {

// How two ascending lists of dofs overlap: they agree in the first `common` entries and share none after it.
struct ChainPair {
    int adr1, n1, adr2, n2, common;
};

template <class M>
ChainPair chain_pair(const M& m, int body1, int body2) {
    return {m.B_rowadr[body1], m.B_rownnz[body1], m.B_rowadr[body2], m.B_rownnz[body2], common_dofs(m, body1, body2)};
}

// f(k, dof, moves body1, moves body2) for the merged list, ascending; common dofs only if asked for.
template <class M, class F>
void for_each_of_pair(const M& m, const ChainPair& p, bool with_common, F&& f) {
    int i = with_common ? 0 : p.common, j = i;
    for (int k = 0; i < p.n1 || j < p.n2; ++k) {
        const int dof1 = i < p.n1 ? m.B_colind[p.adr1 + i] : m.nv, dof2 = j < p.n2 ? m.B_colind[p.adr2 + j] : m.nv;
        const bool in1 = dof1 <= dof2, in2 = dof2 <= dof1;
        f(k, in1 ? dof1 : dof2, in1, in2);
        i += in1;
        j += in2;
    }
}

// Velocity of the point minus that of another, for unit speed of dof i: f(k, dof, translation, rotation), body1 minus body2.
template <class M, class D, class S, class F>
void for_each_difference_column(const M& m, const D& d, int body1, int body2, const Vec3<S>& point1, const Vec3<S>& point2,
                                const ChainPair& p, bool with_common, F&& f) {
    const Vec3<S> arm1 = point1 - d.subtree_com[m.body_rootid[body1]], arm2 = point2 - d.subtree_com[m.body_rootid[body2]];
    for_each_of_pair(m, p, with_common, [&](int k, int dof, bool in1, bool in2) {
        const Vec3<S> axis = angular(d.cdof[dof]), slide = linear(d.cdof[dof]);
        const Vec3<S> move1 = slide + cross(axis, arm1), move2 = slide + cross(axis, arm2);
        // of a common dof zero to the last bit exactly where MuJoCo's difference is: it may drop such rows
        const Vec3<S> move = !in2 ? move1 : in1 ? move1 - move2 : -move2;
        const Vec3<S> turn = !in2 ? axis : in1 ? Vec3<S>::zero() : -axis;
        f(k, dof, move, turn);
    });
}

}  // namespace mjx::inner
