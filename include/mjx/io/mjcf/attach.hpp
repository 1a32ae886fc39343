// <attach model body|frame prefix>: copies a body, a frame's contents or everything in the world of a sub-model (read by
// <asset><model file/></asset>), or a body or frame of this model, under prefixed names; the sub-model's assets and whatever refers
// to the copy come along. What differs in the options is settled by conflicts.hpp; the compiler
// settings of the sub-model stay with its bodies.
#pragma once

#include "mjx/io/mjcf/conflicts.hpp"
#include "mjx/io/mjcf/keys.hpp"
#include "mjx/io/mjcf/namespace.hpp"

namespace mjx::inner::mjcf {

[[gnu::cold]] inline const SpecBody* find_body(const SpecBody& b, const std::string& name) {
    if (b.name == name) return &b;
    for (const SpecBody& child : b.bodies)
        if (const SpecBody* found = find_body(child, name)) return found;
    return nullptr;
}

// Limits left to be inferred are decided by the sub-model's own rules: a range means a limit.
[[gnu::cold]] inline void settle(Tristate& limited, const Vec<double, 2>& range) {
    if (limited == Tristate::automatic) limited = range[0] < range[1] ? Tristate::yes : Tristate::no;
}
[[gnu::cold]] inline void settle_limits(Spec& s) {
    for (SpecTendon& t : s.tendons) settle(t.limited, t.range), settle(t.actfrclimited, t.actfrcrange);
    for (SpecActuator& a : s.actuators) {
        settle(a.forcelimited, a.forcerange);
        if (a.inheritrange == 0) settle(a.ctrllimited, a.ctrlrange), settle(a.actlimited, a.actrange);
    }
}
[[gnu::cold]] inline void settle_body(SpecBody& b, const std::shared_ptr<const SpecCompiler>& compiler) {
    if (!b.compiler) b.compiler = compiler;
    for (SpecJoint& j : b.joints) {
        if (all_joints::kind(j.type).limit_entries > 0) settle(j.limited, j.range);
        settle(j.actfrclimited, j.actfrcrange);
    }
    for (SpecBody& child : b.bodies) settle_body(child, compiler);
}

// A copy of what <attach> names, as contents to be dissolved at `pose` into the enclosing body.
struct Attachment {
    SpecBody contents{};
    Pose pose{};
};

[[gnu::cold]] inline Attachment find_attachment(const Element& e, const Spec& spec, const Frames& frames, const LocalPoses& local_poses) {
    if (e.has("frame")) {
        const SpecBody* found = frames.find(e.text("frame"));
        if (!found) e.fail({"no frame '", e.text("frame"), "' to attach"});
        return {*found, {found->pos, found->quat}};
    }
    if (!e.has("body")) return {spec.world, {}};
    const SpecBody* found = find_body(spec.world, e.text("body"));
    if (!found || found == &spec.world) e.fail({"no body '", e.text("body"), "' to attach"});
    Attachment a;
    SpecBody& copy = a.contents.bodies.emplace_back(*found);
    // the frame the body stood in stays behind
    if (const Pose* local = local_poses.find(copy.name)) {
        copy.pos = local->pos;
        copy.quat = local->quat;
    }
    return a;
}

[[gnu::cold]] inline void copy_assets(Reader& r, const Element& e, const Spec& source, const Namespace& space) {
    const auto copy = [&](auto& target, const auto& from, int type) {
        for (const auto& item : from) rename_item(r, e, space, type, target.emplace_back(item));
    };
    copy(r.spec.meshes, source.meshes, obj::mesh);
    copy(r.spec.hfields, source.hfields, obj::hfield);
    copy(r.spec.textures, source.textures, obj::texture);
    const std::size_t own = r.spec.materials.size();
    copy(r.spec.materials, source.materials, obj::material);
    auto material = r.spec.materials.begin();
    for (std::size_t i = 0; i < own; ++i) ++material;
    for (; material != r.spec.materials.end(); ++material) material->texture = space(material->texture);
    copy(r.spec.numerics, source.numerics, obj::numeric);
    copy(r.spec.texts, source.texts, obj::text);
}

[[gnu::cold]] inline void read_attach(Reader& r, const Element& e, SpecBody& body) {
    const Namespace space{.prefix = e.text("prefix"), .other_model = e.has("model")};
    if (!e.has("model")) {
        if (!e.has("body") && !e.has("frame")) e.fail("nothing to attach, expected 'model', 'body' or 'frame'");
        Attachment a = find_attachment(e, r.spec, r.frames, r.local_poses);
        rename_tree(r, e, space, a.contents, false);
        dissolve(r, std::move(a.contents), a.pose, body);
        return copy_referrers(r, e, r.spec, space, count_referrers(r.spec));
    }
    const ChildModel* const* found = r.models.find(e.text("model"));
    if (!found) e.fail({"unknown model '", e.text("model"), "', expected the name of a <model> in <asset>"});
    const ChildModel& child = **found;
    r.retagged.clear();
    resolve_conflicts(r, e, child);
    Attachment a = find_attachment(e, child.spec, child.reader.frames, child.reader.local_poses);
    const auto compiler = std::make_shared<const SpecCompiler>(child.spec.compiler);
    for (SpecBody& b : a.contents.bodies) settle_body(b, compiler);
    copy_assets(r, e, child.spec, space);
    rename_tree(r, e, space, a.contents, false);
    dissolve(r, std::move(a.contents), a.pose, body);
    copy_referrers(r, e, child.spec, space, count_referrers(child.spec));
    adopt_keys(r, e, child.spec, space.prefix);
}

}  // namespace mjx::inner::mjcf
