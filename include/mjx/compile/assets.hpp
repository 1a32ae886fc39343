// Meshes and height fields: processed once, then given to the geoms that show them.
//
// Reads   the Spec's meshes and hfields and the geoms that name them
// Writes  pose, size, bounds and mass of those geoms; mesh_* and hfield_* tables
#pragma once

#include "mjx/compile/geom.hpp"
#include "mjx/compile/mesh_model.hpp"
#include "mjx/compile/names.hpp"
#include "mjx/compile/sdf.hpp"
#include "mjx/io/hfield.hpp"
#include "mjx/model/tendon_path.hpp"

#include <cstdio>

namespace mjx::inner::compiler {

[[gnu::cold]] inline void add_names(NameMap& names, const std::string& first, const std::string& second) {
    names.add(first);
    names.add(second);
}

struct Assets {
    List<ShapeRow> shapes{};  // the user's own
    Array<const SpecMesh*> mesh_specs{};
    List<ProcessedMesh> meshes{};
    Array<const SpecHfield*> hfield_specs{};
    List<HfieldData> hfields{};
    Names names{};
};

template <class List>
Array<std::string> names_of(const List& list, const char* kind) {
    Array<std::string> names;
    for (const auto& e : list) {
        if (e.name.empty()) fail(e, kind, "has no name");
        names.push_back(e.name);
    }
    return names;
}

// The meshes of sites.
template <class F>
void for_each_site_mesh(const Tree& tree, const Names& names, F&& f) {
    for (const BodyNode* b : tree.bodies)
        for (const SpecSite& s : b->sites)
            if (const int id = names.find(obj::mesh, s.mesh); id >= 0) f(static_cast<std::size_t>(id));
}

// Meshes whose convex hull collision detection or a site will need.
[[gnu::cold]] inline List<bool> meshes_that_collide(const Tree& tree, const Spec& spec, const Names& names) {
    List<bool> collide(spec.meshes.size(), false);
    NameMap in_pair;
    for (const SpecPair& p : spec.pairs) add_names(in_pair, p.geom1, p.geom2);
    for (const BodyNode* b : tree.bodies)
        for (const GeomNode& g : b->geoms) {
            if (!is_of_mesh(g.type)) continue;
            const int id = names.find(obj::mesh, g.mesh);
            const bool named = !g.name.empty() && in_pair.contains(g.name);
            if (id >= 0 && (g.contype != 0 || g.conaffinity != 0 || named)) collide[static_cast<std::size_t>(id)] = true;
        }
    for_each_site_mesh(tree, names, [&](std::size_t id) { collide[id] = true; });
    return collide;
}

// The first geom that shows a mesh, for messages: a file is missed by what should have been there.
[[gnu::cold]] inline std::string shown_by(const Tree& tree, const std::string& mesh) {
    for (const BodyNode* b : tree.bodies)
        for (const GeomNode& g : b->geoms)
            if (g.mesh == mesh) return " (needed by " + place(g, "geom") + ")";
    return "";
}

// Geoms that pairs, tendons, equality constraints, sensors and tuples name.
[[gnu::cold]] inline NameMap referenced_geoms(const Spec& spec) {
    NameMap names;
    for (const SpecPair& p : spec.pairs) add_names(names, p.geom1, p.geom2);
    for (const SpecTendon& t : spec.tendons)
        for (const SpecWrap& w : t.path)
            if (wraps_around(w.type)) names.add(w.name);
    for (const SpecEquality& e : spec.equalities)
        if (const EqualityKind* const kind = find_equality(e.type); kind && kind->object == obj::geom) add_names(names, e.name1, e.name2);
    for (const SpecSensor& s : spec.sensors) {
        if (s.objtype == obj::geom) names.add(s.objname);
        if (s.reftype == obj::geom) names.add(s.refname);
    }
    for (const SpecTuple& t : spec.tuples)
        for (const SpecTuple::Entry& e : t.entries)
            if (e.objtype == obj::geom) names.add(e.objname);
    return names;
}

[[gnu::cold]] inline bool infers_inertia(const BodyNode& b, const GeomNode& g, const SpecCompiler& c) {
    return b.id > 0 && (!b.spec->inertial || c.inertiafromgeom == Tristate::yes) && g.group >= c.inertiagrouprange[0] &&
           g.group <= c.inertiagrouprange[1];
}

// Meshes that discardvisual will remove with every geom that shows them, and that give nothing their mass: files that a model can do
// without.
[[gnu::cold]] inline List<bool> meshes_to_discard(const Tree& tree, const Spec& spec, const List<bool>& collide, const Names& names) {
    List<bool> discard(spec.meshes.size(), spec.compiler.discardvisual);
    const auto keep = [&](const std::string& mesh) {
        if (const int id = names.find(obj::mesh, mesh); id >= 0) discard[static_cast<std::size_t>(id)] = false;
    };
    const NameMap used = referenced_geoms(spec);
    for (const BodyNode* b : tree.bodies)
        for (const GeomNode& g : b->geoms) {
            const bool weighs = b->id > 0 && infers_inertia(*b, g, b->spec->compiler ? *b->spec->compiler : spec.compiler);
            if (weighs || g.contype != 0 || g.conaffinity != 0 || used.contains(g.name)) keep(g.mesh);
        }
    for (const SpecSensor& s : spec.sensors)
        if (s.objtype == obj::mesh) keep(s.objname);
    for (std::size_t i = 0; i < discard.size(); ++i) discard[i] = discard[i] && !collide[i];
    return discard;
}

[[gnu::cold]] inline void drop_geoms_of(Tree& tree, const std::string& mesh) {
    for (BodyNode* b : tree.bodies)
        for (auto g = b->geoms.begin(); g != b->geoms.end();) {
            if (g->mesh == mesh)
                g = b->geoms.erase(g);
            else
                ++g;
        }
    tree.renumber();
}

[[gnu::cold]] inline Assets process_assets(Tree& tree, const Spec& spec) {
    Assets assets;
    assets.shapes = spec.shapes;
    assets.names.set(obj::mesh, names_of(spec.meshes, "mesh"), spec.where);
    assets.names.set(obj::hfield, names_of(spec.hfields, "hfield"), spec.where);
    const List<bool> collide = meshes_that_collide(tree, spec, assets.names);
    const List<bool> discard = meshes_to_discard(tree, spec, collide, assets.names);
    for (const SpecMesh& mesh : spec.meshes) {
        const std::size_t i = assets.meshes.size();
        assets.mesh_specs.push_back(&mesh);
        try {
            assets.meshes.push_back(process_mesh(mesh, collide[i], spec.option.mujoco));
        } catch (const model_error& trouble) {
            if (!discard[i]) throw_model_error({trouble.what(), shown_by(tree, mesh.name)});
            std::fprintf(stderr, "mjx: %s; it would only be seen, and is left out\n", trouble.what());
            assets.meshes.emplace_back();
            drop_geoms_of(tree, mesh.name);
        }
    }
    std::size_t cells = 0;
    for (const SpecHfield& hfield : spec.hfields) {
        for (int k = 0; k < 4; ++k)
            if (!(hfield.size[k] > 0)) fail(hfield, "hfield", "size must be four positive numbers");
        assets.hfield_specs.push_back(&hfield);
        assets.hfields.push_back(load_hfield(hfield, spec.budget.numbers, cells));
        cells += assets.hfields.back().data.size();
    }
    return assets;
}

[[gnu::cold]] inline void attach_mesh(GeomNode& g, const Assets& assets, const SpecCompiler& c) {
    if (g.fromto) fail(g, "geom", "fromto cannot be used with a mesh");
    g.dataid = assets.names.require(obj::mesh, g.mesh, g, "geom");
    const ProcessedMesh& mesh = assets.meshes[static_cast<std::size_t>(g.dataid)];
    Vec3d centre = Vec3d::zero();
    if (is_of_mesh(g.type)) {
        if (g.shellinertia) fail(g, "geom", "shellinertia of a mesh geom belongs in the mesh (inertia=\"shell\")");
        g.size = mesh.reach();
        g.aabb = mesh.aabb();
        g.rbound = mesh.rbound();
    } else {
        const MeshFit fit = fit_to_mesh(mesh, g.type, c.fitaabb, g.fitscale, place(g, "geom"));
        g.size = fit.size;
        centre = fit.centre;
    }
    enter_mesh_frame(mesh, centre, g.pos, g.quat);
    g.surfacevel = surfacevel_in_mesh_frame(mesh, centre, g.surfacevel);
}

// A site keeps its own frame; its mesh is where the file's frame is.
[[gnu::cold]] inline void attach_mesh(SiteNode& s, const Assets& assets) {
    if (is_hull(s.type) == s.mesh.empty()) fail(s, "site", "mesh is for sites of type mesh, which need one");
    if (s.mesh.empty()) return;
    s.dataid = assets.names.require(obj::mesh, s.mesh, s, "site");
    s.size = assets.meshes[static_cast<std::size_t>(s.dataid)].reach();
}

[[gnu::cold]] inline void attach_hfield(GeomNode& g, const Assets& assets) {
    g.dataid = assets.names.require(obj::hfield, g.hfield, g, "geom");
    const Vec<double, 4>& size = assets.hfield_specs[g.dataid]->size;
    g.size = {{size[0], size[1], 0.25 * size[2] + 0.5 * size[3]}};
    g.aabb = {{0, 0, (size[2] - size[3]) / 2, size[0], size[1], (size[2] + size[3]) / 2}};
    g.rbound = std::sqrt(size[0] * size[0] + size[1] * size[1] + std::max(size[2] * size[2], size[3] * size[3]));
}

// The frame and size of a geom, from its own attributes and from its asset.
[[gnu::cold]] inline void place_geom(GeomNode& g, const Assets& assets, const SpecCompiler& c, const ShapeRow& shape) {
    g.quat = unit_quat(g, "geom", g.quat);
    resolve_fromto(g, "geom", shape);
    if (is_field(g.type) && g.mesh.empty()) return place_sdf(g);
    if (is_of_mesh(g.type) && g.mesh.empty()) fail(g, "geom", "a mesh geom needs the name of a mesh");
    if (is_of_hfield(g.type) == g.hfield.empty()) fail(g, "geom", "hfield is for geoms of type hfield, which need one");
    if (is_field(g.type) && !g.sdf.empty()) require_sdf(g, "geom");
    if (!g.mesh.empty()) attach_mesh(g, assets, c);
    if (!g.hfield.empty()) attach_hfield(g, assets);
}

[[gnu::cold]] inline void set_mesh_mass(GeomNode& g, const Assets& assets) {
    if (g.mesh.empty()) return;  // a signed distance field by formula
    const ProcessedMesh& mesh = assets.meshes[static_cast<std::size_t>(g.dataid)];
    set_mass(g, mesh.volume, [&](double mass) { return mesh.inertia(mass); });
}

// Writes the tables; with discardvisual, only meshes of geoms that are left, renumbering those geoms.
[[gnu::cold]] inline void make_asset_tables(CompiledModel& m, Tree& tree, const Spec& spec, const Assets& assets) {
    List<bool> keep(assets.meshes.size(), !spec.compiler.discardvisual);
    tree.for_each_geom([&](BodyNode&, GeomNode& g) {
        if (!g.mesh.empty() && !g.visual) keep[static_cast<std::size_t>(g.dataid)] = true;
    });
    for_each_site_mesh(tree, assets.names, [&](std::size_t id) { keep[id] = true; });
    for (const SpecSensor& s : spec.sensors)
        if (const int id = s.objtype == obj::mesh ? assets.names.find(obj::mesh, s.objname) : -1; id >= 0)
            keep[static_cast<std::size_t>(id)] = true;
    List<int> new_id(assets.meshes.size(), -1);
    for (std::size_t i = 0; i < assets.meshes.size(); ++i) {
        if (!keep[i]) continue;
        new_id[i] = m.nmesh;
        append_mesh(m, assets.meshes[i], *assets.mesh_specs[static_cast<int>(i)]);
    }
    tree.for_each_geom([&](BodyNode&, GeomNode& g) {
        if (!g.mesh.empty()) g.dataid = new_id[static_cast<std::size_t>(g.dataid)];
    });
    for (BodyNode* b : tree.bodies)
        for (SiteNode& s : b->sites)
            if (s.dataid >= 0) s.dataid = new_id[static_cast<std::size_t>(s.dataid)];
    for (std::size_t i = 0; i < assets.hfields.size(); ++i) {
        const SpecHfield& spec_field = *assets.hfield_specs[m.nhfield++];
        m.hfield_name.push_back(spec_field.name);
        m.hfield_size.push_back(spec_field.size);
        m.hfield_nrow.push_back(assets.hfields[i].nrow);
        m.hfield_ncol.push_back(assets.hfields[i].ncol);
        m.hfield_adr.push_back(m.hfield_data.size());
        for (const float z : assets.hfields[i].data) m.hfield_data.push_back(z);
    }
}

}  // namespace mjx::inner::compiler
