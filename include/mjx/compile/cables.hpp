// Elastic cables: which joints they have, how stiff each is and where it rests.
//
// The section of a body's first geom gives the torsion constant J and the second moments of area I; the stiffness of a joint is that of a
// rod as long as the distance between the bodies, G J / l and E I / l.
#pragma once

#include "mjx/compile/names.hpp"
#include "mjx/compile/tree.hpp"

namespace mjx::inner::compiler {

// J, and I about the second and third axis.
[[gnu::cold]] inline Vec3d section_moments(const BodyNode& b) {
    if (b.geoms.empty()) b.fail("a body of a cable needs a geom, whose section says how stiff it is");
    const GeomNode& g = b.geoms.front();
    if (shape_cable_size(g.type) < 0) b.fail("the first geom of a body of a cable must be a capsule, a cylinder or a box");
    Vec3d moments{};
    all_shapes::visit(g.type, [&](auto s) {
        if constexpr (s.cable_size >= 0) moments = s.section(g.size);
    });
    return moments;
}

// The joint between a body and the one before it in the cable.
[[gnu::cold]] inline void push_cable_joint(CompiledModel& m, const BodyNode& b) {
    const SpecCable& cable = *b.spec->cable;
    const Vec3d moments = section_moments(b);
    const double length = norm(b.pos);
    if (b.joints.size() != 1 || !all_joints::is_rotation(b.joints.front().type))
        b.fail("a body of a cable, but for the first, needs one joint, a ball");
    if (!(length > 0)) b.fail("a body of a cable must be away from the one before");
    ++m.ncable;
    m.cable_jntid.push_back(m.body_jntadr[b.id]);
    m.cable_stiffness.push_back({{moments[0] * cable.twist / length, moments[1] * cable.bend / length, moments[2] * cable.bend / length}});
    m.cable_rest.push_back(cable.flat ? Vec3d{{0, 0, 0}} : log_quat(b.quat));
}

[[gnu::cold]] inline void make_cables(CompiledModel& m, const Tree& tree) {
    NameMap last;  // body of each chain; 0, the world, stands before the first
    for (const BodyNode* b : tree.bodies) {
        if (!b->spec->cable || b->spec->cable->chain.empty()) continue;
        const SpecCable& cable = *b->spec->cable;
        int& last_id = last[cable.chain];
        if (last_id > 0) {
            const BodyNode* before = tree.bodies[last_id];
            const SpecCable& other = *before->spec->cable;
            if (cable.twist != other.twist || cable.bend != other.bend || cable.flat != other.flat)
                b->fail("the bodies of one cable must have the same twist, bend and flat");
            if (b->parent != before) b->fail("the bodies of a cable must each be the child of the one before");
            push_cable_joint(m, *b);
        }
        last_id = b->id;
    }
}

}  // namespace mjx::inner::compiler
