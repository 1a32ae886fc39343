// A height field against a convex geom: each cell under the geom is two prisms from the base to the surface, and each prism that
// overlaps the geom gives one contact (mjc_ConvexHField).
//
// The field spans [-x, x] by [-y, y] in its own frame, its surface is at data*z, its base at -z_bottom. Prisms are visited row by
// row, column by column; at most 50 contacts. A geom outside the field, a field of one row or column and a pose that is not finite
// give none. Contacts lie between the geom and the prisms; as in MuJoCo their margin is added to both and stays in dist.
#pragma once

#include "mjx/collision/convex_pair.hpp"

namespace mjx {

template <class T, class M>
struct HfieldPrisms {
    const M& m;
    int id, nrow, ncol;
    T size[4], dx, dy, margin;
    ConvexObject<T> prism;

    HfieldPrisms(const M& model, int geom, T with_margin) : m(model), id(m.geom_dataid[geom]), nrow(m.hfield_nrow[id]), ncol(m.hfield_ncol[id]), margin(with_margin) {
        for (int i = 0; i < 4; ++i) size[i] = plain<T>(m.hfield_size[id][i]);
        dx = T(2) * size[0] / T(ncol - 1);
        dy = T(2) * size[1] / T(nrow - 1);
        prism.type = shape::hfield;
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

template <class T, class M, class L>
ConvexContacts<T, max_points> hfield_contacts(const M& m, int g1, int g2, const OwnShape<L>& s1, const OwnShape<L>& s2, T margin) {
    ConvexContacts<T, max_points> out;
    HfieldPrisms<T, M> field(m, g1, margin);
    const Vec3<T> pos1 = plain_vec<T>(s1.pos);
    const Mat3<T> mat1 = plain_mat<T>(s1.mat);
    // the geom in the field's frame
    ConvexObject<T> body = convex_object<T>(m, g2, s2, T(0));
    body.pos = transpose_mul(mat1, Vec3<T>(body.pos - pos1));
    body.mat = transpose(mat1) * body.mat;
    const T *size = field.size, radius = plain<T>(m.geom_rbound[g2]) + margin;
    const Vec3<T> high{{size[0], size[1], size[2]}}, low{{-size[0], -size[1], -size[3]}};
    for (int i = 0; i < 3; ++i)
        if (!(body.pos[i] - radius <= high[i] && body.pos[i] + radius >= low[i])) return out;
    Vec3<T> most, least;
    for (int i = 0; i < 3; ++i) {
        Vec3<T> dir = Vec3<T>::zero();
        dir[i] = T(1);
        most[i] = support(m, body, dir)[i];
        dir[i] = T(-1);
        least[i] = support(m, body, dir)[i];
        if (!(least[i] - margin <= high[i] && most[i] + margin >= low[i])) return out;
    }
    const int cmin = grid_line(least[0], size[0], field.ncol, false), cmax = grid_line(most[0], size[0], field.ncol, true);
    const int rmin = grid_line(least[1], size[1], field.nrow, false), rmax = grid_line(most[1], size[1], field.nrow, true);
    body.margin = margin;
    for (int r = rmin; r < rmax; ++r) {
        field.add(r + 1, cmin);
        field.add(r, cmin);
        for (int c = cmin + 1; c <= cmax; ++c)
            for (int i = 0; i < 2; ++i) {
                field.add(r + 1 - i, c);
                if (field.below(least[2]) || out.count == out.capacity) continue;
                if (add_penetration(m, field.prism, body, 1, T(0), out) == 0) continue;
                auto& p = out.point[out.count - 1];
                p.normal = mat1 * p.normal;
                p.pos = mat1 * p.pos + pos1;
                p.flat = 1;
            }
    }
    return out;
}

template <class M, class S, int K>
void hfield_convex(const M& m, int g1, int g2, const Shape<S>& s1, const Shape<S>& s2, const S& margin, const mask_t<S>& mask,
                   CollisionResult<S, K>& out) {
    using T = ConvexReal;
    collide_lanes(m, g1, g2, s1, s2, margin, mask, out,
                  [&](const auto& a, const auto& b, T within) { return hfield_contacts<T>(m, g1, g2, a, b, within); });
}

}  // namespace mjx
