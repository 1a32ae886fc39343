// compile<Joints>(spec): the passes that make a Model of any joint set.
//
//     using joints = joint_set<Hinge, Slide, Screw>;                    // Screw is the program's own
//     Model<double, joints> model = compile<joints>(spec);              // a joint of another type is an error that says so
//     auto shaped = compile<joints, RoundedBox>(spec);                  // the same with shapes of the program's own
//
// In MuJoCo's order: copy the tree, process assets, resolve bodies and what hangs on them, fuse and discard, number everything and write
// the tables, resolve references between objects, run the stages at rest for the derived constants. Tables are made by code that is the
// same for every set; the stages run as those of the model that is asked for.
#pragma once

#include "mjx/collision/candidates.hpp"
#include "mjx/compile/actuators.hpp"
#include "mjx/compile/assets.hpp"
#include "mjx/compile/body.hpp"
#include "mjx/compile/cables.hpp"
#include "mjx/compile/capacity.hpp"
#include "mjx/compile/constants.hpp"
#include "mjx/compile/contacts.hpp"
#include "mjx/compile/custom.hpp"
#include "mjx/compile/equality.hpp"
#include "mjx/compile/finite.hpp"
#include "mjx/compile/length_range.hpp"
#include "mjx/compile/names.hpp"
#include "mjx/compile/sdf_grid.hpp"
#include "mjx/compile/sensors.hpp"
#include "mjx/compile/simplify.hpp"
#include "mjx/compile/sleep.hpp"
#include "mjx/compile/tables.hpp"
#include "mjx/compile/tendons.hpp"
#include "mjx/compile/visual.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/model/shape/user.hpp"

namespace mjx::inner {

namespace compiler {

// Settles every pose, size, mass and limit of the tree; only the bodies and geoms that count stay.
[[gnu::cold]] inline void resolve_tree(const Spec& spec, const Assets& assets, Tree& tree) {
    for (BodyNode* b : tree.bodies) compile_body(*b, b->spec->compiler ? *b->spec->compiler : spec.compiler, assets, spec.option.mujoco);
    if (spec.compiler.fusestatic) fuse_static(tree, spec);
    mark_used_geoms(tree, spec);
    if (spec.compiler.discardvisual) discard_visual(tree);
    for (const BodyNode* b : tree.bodies) {
        if (b->moves() && !has_mass(*b))
            b->fail("moves but has no mass or inertia; the options repair_inertia and link_mass for URDF give it some");
        if (b->moves() && b->joints.front().kind->floats && b->parent->id > 0)
            b->fail("a free joint needs a body that is a child of the world");  // fusing may have made it one
    }
}

[[gnu::cold]] inline Names name_tree(const CompiledModel& m, const std::string& where) {
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

// Everything outside the tree, in an order that lets each refer to what it needs.
[[gnu::cold]] inline void make_object_tables(CompiledModel& m, const Spec& spec, Names& names) {
    make_pairs(m, spec, names);
    make_excludes(m, spec, names);
    make_tendons(m, spec, names);
    make_equalities(m, spec, names);
    make_actuators(m, spec, names);
    make_sensors(m, spec, names);
    make_custom(m, spec, names);
    names.set(obj::pair, m.pair_name, spec.where);
    names.set(obj::exclude, m.exclude_name, spec.where);
    names.set(obj::equality, m.eq_name, spec.where);
    make_tuples(m, spec, names);
    make_keys(m, spec, names);
    m.nuserdata = spec.nuserdata;
}

// Constants that need the stages of a model with these joints to run. Contacts play no part in them, so room for contacts comes after.
template <class M>
[[gnu::cold]] void set_constants(M& m, const Tree& tree, const Spec& spec) {
    set_total_mass(m, spec.compiler.settotalmass);
    size_constants(m);
    set_subtree_mass(m);
    RestData<M> d(m);
    set_rest_constants(m, d);
    for (const BodyNode* b : tree.bodies)
        if (b->moves() && !std::isfinite(m.dof_invweight0[m.body_dofadr[b->id]]))
            b->fail("its inertia is not finite or not positive: it, or a body it carries, has joints that move it in the same way, or a "
                    "number out of proportion");
    set_statistics(m, d);
    set_spring_lengths(m, d);
    set_springdampers(m, tree);
    if (wants_length_ranges(m, spec)) set_length_ranges(m, spec);
}

// What is not MuJoCo's default was chosen, also where no file says so.
[[gnu::cold]] inline void mark_choices(Option<double>& opt) {
    const Option<double> standard;
    if (opt.integrator != standard.integrator) opt.chosen |= choice::integrator;
    if (opt.solver != standard.solver) opt.chosen |= choice::solver;
    if (opt.cone != standard.cone) opt.chosen |= choice::cone;
}

// What two models of different joint sets hold changes places.
template <class A, class B>
void swap_contents(A& a, B& b) {
    std::swap(static_cast<ModelSizes<double>&>(a), static_cast<ModelSizes<double>&>(b));
    std::swap(static_cast<ModelTables<double>&>(a), static_cast<ModelTables<double>&>(b));
    std::swap(static_cast<ModelNames&>(a), static_cast<ModelNames&>(b));
    std::swap(a.visual, b.visual);
}

// From a Spec to tables; nothing has been simulated yet.
[[gnu::cold]] inline void make_tables(CompiledModel& m, Tree& tree, const Spec& spec) {
    if (!spec.world.joints.empty()) fail(spec.world.joints.front(), "joint", "the world cannot have joints");
    if (spec.option.disabled(disable::nativeccd))
        std::fprintf(stderr, "mjx: %s: option/flag nativeccd=\"disable\": MuJoCo's older collider is not there, its native one is used\n",
                     spec.where.c_str());
    check_options(spec);
    tree = build_tree(spec, m.kinds);
    const Assets assets = process_assets(tree, spec);
    resolve_tree(spec, assets, tree);

    m.name = spec.name;
    m.opt = spec.option;
    mark_choices(m.opt);
    make_asset_tables(m, tree, spec, assets);
    make_tree_tables(m, tree, spec);
    apply_materials(m, tree, spec);
    m.visual = make_visual(tree, spec);
    Names names = name_tree(m, spec.where);
    resolve_targets(m, tree, names);
    make_cables(m, tree);
    make_object_tables(m, spec, names);
    set_sleep_policy(m, spec);
    make_sdf_grids(m);
    make_candidates(m);
}

template <class Joints>
[[gnu::cold]] Model<double, Joints> run_passes(const Spec& spec) {
    CompiledModel m;
    m.kinds = Joints::kinds;
    Tree tree;
    make_tables(m, tree, spec);
    Model<double, Joints> model;
    swap_contents(m, model);
    set_constants(model, tree, spec);
    swap_contents(m, model);
    set_capacities(m, spec);
    override_statistics(m, spec.statistic);
    check_finite(m, spec.where);
    swap_contents(m, model);
    return model;
}

}  // namespace compiler

template <class Joints>
    requires requires { Joints::kinds; }
Model<double, Joints> compile(const Spec& spec) {
    try {
        return compiler::run_passes<Joints>(spec);
    } catch (const std::bad_alloc&) {
        throw_model_error({spec.where, ": not enough memory to compile the model"});
    }
}

// With joints and shapes of the user's own: auto model = compile<joint_set<Hinge, Screw>, RoundedBox>(spec).
template <class Joints, convex_shape First, convex_shape... Others>
    requires requires { Joints::kinds; }
WithShapes<Model<double, Joints>, First, Others...> compile(Spec spec) {
    spec.shapes = {shape_row<UserShape<First>>(), shape_row<UserShape<Others>>()...};
    return compile<Joints>(static_cast<const Spec&>(spec));
}

}  // namespace mjx::inner
