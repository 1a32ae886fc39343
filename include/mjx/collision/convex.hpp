// convex_collide: the pairs without a closed form, by their types. Lanes run one after the other (see convex_pair.hpp).
//
//   plane    mesh                               deepest vertices of the hull           plane_mesh.hpp
//   hfield   every convex geom                  one contact for each prism             hfield.hpp
//   mesh     every convex geom, by triangles    one contact for each triangle          mesh_triangles.hpp
//   sdf      everything but height fields       gradient descent from many starts      sdf.hpp
//   others   ellipsoid, cylinder, mesh pairs    GJK, EPA, contact patch                convex_pair.hpp
#pragma once

#include "mjx/collision/hfield.hpp"
#include "mjx/collision/mesh_triangles.hpp"
#include "mjx/collision/plane_mesh.hpp"
#include "mjx/collision/sdf.hpp"

namespace mjx {

// Reads geom_xpos, geom_xmat. geom1 has the lower type.
template <class M, class D, int K>
void convex_collide(const M& m, const D& d, int geom1, int geom2, const typename D::scalar& margin,
                    const mask_t<typename D::scalar>& where, CollisionResult<typename D::scalar, K>& out) {
    const int type1 = m.geom_type[geom1], type2 = m.geom_type[geom2];
    const auto s1 = geom_shape(m, d, geom1), s2 = geom_shape(m, d, geom2);
    if (type2 == shape::sdf) return sdf_collide(m, geom1, geom2, s1, s2, margin, where, out);
    if (type1 == shape::plane) return plane_mesh(m, geom2, s1, s2, margin, where, out);
    if (type1 == shape::hfield && type2 != shape::hfield) return hfield_convex(m, geom1, geom2, s1, s2, margin, where, out);
    if (type1 > shape::hfield && (m.geom_trimesh[geom1] != 0 || m.geom_trimesh[geom2] != 0))
        return triangles_convex(m, geom1, geom2, s1, s2, margin, where, out);
    if (type1 > shape::hfield) convex_convex(m, geom1, geom2, s1, s2, margin, where, out);
}

}  // namespace mjx
