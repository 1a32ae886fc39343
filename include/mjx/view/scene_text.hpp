// A scene as the page reads it: JSON for what has names, and a block of bytes for the surfaces.
//
// Surfaces follow each other, each starting at a multiple of four bytes: vertices as 16-bit places between `low` and `low + 65535 step`,
// normals as 8-bit fractions, texture coordinates as floats where a picture needs them, then indices of 16 bits, or of 32 where there are
// more vertices. A vertex is then off by less than 1/65535 of its surface's size.
#pragma once

#include "mjx/view/bytes.hpp"
#include "mjx/view/json.hpp"
#include "mjx/view/scene.hpp"

#include <vector>

namespace mjx::inner::show {

struct SceneText {
    std::string json{};
    Bytes surfaces{};
};

inline std::string put_surface(const Surface& s, bool pictured, Bytes& out) {
    Vec3f low{}, step{};
    for (int i = 0; i < 3; ++i) {
        float least = 0, most = 0;
        for (std::size_t v = 0; v < s.vert.size(); ++v) {
            least = v == 0 ? s.vert[v][i] : std::min(least, s.vert[v][i]);
            most = v == 0 ? s.vert[v][i] : std::max(most, s.vert[v][i]);
        }
        low[i] = least;
        step[i] = (most - least) / 65535;
    }
    for (const Vec3f& v : s.vert)
        for (int i = 0; i < 3; ++i)
            out.put(static_cast<std::uint16_t>(step[i] > 0 ? std::min(65535.0f, std::round((v[i] - low[i]) / step[i])) : 0));
    out.align(4);
    for (const Vec3f& n : s.normal)
        for (int i = 0; i < 3; ++i) out.put(static_cast<std::int8_t>(std::round(127 * n[i])));
    out.align(4);
    if (pictured) out.put_all(s.uv);
    for (const std::uint32_t i : s.index) {
        if (s.vert.size() <= 65536)
            out.put(static_cast<std::uint16_t>(i));
        else
            out.put(i);
    }
    out.align(4);
    return json_object({{"vertices", json(s.vert.size())},
                        {"indices", json(s.index.size())},
                        {"low", json(low)},
                        {"step", json(step)},
                        {"uv", json(pictured)}});
}

inline std::string item_json(const Item& g) {
    return json_object({{"name", json(g.name)},
                        {"body", json(g.body)},
                        {"floor", json(is_endless(g.type))},
                        {"group", json(g.group)},
                        {"surface", json(g.surface)},
                        {"hull", json(g.hull)},
                        {"collides", json(g.collides)},
                        {"size", json(g.size)},
                        {"pos", json(g.pos)},
                        {"quat", json(g.quat)},
                        {"rgba", json(g.rgba)},
                        {"material", json(g.material)},
                        {"repeat", json(g.texture.repeat)},
                        {"offset", json(g.texture.offset)},
                        {"wrap", json(g.texture.wrap)}});
}

inline std::string visual_json(const Scene& scene) {
    const Visual& v = scene.visual;
    const auto texture = [&](const TextureLook& t) {
        const auto& pictures = scene.texture_pictures[static_cast<std::size_t>(&t - v.textures.data())];
        return json_object({{"type", json(t.type)},
                            {"builtin", json(t.builtin)},
                            {"pictures", json(std::vector<int>(pictures.begin(), pictures.end()))},
                            {"single", json(t.files[1].empty())},
                            {"gridsize", json(t.gridsize)},
                            {"gridlayout", json(t.gridlayout)},
                            {"flip", json(Vec<int, 2>{{t.hflip, t.vflip}})},
                            {"pixels", json(t.pixels)},
                            {"random", json(t.random)},
                            {"mark", json(t.mark)},
                            {"rgb1", json(t.rgb1)},
                            {"rgb2", json(t.rgb2)},
                            {"markrgb", json(t.markrgb)}});
    };
    const auto material = [](const MaterialLook& m) {
        return json_object({{"texture", json(m.texture)},
                            {"emission", json(m.emission)},
                            {"specular", json(m.specular)},
                            {"shininess", json(m.shininess)},
                            {"reflectance", json(m.reflectance)},
                            {"metallic", json(m.metallic)},
                            {"roughness", json(m.roughness)},
                            {"rgba", json(m.rgba)}});
    };
    return json_object({{"azimuth", json(v.view.azimuth)},
                        {"elevation", json(v.view.elevation)},
                        {"fovy", json(v.view.fovy)},
                        {"headlight", json(v.view.headlight)},
                        {"ambient", json(v.view.headlight_ambient)},
                        {"diffuse", json(v.view.headlight_diffuse)},
                        {"textures", json_list(v.textures, texture)},
                        {"materials", json_list(v.materials, material)}});
}

// Surfaces of something with a flat texture, as far as they have texture coordinates.
inline std::vector<bool> pictured_surfaces(const Scene& s) {
    std::vector<bool> pictured(s.surfaces.size());
    for (const auto* items : {&s.geoms, &s.sites})
        for (const Item& item : *items) {
            const TextureLook* texture = s.texture(item);
            const auto at = static_cast<std::size_t>(item.surface);
            if (texture && texture->type == texture_type::flat && !s.surfaces[at].uv.empty()) pictured[at] = true;
        }
    return pictured;
}

inline std::string body_json(const Body& b) {
    return json_object({{"name", json(b.name)},
                        {"parent", json(b.parent)},
                        {"moves", json(b.moves)},
                        {"mass", json(b.mass)},
                        {"pos", json(b.pos)},
                        {"quat", json(b.quat)},
                        {"ipos", json(b.ipos)},
                        {"iquat", json(b.iquat)},
                        {"box", json(b.box)}});
}
inline std::string joint_json(const Joint& j) {
    return json_object({{"name", json(j.name)},
                        {"body", json(j.body)},
                        {"qposadr", json(j.qposadr)},
                        {"hasAxis", json(j.has_axis)},
                        {"scalar", json(j.scalar)},
                        {"turns", json(j.turns)},
                        {"limited", json(j.limited)},
                        {"pos", json(j.pos)},
                        {"axis", json(j.axis)},
                        {"low", json(j.low)},
                        {"high", json(j.high)}});
}
inline std::string control_json(const Control& c) {
    return json_object({{"name", json(c.name)}, {"limited", json(c.limited)}, {"low", json(c.low)}, {"high", json(c.high)}});
}
inline std::string sensor_json(const Sensor& x) {
    return json_object({{"name", json(x.name)}, {"adr", json(x.adr)}, {"dim", json(x.dim)}});
}
inline std::string light_json(const Light& l) {
    return json_object({{"type", json(l.look.type)},
                        {"active", json(l.look.active)},
                        {"castshadow", json(l.look.castshadow)},
                        {"cutoff", json(l.look.cutoff)},
                        {"ambient", json(l.look.ambient)},
                        {"diffuse", json(l.look.diffuse)},
                        {"body", json(l.body)},
                        {"pos", json(l.pos)},
                        {"dir", json(l.dir)}});
}

inline SceneText scene_text(const Scene& s) {
    SceneText text;
    const std::vector<bool> pictured = pictured_surfaces(s);
    auto surface = [&, next = std::size_t{0}](const Surface& x) mutable { return put_surface(x, pictured[next++], text.surfaces); };
    text.json = json_object({{"name", json(s.name)},
                             {"timestep", json(s.timestep)},
                             {"extent", json(s.extent)},
                             {"center", json(s.center)},
                             {"surfaces", json_list(s.surfaces, surface)},
                             {"pictures", json(s.pictures.size())},
                             {"bodies", json_list(s.bodies, body_json)},
                             {"geoms", json_list(s.geoms, item_json)},
                             {"sites", json_list(s.sites, item_json)},
                             {"joints", json_list(s.joints, joint_json)},
                             {"controls", json_list(s.controls, control_json)},
                             {"sensors", json_list(s.sensors, sensor_json)},
                             {"keys", json(s.keys)},
                             {"tendon_rgba", json(s.tendon_rgba)},
                             {"tendon_width", json(s.tendon_width)},
                             {"lights", json_list(s.lights, light_json)},
                             {"visual", visual_json(s)}});
    return text;
}

}  // namespace mjx::inner::show
