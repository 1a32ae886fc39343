// A height field against a convex geom: each cell under the geom is two prisms from the base to the surface, and each prism that
// overlaps the geom gives one contact (mjc_ConvexHField).
//
// The field spans [-x, x] by [-y, y] in its own frame, its surface is at data*z, its base at -z_bottom. Prisms are visited row by
// row, column by column; at most 50 contacts. A geom outside the field, a field of one row or column and a pose that is not finite
// give none. Contacts lie between the geom and the prisms; as in MuJoCo their margin is added to both and stays in dist.
#pragma once

#include "mjx/collision/convex_pair.hpp"

namespace mjx::inner {

template <class T, class M>
struct HfieldPrisms {
    const M& m;
    int id, nrow, ncol;
    T size[4], dx, dy, margin;
    ConvexObject<T> prism;

    HfieldPrisms(const M& model, int geom, T with_margin)
        : m(model), id(m.geom_dataid[geom]), nrow(m.hfield_nrow[id]), ncol(m.hfield_ncol[id]), margin(with_margin) {
        for (int i = 0; i < 4; ++i) size[i] = plain<T>(m.hfield_size[id][i]);
        dx = T(2) * size[0] / T(ncol - 1);
        dy = T(2) * size[1] / T(nrow - 1);
        prism.type = Hfield::type;
        for (Vec3<T>& p : prism.prism) p = {{T(0), T(0), -size[3]}};
    }
    // The surface point of row r and column c becomes the newest edge of the prism.
    void add(int r, int c) {
        for (int i = 0; i < 5; ++i)
            if (i != 2) prism.prism[i] = prism.prism[i + 1];
        const T x = dx * T(c) - size[0], y = dy * T(r) - size[1];
        prism.prism[2] = {{x, y, -size[3]}};
        prism.prism[5] = {{x, y, static_cast<T>(m.hfield_data[m.hfield_adr[id] + r * ncol + c]) * size[2] + margin}};
    }
    bool below(T z) const { return prism.prism[3][2] < z && prism.prism[4][2] < z && prism.prism[5][2] < z; }
};

// The index of the grid line at or before (after) the coordinate, kept within the grid.
template <class T>
int grid_line(T coordinate, T half, int count, bool after) {
    const T at = (coordinate + half) / (T(2) * half) * T(count - 1);
    return grid_index(after ? -floor(-at) : at, count - 1);
}

template <class T, class M, class C>
[[gnu::cold]] void hfield_contacts(const M& m, int g1, int g2, const Geom<C>& s1, const Geom<C>& s2, T margin, CollisionResult<C>& out) {
    HfieldPrisms<T, M> field(m, g1, margin);
    const OwnGeom<C> in_field = in_frame(s2, s1.pos, s1.mat);
    const Geom<C> moving = in_field.view();
    ConvexObject<T> body = convex_object<T>(m, g2, moving, T(0));
    const T *size = field.size, radius = plain<T>(m.geom_rbound[g2]) + margin;
    const Vec3<T> high{{size[0], size[1], size[2]}}, low{{-size[0], -size[1], -size[3]}};
    const auto meets = [&](const Vec3<T>& from, const Vec3<T>& to, T reach) {
        bool yes = true;
        for (int i = 0; i < 3; ++i) yes = yes && from[i] - reach <= high[i] && to[i] + reach >= low[i];
        return yes;
    };
    if (!meets(body.pos, body.pos, radius)) return;
    Vec3<T> least, most;
    bound_object(m, body, least, most);
    if (!meets(least, most, margin)) return;
    const int cmin = grid_line(least[0], size[0], field.ncol, false), cmax = grid_line(most[0], size[0], field.ncol, true);
    const int rmin = grid_line(least[1], size[1], field.nrow, false), rmax = grid_line(most[1], size[1], field.nrow, true);
    body.margin = margin;
    for (int r = rmin; r < rmax; ++r)
        for (int c = cmin; c <= cmax; ++c)
            for (int i = 0; i < 2; ++i) {
                field.add(r + 1 - i, c);
                if (c == cmin || field.below(least[2]) || out.count == out.capacity) continue;  // a row's first two are no prism yet
                add_penetration(m, field.prism, body, s1, moving, 1, T(0), out);
            }
    leave_frame(out, s1.pos, s1.mat);
}

}  // namespace mjx::inner
