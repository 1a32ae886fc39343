// The signed distance fields that a geom of type sdf may be: their numbers, names and parameters in a Spec, the boxes around them. What
// each is, its distance and gradient, stands in collision/sdf_parts.hpp; the plugins of MuJoCo that mean some of them in
// io/mjcf/plugins.hpp.
//
// A new field by formula is a number, a row here and its struct.
#pragma once

#include "mjx/math/vec.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

// `mesh` is a voxel grid, `user` the model's own sdf_distance().
// clang-format off
namespace sdf_kind { enum : int { none = -1, mesh, sphere, box, capsule, torus, gear, bowl, user, bolt, nut }; }
// clang-format on

struct FieldKind {
    const char* name;  // in a Spec
    int type;  // sdf_kind::
    int params;  // how many numbers it has
    bool mujoco;  // MuJoCo has it, and contacts should be where it finds them
    Vec3<double> (*half_sizes)(const Vec6<double>& p) = nullptr;  // of the box around its surface, which is centred; null: the geom's size
    Vec3<double> (*sampled)(const Vec6<double>& p) = nullptr;  // of the box in which its mesh is looked for, if it is another
};

// Laid out by hand: a table.
// clang-format off
inline constexpr FieldKind field_kinds[] = {
    {"sphere", sdf_kind::sphere, 1, false, [](const Vec6<double>& p) { return Vec3<double>{{p[0], p[0], p[0]}}; }},
    {"box", sdf_kind::box, 3, false, [](const Vec6<double>& p) { return Vec3<double>{{p[0], p[1], p[2]}}; }},
    {"capsule", sdf_kind::capsule, 2, false, [](const Vec6<double>& p) { return Vec3<double>{{p[0], p[0], p[0] + p[1]}}; }},
    {"torus", sdf_kind::torus, 2, true, [](const Vec6<double>& p) { return Vec3<double>{{p[0] + p[1], p[0] + p[1], p[1]}}; }},
    {"gear", sdf_kind::gear, 5, true,
     [](const Vec6<double>& p) {
         const double outer = p[1] / 2 + p[1] / p[2];
         return Vec3<double>{{outer, outer, p[3] / 2}};
     },
     [](const Vec6<double>& p) {
         return Vec3<double>{{1.25 * p[1] / 2, 1.25 * p[1] / 2, 1.1 * p[3] / 2}};
     }},
    {"bowl", sdf_kind::bowl, 3, true, [](const Vec6<double>& p) { return Vec3<double>{{p[1] + p[2], p[1] + p[2], p[1] + p[2]}}; }},
    {"user", sdf_kind::user, 0, false},
    {"bolt", sdf_kind::bolt, 1, true, [](const Vec6<double>&) { return Vec3<double>{{0.6, 0.6, 1}}; }},
    {"nut", sdf_kind::nut, 1, true, [](const Vec6<double>&) { return Vec3<double>{{0.6, 0.6, 1}}; }},
};
// clang-format on

// Whether MuJoCo has the field of this number; meshes and what is no field are its own.
constexpr bool mujoco_field(int type) {
    constexpr unsigned ours = [] {
        unsigned types = 0;
        for (const FieldKind& kind : field_kinds)
            if (!kind.mujoco) types |= 1u << kind.type;
        return types;
    }();
    return type < 0 || (ours >> type & 1) == 0;
}

}  // namespace mjx::inner
