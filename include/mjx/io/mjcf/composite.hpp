// <composite type="cable">: a chain of bodies along a curve, with balls between them, excludes and a site at each end. MuJoCo's other types
// of composite are deprecated, by itself too.
//
// The frame of each body has its x axis along an edge of the curve; from edge to edge it turns by the least rotation, about the binormal at
// the vertex between them (a Bishop frame). Default classes play no part. Vertices are kept in single precision, as in MuJoCo.
#pragma once

#include "mjx/io/mjcf/elements.hpp"
#include "mjx/io/mjcf/namespace.hpp"

namespace mjx::inner::mjcf {

// What the element and its children say.
struct Composite {
    std::string prefix{};
    std::string initial = "ball";  // or none or free; other words mean ball, too
    Vec3d offset{{0, 0, 0}};
    List<float> vertices{};
    SpecJoint joint{.type = Ball::type, .group = 3};
    SpecGeom geom{};
    SpecSite site{.group = 3};
    std::optional<SpecCable> cable{};

    int edges() const { return static_cast<int>(vertices.size() / 3) - 1; }
    Vec3d edge(int i) const {
        const float* const v = vertices.data() + 3 * i;
        return {{v[3] - v[0], v[4] - v[1], v[5] - v[2]}};
    }
};

// Makes v a unit vector and gives its length; 0 leaves it as it is.
[[gnu::cold]] inline double make_unit(Vec3d& v) {
    constexpr double tiny = 1e-14;
    if (dot(v, v) < tiny) return 0;
    const double length = norm(v);
    v = unit(v);
    return length;
}

// The vertices that `curve` describes: a line, a cosine or a sine of the arc in each coordinate.
[[gnu::cold]] inline List<float> curve_vertices(const Element& e, int count) {
    Vec3d size{{1, 0, 0}};
    Quatd quat = Quatd::identity();
    get(e, "size", size);
    get(e, "quat", quat);
    if (dot(size, size) < 1e-14) e.fail("attribute 'size' is zero, expected a length");
    const std::string text = e.text("curve");
    const List<std::string_view> words = split_words(text);
    if (words.size() > 3) e.fail("attribute 'curve' has more than three words, expected one for each coordinate");
    List<float> vertices;
    for (int i = 0; i < count; ++i) {
        Vec3d v{{0, 0, 0}};
        for (std::size_t k = 0; k < words.size(); ++k) {
            const double angle = std::numbers::pi * i * size[2] / (count - 1);
            double& x = v[static_cast<int>(k)];
            if (words[k] == "s")
                x = i * size[0] / (count - 1);
            else if (words[k] == "cos(s)")
                x = size[1] * std::cos(angle);
            else if (words[k] == "sin(s)")
                x = size[1] * std::sin(angle);
            else if (words[k] != "0")
                e.fail({"attribute 'curve': unknown word '", words[k], "', expected one of 's', 'cos(s)', 'sin(s)', '0'"});
        }
        v = rotate(quat, v);
        for (int k = 0; k < 3; ++k) vertices.push_back(static_cast<float>(v[k]));
    }
    return vertices;
}

[[gnu::cold]] inline List<float> composite_vertices(const Element& e) {
    constexpr int most = 2000;
    Vec<int, 3> count{{1, 1, 1}};
    List<float> vertices;
    get(e, "count", count);
    if (get(e, "vertex", vertices)) {
        if (count[0] > 1) e.fail("both 'vertex' and 'count' are given, expected one of them");
        vertices.resize(vertices.size() / 3 * 3);
        count[0] = static_cast<int>(vertices.size() / 3);
    }
    if (count[0] < 2 || count[1] != 1 || count[2] != 1)
        e.fail("a cable has one dimension, expected 'count' to be at least 2, then 1 and 1");
    if (count[0] > most) e.fail({"a cable of ", std::to_string(count[0]), " vertices, expected up to ", std::to_string(most)});
    return vertices.empty() ? curve_vertices(e, count[0]) : vertices;
}

[[gnu::cold]] inline Composite get_composite(const Reader& r, const Element& e) {
    if (e.text("type") != "cable") e.fail({"attribute 'type': composite '", e.text("type"), "' is not supported, expected 'cable'"});
    Composite c;
    get(e, "prefix", c.prefix);
    get(e, "initial", c.initial);
    get(e, "offset", c.offset);
    c.vertices = composite_vertices(e);
    for (const Element& child : e.children) {
        if (child.tag == "joint") {
            read_attributes(child, joint_attributes, c.joint);
            c.joint.type = Ball::type;
            c.joint.limited = Tristate::automatic;  // which MuJoCo does not read here
            joint_to_radians(r.angles, c.joint);
        } else if (child.tag == "geom") {
            for (const char* own : {"name", "class", "fromto", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "hfield", "mesh"})
                if (child.has(own)) child.fail({"unknown attribute '", own, "' in a composite, which places and names its geoms"});
            read_attributes(child, geom_attributes, c.geom);
        } else if (child.tag == "site") {
            read_attributes(child, site_attributes, c.site);
        } else if (child.tag == "plugin") {
            c.cable = get_cable(r, child);
            if (c.cable->chain.empty()) c.cable->chain = "composite" + c.prefix;
        }
    }
    if (shape_cable_size(c.geom.type) < 0) e.fail("geoms of a cable must be of type capsule, cylinder or box, expected <geom type=...>");
    return c;
}

// The orientation of each edge, and the normal that is carried along.
[[gnu::cold]] inline Quatd edge_frame(const Composite& c, int i, Vec3d& normal) {
    Vec3d tangent = c.edge(i), binormal;
    make_unit(tangent);
    if (i == 0) {
        Vec3d next = c.edges() > 1 ? c.edge(1) : tangent;
        make_unit(next);
        binormal = cross(tangent, next);
        make_unit(binormal);
        normal = cross(binormal, tangent);
        make_unit(normal);
    } else {
        Vec3d before = c.edge(i - 1);
        make_unit(before);
        binormal = cross(before, tangent);
        const double angle = std::atan2(make_unit(binormal), dot(before, tangent));
        normal = rotate(axis_angle(binormal, angle), normal);
        make_unit(normal);
        binormal = cross(tangent, normal);
        make_unit(binormal);
    }
    return frame_to_quat(tangent, normal, binormal);
}

// Gives a new object its name and its place.
template <class Item>
[[gnu::cold]] void name_part(Reader& r, const Element& e, int type, Item& item, const std::string& name) {
    count_copy(r, e);
    item.name = name;
    item.where = e.where();
    r.names.add(type, name);
    if constexpr (requires { item.tag; }) item.tag = ++r.last_tag;
}

// The names of parts: first, 1, 2, ..., last.
[[gnu::cold]] inline std::string part_name(const Composite& c, const char* kind, int i) {
    return c.prefix + kind + (i == 0 ? "first" : i == c.edges() - 1 ? "last" : std::to_string(i));
}

[[gnu::cold]] inline void add_cable_geom(Reader& r, const Element& e, const Composite& c, int i, SpecBody& b) {
    SpecGeom& g = b.geoms.emplace_back(c.geom);
    name_part(r, e, obj::geom, g, c.prefix + "G" + std::to_string(i));
    const double length = norm(c.edge(i));
    if (const int along = shape_cable_size(g.type); along != shape_length_size(g.type)) {  // along x as it is
        g.pos = {{length / 2, 0, 0}};
        g.size[along] = length / 2;
    } else {
        g.fromto = Vec6<double>{{0, 0, 0, length, 0, 0}};
        resolve_fromto(e, g);
    }
}

[[gnu::cold]] inline void add_cable_joint(Reader& r, const Element& e, const Composite& c, int i, SpecBody& b) {
    if (i == 0 && c.initial == "none") return;
    SpecJoint& j = b.joints.emplace_back(c.joint);
    name_part(r, e, obj::joint, j, part_name(c, "J_", i));
    if (i > 0 || c.initial != "free") return;
    j.type = Free::type;
    j.damping = {};
    j.armature = j.frictionloss = 0;
}

[[gnu::cold]] inline void read_composite(Reader& r, const Element& e, SpecBody& parent) {
    const Composite c = get_composite(r, e);
    const int last = c.edges() - 1;
    SpecText& text = r.spec.texts.emplace_back();
    name_part(r, e, obj::text, text, "composite_" + c.prefix);
    text.data = "rope_" + c.prefix;
    SpecBody* at = &parent;
    Vec3d normal{{0, 1, 0}};
    Quatd before = Quatd::identity();
    for (int i = 0; i <= last; ++i) {
        SpecBody& b = at->bodies.emplace_back();
        name_part(r, e, obj::body, b, part_name(c, "B_", i));
        const Quatd frame = edge_frame(c, i, normal);
        b.pos = {{i > 0 ? norm(c.edge(i - 1)) : 0, 0, 0}};
        if (i == 0)
            for (int k = 0; k < 3; ++k) b.pos[k] = c.offset[k] + c.vertices[static_cast<std::size_t>(k)];
        b.quat = unit(Quatd(conjugate(before) * frame));
        b.own_pose = {b.pos, b.quat};
        b.cable = c.cable;
        before = frame;
        add_cable_geom(r, e, c, i, b);
        add_cable_joint(r, e, c, i, b);
        if (i < last) r.spec.excludes.emplace_back(SpecExclude{.where = e.where(), .body1 = b.name, .body2 = part_name(c, "B_", i + 1)});
        if (i == 0 || i == last) {
            SpecSite& s = b.sites.emplace_back(c.site);
            name_part(r, e, obj::site, s, part_name(c, "S_", i));
            s.pos = {{i == last ? norm(c.edge(i)) : 0, 0, 0}};
        }
        at = &b;
    }
}

}  // namespace mjx::inner::mjcf
