// glb(recording): a binary glTF 2.0 file, which Blender and every glTF viewer open: the scene's shapes with their colours, and an
// animation of the bodies (https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html).
//
// glTF has y up: the root node turns the world. Bodies are nodes below it with poses in the world; geoms are nodes below their bodies.
#pragma once

#include "mjx/view/recording.hpp"

#include <functional>
#include <map>
#include <vector>

namespace mjx::inner::show {

class GlbWriter {
    static constexpr int float_type = 5126, unsigned_type = 5125, array_target = 34962, element_target = 34963;
    static constexpr int square_sampler = 0, smooth_sampler = 1;
    using Members = std::vector<std::string>;

    const Recording& r_;
    Bytes bin_{};
    Members views_{}, accessors_{}, materials_{}, meshes_{}, nodes_{}, samplers_{}, channels_{}, textures_{}, images_{};
    std::map<std::vector<float>, int> material_ids_{};
    std::map<std::vector<float>, int> mesh_ids_{};
    std::map<int, int> texture_ids_{};  // by picture; -1: squares
    std::map<int, std::array<int, 3>> surface_accessors_{};

    static std::string list(const Members& items) {
        return json_list(items, [](const std::string& x) { return x; });
    }
    static int add(Members& to, std::string item) {
        to.push_back(std::move(item));
        return static_cast<int>(to.size() - 1);
    }

    // Starts a buffer view; the bytes follow.
    template <class Fill>
    int view(int target, Fill&& fill) {
        bin_.align(4);
        const std::size_t start = bin_.size();
        fill();
        std::string text = "{\"buffer\":0,\"byteOffset\":" + json(start) + ",\"byteLength\":" + json(bin_.size() - start);
        if (target != 0) text += ",\"target\":" + json(target);
        return add(views_, text + "}");
    }
    int accessor(int buffer_view, int type, std::size_t count, const char* kind, const std::string& bounds = {}) {
        return add(accessors_, "{\"bufferView\":" + json(buffer_view) + ",\"componentType\":" + json(type) + ",\"count\":" + json(count) +
                                   ",\"type\":" + json(kind) + bounds + "}");
    }
    int vectors(const std::vector<Vec3f>& list, bool bounds) {
        Vec3f low = list.front(), high = list.front();
        for (const Vec3f& v : list)
            for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], v[i]), high[i] = std::max(high[i], v[i]);
        const int at = view(array_target, [&] { bin_.put_all(list); });
        return accessor(at, float_type, list.size(), "VEC3", bounds ? ",\"min\":" + json(low) + ",\"max\":" + json(high) : "");
    }

    // glTF's colours are linear.
    static float linear(float srgb) { return srgb <= 0.04045f ? srgb / 12.92f : std::pow((srgb + 0.055f) / 1.055f, 2.4f); }
    int material(const Item& item) {
        const auto& looks = r_.scene.visual.materials;
        const MaterialLook look = item.material >= 0 ? looks[static_cast<std::size_t>(item.material)] : MaterialLook{};
        const float rough = look.roughness >= 0 ? look.roughness : std::max(0.25f, 1 - 1.8f * look.shininess * look.specular);
        const float metal = look.metallic >= 0 ? look.metallic : 0;
        const int picture = picture_of(item);
        const bool floor = is_endless(item.type);
        const std::vector<float> key{item.rgba[0], item.rgba[1], item.rgba[2], item.rgba[3], rough, metal, float(floor), float(picture)};
        const auto [found, fresh] = material_ids_.emplace(key, static_cast<int>(materials_.size()));
        if (!fresh) return found->second;
        const auto in_range = [](float x) { return std::min(1.0f, std::max(0.0f, x)); };
        Rgba color{};
        for (int i = 0; i < 4; ++i) color[i] = i < 3 ? linear(in_range(item.rgba[i])) : in_range(item.rgba[i]);
        std::string text = "{\"pbrMetallicRoughness\":{\"baseColorFactor\":" + json(color) +
                           ",\"metallicFactor\":" + json(in_range(metal)) + ",\"roughnessFactor\":" + json(in_range(rough));
        if (floor || picture >= 0) text += ",\"baseColorTexture\":{\"index\":" + json(picture >= 0 ? texture(picture) : checker()) + "}";
        text += "}";
        if (color[3] < 1) text += ",\"alphaMode\":\"BLEND\"";
        return add(materials_, text + "}");
    }
    // The picture of a flat texture, or -1.
    int picture_of(const Item& item) const {
        const TextureLook* look = r_.scene.texture(item);
        if (!look || look->type != texture_type::flat) return -1;
        return r_.scene.texture_pictures[static_cast<std::size_t>(look - r_.scene.visual.textures.data())][0];
    }
    int texture(int picture) { return add_texture(picture, smooth_sampler, r_.scene.pictures[static_cast<std::size_t>(picture)]); }
    // Two by two pixels, light and darker, without smoothing; it repeats every two metres.
    int checker() {
        const std::string a(3, '\xff'), b(3, '\xd8');
        return add_texture(-1, square_sampler, png(2, 2, a + b + b + a));
    }
    int add_texture(int picture, int sampler, const std::string& file) {
        const auto [found, fresh] = texture_ids_.emplace(picture, static_cast<int>(textures_.size()));
        if (!fresh) return found->second;
        const int at = view(0, [&] { bin_.data += file; });
        const int image = add(images_, "{\"mimeType\":\"image/png\",\"bufferView\":" + json(at) + "}");
        return add(textures_, "{\"sampler\":" + json(sampler) + ",\"source\":" + json(image) + "}");
    }
    // Where the vertices lie in a picture, or on the squares of a floor.
    int texcoords(const Item& item, const Surface& surface) {
        const bool pictured = picture_of(item) >= 0, seen = surface.uv.empty() || is_endless(item.type);  // along z
        return accessor(view(array_target,
                             [&] {
                                 for (std::size_t i = 0; i < surface.vert.size(); ++i)
                                     for (int k = 0; k < 2; ++k) {
                                         const float at = seen ? surface.vert[i][k] : surface.uv[i][k];
                                         bin_.put(pictured ? item.texture.repeat[k] * at + item.texture.offset[k] : at / 2);
                                     }
                             }),
                        float_type, surface.vert.size(), "VEC2");
    }

    int mesh(const Item& item) {
        const int look = material(item);
        const TextureMapping& map = item.texture;
        const std::vector<float> key{float(item.surface), float(look), map.repeat[0], map.repeat[1], map.offset[0], map.offset[1]};
        const auto [found, fresh] = mesh_ids_.emplace(key, static_cast<int>(meshes_.size()));
        if (!fresh) return found->second;
        const Surface surface = is_endless(item.type) ? plane(item) : r_.scene.surfaces[static_cast<std::size_t>(item.surface)];
        auto known = surface_accessors_.find(item.surface);
        if (known == surface_accessors_.end()) {
            const int places = vectors(surface.vert, true), normals = vectors(surface.normal, false);
            const int at = view(element_target, [&] { bin_.put_all(surface.index); });
            known = surface_accessors_
                        .emplace(item.surface, std::array{places, normals, accessor(at, unsigned_type, surface.index.size(), "SCALAR")})
                        .first;
        }
        std::string attributes = "{\"POSITION\":" + json(known->second[0]) + ",\"NORMAL\":" + json(known->second[1]);
        if (is_endless(item.type) || picture_of(item) >= 0) attributes += ",\"TEXCOORD_0\":" + json(texcoords(item, surface));
        return add(meshes_, "{\"primitives\":[{\"attributes\":" + attributes + "},\"indices\":" + json(known->second[2]) +
                                ",\"material\":" + json(look) + "}]}");
    }
    Surface plane(const Item& item) const {
        const float far = 20 * std::max(1.0f, r_.scene.extent);
        return plane_surface(item.size[0] > 0 ? item.size[0] : far, item.size[1] > 0 ? item.size[1] : far);
    }

    static std::string rotation(const Vec<float, 4>& q) {
        float length = 0;
        for (int i = 0; i < 4; ++i) length += q[i] * q[i];
        const float scale = length > 0 ? 1 / std::sqrt(length) : 0;
        return json(Vec<float, 4>{{q[1] * scale, q[2] * scale, q[3] * scale, length > 0 ? q[0] * scale : 1}});  // xyzw
    }
    int add_body(const Body& body, const std::vector<const Item*>& items) {
        Members children;
        for (const Item* item : items)
            children.push_back(json(add(nodes_, "{\"name\":" + json(item->name) + ",\"mesh\":" + json(mesh(*item)) + ",\"translation\":" +
                                                    json(item->pos) + ",\"rotation\":" + rotation(item->quat) + "}")));
        std::string text = "{\"name\":" + json(body.name) + ",\"translation\":" + json(body.pos) + ",\"rotation\":" + rotation(body.quat);
        if (!children.empty()) text += ",\"children\":" + list(children);
        return add(nodes_, text + "}");
    }

    // Times must rise: frames of a clock that was set back are left out.
    std::vector<std::size_t> rising_frames() const {
        std::vector<std::size_t> kept;
        for (std::size_t i = 0; i < r_.frames.size(); ++i)
            if (kept.empty() || static_cast<float>(r_.frames[i].time) > static_cast<float>(r_.frames[kept.back()].time)) kept.push_back(i);
        return kept;
    }
    void animate(const std::vector<int>& body_nodes) {
        const std::vector<std::size_t> kept = rising_frames();
        if (kept.size() < 2) return;
        const auto first = static_cast<float>(r_.frames[kept.front()].time), last = static_cast<float>(r_.frames[kept.back()].time);
        const int clock = view(0, [&] {
            for (const std::size_t i : kept) bin_.put(static_cast<float>(r_.frames[i].time) - first);
        });
        const int times = accessor(clock, float_type, kept.size(), "SCALAR", ",\"min\":[0],\"max\":[" + json(last - first) + "]");
        for (const int b : moving_bodies(r_)) {
            const auto at = static_cast<std::size_t>(7 * b);
            const int node = body_nodes[static_cast<std::size_t>(b)];
            const int places = view(0, [&] {
                for (const std::size_t i : kept)
                    for (std::size_t k = 0; k < 3; ++k) bin_.put(r_.frames[i].pose[at + k]);
            });
            const int turns = view(0, [&] {
                Vec<float, 4> before{{0, 0, 0, 1}};
                for (const std::size_t i : kept) {
                    const float* q = r_.frames[i].pose.data() + at + 3;
                    Vec<float, 4> now{{q[1], q[2], q[3], q[0]}};
                    float dot = 0, length = 0;
                    for (int k = 0; k < 4; ++k) dot += now[k] * before[k], length += now[k] * now[k];
                    for (int k = 0; k < 4; ++k) now[k] *= (dot < 0 ? -1 : 1) / std::sqrt(length);
                    bin_.put(now);
                    before = now;
                }
            });
            track(times, accessor(places, float_type, kept.size(), "VEC3"), node, "translation");
            track(times, accessor(turns, float_type, kept.size(), "VEC4"), node, "rotation");
        }
    }
    void track(int times, int values, int node, const char* path) {
        const int sampler = add(samplers_, "{\"input\":" + json(times) + ",\"output\":" + json(values) + ",\"interpolation\":\"LINEAR\"}");
        add(channels_, "{\"sampler\":" + json(sampler) + ",\"target\":{\"node\":" + json(node) + ",\"path\":" + json(path) + "}}");
    }

    std::string document(int root) const {
        std::string text = "{\"asset\":{\"version\":\"2.0\",\"generator\":\"mjx\"},\"scene\":0,\"scenes\":[{\"name\":" +
                           json(r_.scene.name) + ",\"nodes\":[" + json(root) + "]}],\"nodes\":" + list(nodes_);
        const auto member = [&](const char* name, const Members& items) {
            if (!items.empty()) text += std::string(",\"") + name + "\":" + list(items);
        };
        member("meshes", meshes_);
        member("materials", materials_);
        member("textures", textures_);
        member("images", images_);
        if (!textures_.empty())
            text += ",\"samplers\":[{\"magFilter\":9728,\"minFilter\":9987,\"wrapS\":10497,\"wrapT\":10497},"
                    "{\"magFilter\":9729,\"minFilter\":9987,\"wrapS\":10497,\"wrapT\":10497}]";
        member("accessors", accessors_);
        member("bufferViews", views_);
        if (bin_.size() > 0) text += ",\"buffers\":[{\"byteLength\":" + json(bin_.size()) + "}]";
        if (!channels_.empty())
            text += ",\"animations\":[{\"name\":\"run\",\"samplers\":" + list(samplers_) + ",\"channels\":" + list(channels_) + "}]";
        return text + "}";
    }

  public:
    explicit GlbWriter(const Recording& r) : r_(r) {}

    std::string write() {
        std::vector<std::vector<const Item*>> items(r_.scene.bodies.size());
        for (const Item& g : r_.scene.geoms)
            if (g.group < 3 && g.rgba[3] > 0) items[static_cast<std::size_t>(g.body)].push_back(&g);
        std::vector<int> body_nodes;
        for (std::size_t b = 0; b < items.size(); ++b) body_nodes.push_back(add_body(r_.scene.bodies[b], items[b]));
        animate(body_nodes);
        const float half = std::sqrt(0.5f);
        const int root = add(nodes_, "{\"name\":\"z up\",\"rotation\":" + json(Vec<float, 4>{{-half, 0, 0, half}}) +
                                         ",\"children\":" + json(body_nodes) + "}");
        bin_.align(4);
        std::string text = document(root);
        text.resize((text.size() + 3) / 4 * 4, ' ');
        Bytes file;
        const auto chunk = [&](std::uint32_t kind, const std::string& bytes) {
            file.put(static_cast<std::uint32_t>(bytes.size()));
            file.put(kind);
            file.data += bytes;
        };
        file.data = "glTF";
        file.put(std::uint32_t{2});
        file.put(static_cast<std::uint32_t>(12 + 8 + text.size() + (bin_.size() > 0 ? 8 + bin_.size() : 0)));
        chunk(0x4e4f534a, text);  // "JSON"
        if (bin_.size() > 0) chunk(0x004e4942, bin_.data);  // "BIN"
        return file.data;
    }
};

inline std::string glb(const Recording& r) { return GlbWriter(r).write(); }

}  // namespace mjx::inner::show
