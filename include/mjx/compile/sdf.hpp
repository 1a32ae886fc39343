// Signed distance fields by formula: the names and parameters that a Spec gives them, and the box around each.
#pragma once

#include "mjx/compile/tree.hpp"

namespace mjx::inner::compiler {

struct SdfName {
    const char* name;
    int kind;
    std::size_t params;
};
inline constexpr SdfName sdf_names[] = {{"sphere", sdf_kind::sphere, 1}, {"box", sdf_kind::box, 3},   {"capsule", sdf_kind::capsule, 2},
                                        {"torus", sdf_kind::torus, 2},   {"gear", sdf_kind::gear, 5}, {"bowl", sdf_kind::bowl, 3},
                                        {"user", sdf_kind::user, 0},     {"bolt", sdf_kind::bolt, 1}, {"nut", sdf_kind::nut, 1}};

inline const SdfName* find_sdf(const std::string& name) {
    for (const SdfName& s : sdf_names)
        if (name == s.name) return &s;
    return nullptr;
}

inline Vec6<double> sdf_parameters(const GeomNode& g) {
    Vec6<double> p = Vec6<double>::zero();
    for (std::size_t i = 0; i < g.sdf_params.size() && i < 6; ++i) p[static_cast<int>(i)] = g.sdf_params[i];
    return p;
}

// Half sizes of the box around the field's surface, which is centred at the geom.
inline Vec3d sdf_half_sizes(const GeomNode& g, int kind) {
    const Vec6<double> p = sdf_parameters(g);
    switch (kind) {
        case sdf_kind::sphere: return {{p[0], p[0], p[0]}};
        case sdf_kind::box: return {{p[0], p[1], p[2]}};
        case sdf_kind::capsule: return {{p[0], p[0], p[0] + p[1]}};
        case sdf_kind::torus: return {{p[0] + p[1], p[0] + p[1], p[1]}};
        case sdf_kind::gear: {
            const double outer = p[1] / 2 + p[1] / p[2];
            return {{outer, outer, p[3] / 2}};
        }
        case sdf_kind::bowl: return {{p[1] + p[2], p[1] + p[2], p[1] + p[2]}};
        case sdf_kind::bolt:
        case sdf_kind::nut: return {{0.6, 0.6, 1}};
        default: return g.size;
    }
}

// Complains about a field that does not exist or does not have these parameters; `kind` is "geom" or "mesh".
template <class Item>
const SdfName& require_sdf(const Item& g, const char* kind) {
    const SdfName* const sdf = find_sdf(g.sdf);
    if (!sdf) fail(g, kind, "a geom of type sdf needs a mesh, or a field: sphere, box, capsule, torus, gear, bowl, bolt, nut or user");
    if (sdf->kind != sdf_kind::user && g.sdf_params.size() != sdf->params)
        fail(g, kind, {"the field '", g.sdf, "' needs ", std::to_string(sdf->params), " parameters"});
    return *sdf;
}

// Size and bounds of a geom that is a field by formula.
inline void place_sdf(GeomNode& g) {
    g.size = sdf_half_sizes(g, require_sdf(g, "geom").kind);
    for (int i = 0; i < 3; ++i)
        if (!(g.size[i] > 0) || !std::isfinite(g.size[i])) fail(g, "geom", {"the field '", g.sdf, "' has parameters that give it no size"});
    g.aabb = {{0, 0, 0, g.size[0], g.size[1], g.size[2]}};
    g.rbound = norm(g.size);
}

}  // namespace mjx::inner::compiler
