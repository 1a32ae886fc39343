// compile(spec): a Spec becomes a Model, with MuJoCo's ids, defaults, checks and derived constants.
//
// The passes, in MuJoCo's order: copy the tree, process assets, resolve bodies and what hangs on them, fuse and discard, number
// everything and write the tables, resolve references between objects, run the stages at rest for the derived constants.
// Anything wrong is a model_error that names the element.
#pragma once

#include "mjx/compile/assets.hpp"
#include "mjx/compile/body.hpp"
#include "mjx/compile/constants.hpp"
#include "mjx/compile/names.hpp"
#include "mjx/compile/simplify.hpp"
#include "mjx/compile/statistics.hpp"
#include "mjx/compile/tables.hpp"

namespace mjx {

namespace compiler {

// The tree with every pose, size, mass and limit settled, and only the bodies and geoms that stay.
inline Tree resolve_tree(const Spec& spec, const Assets& assets, Tree tree) {
    for (BodyNode* b : tree.bodies) compile_body(*b, spec.compiler, assets);
    if (spec.compiler.fusestatic) fuse_static(tree, spec);
    mark_used_geoms(tree, spec);
    if (spec.compiler.discardvisual) discard_visual(tree);
    for (const BodyNode* b : tree.bodies)
        if (b->moves() && !has_mass(*b)) b->fail("moves but has no mass or inertia");
    return tree;
}

inline Names name_tree(const CompiledModel& m, const std::string& where) {
    Names names;
    names.set(obj::body, m.body_name, where);
    names.set(obj::joint, m.jnt_name, where);
    names.set(obj::geom, m.geom_name, where);
    names.set(obj::site, m.site_name, where);
    names.set(obj::camera, m.cam_name, where);
    names.set(obj::light, m.light_name, where);
    names.set(obj::mesh, m.mesh_name, where);
    names.set(obj::hfield, m.hfield_name, where);
    return names;
}

}  // namespace compiler

inline Model<double> compile(const Spec& spec) {
    using namespace compiler;
    if (!spec.world.joints.empty()) fail(spec.world.joints.front(), "joint", "the world cannot have joints");
    Tree tree = build_tree(spec);
    const Assets assets = process_assets(tree, spec);
    tree = resolve_tree(spec, assets, std::move(tree));

    Model<double> m;
    m.name = spec.name;
    m.opt = spec.option;
    make_asset_tables(m, tree, spec, assets);
    make_tree_tables(m, tree);
    const Names names = name_tree(m, spec.where);
    resolve_targets(m, tree, names);

    set_total_mass(m, spec.compiler.settotalmass);
    set_subtree_mass(m);
    Data<double, Model<double>> d(m);
    set_rest_constants(m, d);
    set_statistics(m, d);
    set_springdampers(m, tree);
    override_statistics(m, spec.statistic);
    return m;
}

}  // namespace mjx
