// Models made of loose geoms, each on a free body of its own or on the world: enough of a model for collision detection.
#pragma once

#include "rooms.hpp"

#include "collision/shapes.hpp"
#include "mjx/collision/candidates.hpp"
#include "mjx/collision/collision.hpp"
#include "mjx/data.hpp"
#include "mjx/model/model.hpp"

namespace shapes {

struct Scene {
    Model<double> m;
    std::vector<Vec3<double>> pos{};
    std::vector<Mat3<double>> mat{};

    Scene() { add_body(0, 0); }

    int add_body(int parent, int dofs) {
        const int body = m.nbody++;
        m.body_parentid.push_back(parent);
        m.body_weldid.push_back(dofs > 0 || body == 0 ? body : m.body_weldid[parent]);
        m.body_dofnum.push_back(dofs);
        m.body_geomnum.push_back(0);
        m.body_geomadr.push_back(-1);
        m.B_rownnz.push_back(0);
        return body;
    }

    // Geoms of a body must follow each other.
    int add_geom(int body, int type, const OwnGeom<double>& s) {
        const int g = m.ngeom++;
        if (m.body_geomnum[body]++ == 0) m.body_geomadr[body] = g;
        m.geom_bodyid.push_back(body);
        m.geom_type.push_back(type);
        m.geom_contype.push_back(1);
        m.geom_conaffinity.push_back(1);
        m.geom_condim.push_back(3);
        m.geom_priority.push_back(0);
        m.geom_dataid.push_back(-1);
        m.geom_group.push_back(0);
        m.geom_visible.push_back(1);
        m.geom_solmix.push_back(1);
        m.geom_solref.push_back({{0.02, 1}});
        m.geom_solimp.push_back({{0.9, 0.95, 0.001, 0.5, 2}});
        m.geom_friction.push_back({{1, 0.005, 0.0001}});
        m.geom_margin.push_back(0);
        m.geom_gap.push_back(0);
        m.geom_adhesion.push_back(0);
        m.geom_size.push_back(s.size);
        Vec3<double> half = s.size;
        if (type == shape::sphere) half = {{s.size[0], s.size[0], s.size[0]}};
        if (type == shape::capsule) half = {{s.size[0], s.size[0], s.size[0] + s.size[1]}};
        if (type == shape::cylinder) half = {{s.size[0], s.size[0], s.size[1]}};
        m.geom_aabb.push_back({{0, 0, 0, half[0], half[1], half[2]}});
        m.geom_rbound.push_back(type == shape::plane ? 0 : norm(half));
        pos.push_back(s.pos);
        mat.push_back(s.mat);
        return g;
    }
    int add_free_geom(int type, const OwnGeom<double>& s) { return add_geom(add_body(0, 6), type, s); }

    // Every pair tested (the list), or the broad phase.
    void finish(bool broad) {
        make_candidates(m);
        if (broad) {
            m.nbroad = m.ngeom;
            m.ncand = 0;
        } else if (m.nbroad > 0) {
            m.nbroad = 0;
            for (int g1 = 0; g1 < m.ngeom; ++g1)
                for (int g2 = g1 + 1; g2 < m.ngeom; ++g2)
                    if (may_collide(m, g1, g2)) add_candidate(m, g1, g2, -1);
            m.ncand = m.cand_pair.size();
        }
        m.nconmax = 20 * m.ngeom;
    }

    // Data with the poses in every lane.
    template <class D>
    void place(D& d) const {
        using S = typename D::scalar;
        for (int g = 0; g < m.ngeom; ++g) {
            const auto i = static_cast<std::size_t>(g);
            for (int k = 0; k < 3; ++k) d.geom_xpos[g][k] = S(static_cast<value_t<S>>(pos[i][k]));
            for (int k = 0; k < 9; ++k) d.geom_xmat[g][k] = S(static_cast<value_t<S>>(mat[i][k]));
        }
    }
};

}  // namespace shapes
