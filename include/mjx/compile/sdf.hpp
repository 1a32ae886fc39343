// Signed distance fields by formula (model/field_kinds.hpp): found by their names, checked, and given their bounds.
#pragma once

#include "mjx/compile/tree.hpp"
#include "mjx/model/field_kinds.hpp"

namespace mjx::inner::compiler {

[[gnu::cold]] inline const FieldKind* find_sdf(const std::string& name) {
    for (const FieldKind& kind : field_kinds)
        if (name == kind.name) return &kind;
    return nullptr;
}

// The parameters of a geom or mesh.
template <class Item>
Vec6<double> sdf_parameters(const Item& g) {
    Vec6<double> p = Vec6<double>::zero();
    for (std::size_t i = 0; i < g.sdf_params.size() && i < 6; ++i) p[static_cast<int>(i)] = g.sdf_params[i];
    return p;
}

// Complains about a field that does not exist or does not have these parameters; `kind` is "geom" or "mesh".
template <class Item>
[[gnu::cold]] const FieldKind& require_sdf(const Item& g, const char* kind) {
    const FieldKind* const sdf = find_sdf(g.sdf);
    if (!sdf) fail(g, kind, "a geom of type sdf needs a mesh, or a field: sphere, box, capsule, torus, gear, bowl, bolt, nut or user");
    if (sdf->type != sdf_kind::user && g.sdf_params.size() != static_cast<std::size_t>(sdf->params))
        fail(g, kind, {"the field '", g.sdf, "' needs ", std::to_string(sdf->params), " parameters"});
    return *sdf;
}

// Size and bounds of a geom that is a field by formula.
[[gnu::cold]] inline void place_sdf(GeomNode& g) {
    const FieldKind& kind = require_sdf(g, "geom");
    if (kind.half_sizes) g.size = kind.half_sizes(sdf_parameters(g));
    for (int i = 0; i < 3; ++i)
        if (!(g.size[i] > 0) || !std::isfinite(g.size[i])) fail(g, "geom", {"the field '", g.sdf, "' has parameters that give it no size"});
    g.aabb = {{0, 0, 0, g.size[0], g.size[1], g.size[2]}};
    g.rbound = norm(g.size);
}

}  // namespace mjx::inner::compiler
