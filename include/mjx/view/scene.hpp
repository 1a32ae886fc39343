// Scene: what there is to see of a model, in numbers that no simulation changes. make_scene(model) reads any kind of model.
//
// Geoms and sites hang on bodies, so a moving picture needs the bodies' poses alone (frame.hpp). Surfaces that geoms share are there
// once. Models without a Visual (fixed ones, those filled by hand) get default colours.
// The names of this room are in mjx::inner::show: mjx::view is a function (views.hpp).
#pragma once

#include "mjx/math/quat.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/view/picture.hpp"
#include "mjx/view/surface_shop.hpp"
#include "mjx/view/texture_mapping.hpp"

#include <string>
#include <vector>

namespace mjx::inner::show {

struct Body {
    std::string name{};
    int parent = 0;
    bool moves = false;
    float mass = 0;
    Vec3f pos{}, ipos{}, box{};  // at rest, in the world; centre of mass; half sizes of the box of equal inertia
    Vec<float, 4> quat{}, iquat{};
};

// A geom or a site.
struct Item {
    std::string name{};
    int body = 0, type = 0, group = 0;
    int surface = 0;
    int hull = -1;  // what collides, where that is another surface
    bool collides = false;
    Vec3f size{}, half{}, pos{};  // half sizes of the box around it; body frame
    Vec<float, 4> quat{};
    Rgba rgba = default_rgba;
    int material = -1;
    TextureMapping texture{};
};

struct Joint {
    std::string name{};
    int body = 0, qposadr = 0;
    bool has_axis = false, scalar = false, turns = false;  // what its kind says; one with an angle about its axis turns
    bool limited = false;
    Vec3f pos{}, axis{};  // body frame
    double low = 0, high = 0;
};

struct Control {
    std::string name{};
    bool limited = false;
    double low = 0, high = 0;
};

struct Sensor {
    std::string name{};
    int adr = 0, dim = 0;
};

struct Light {
    LightLook look{};
    int body = 0;
    Vec3f pos{}, dir{};  // body frame
};

struct Scene {
    std::string name{};
    double timestep = 0;
    float extent = 1;
    Vec3f center{};
    std::vector<Surface> surfaces{};
    std::vector<Body> bodies{};
    std::vector<Item> geoms{}, sites{};
    std::vector<Joint> joints{};
    std::vector<Control> controls{};
    std::vector<Sensor> sensors{};
    std::vector<std::string> keys{};
    std::vector<Rgba> tendon_rgba{};
    std::vector<float> tendon_width{};
    std::vector<Light> lights{};
    Visual visual{};  // view, textures and materials
    std::vector<TexturePictures> texture_pictures{};  // of each texture
    std::vector<std::string> pictures{};  // PNG files
    std::vector<std::string> troubles{};  // pictures that could not be read

    const TextureLook* texture(const Item& item) const {
        const int t = item.material < 0 ? -1 : visual.materials[static_cast<std::size_t>(item.material)].texture;
        return t < 0 ? nullptr : &visual.textures[static_cast<std::size_t>(t)];
    }
};

// The half sizes of the box whose mass and principal moments are those given.
inline Vec3f inertia_box(double mass, const Vec3<double>& moment) {
    Vec3f half{};
    if (!(mass > 0)) return half;
    for (int i = 0; i < 3; ++i) {
        const double square = moment[(i + 1) % 3] + moment[(i + 2) % 3] - moment[i];
        half[i] = static_cast<float>(std::sqrt(std::max(0.0, 1.5 * square / mass)));
    }
    return half;
}

template <class M>
void add_bodies(const M& m, Scene& scene) {
    std::vector<Vec3<double>> at;
    std::vector<Quat<double>> turned;
    for (int b = 0; b < m.nbody; ++b) {
        Vec3<double> pos{}, moment{};
        Quat<double> quat{{1, 0, 0, 0}};
        for (int i = 0; i < 3; ++i) pos[i] = number(m.body_pos[b][i]), moment[i] = number(m.body_inertia[b][i]);
        for (int i = 0; i < 4; ++i) quat[i] = number(m.body_quat[b][i]);
        const auto parent = static_cast<std::size_t>(m.body_parentid[b]);
        at.push_back(b == 0 ? pos : Vec3<double>(at[parent] + rotate(turned[parent], pos)));
        turned.push_back(b == 0 ? quat : Quat<double>(turned[parent] * quat));
        const double mass = number(m.body_mass[b]);
        const bool moves = m.body_weldid[b] != 0 || m.body_mocapid[b] >= 0;
        scene.bodies.push_back({std::string(m.body_name[b]), m.body_parentid[b], moves, static_cast<float>(mass), vec3f(at.back()),
                                vec3f(m.body_ipos[b]), inertia_box(mass, moment), vec4f(turned.back()), vec4f(m.body_iquat[b])});
    }
}

inline Look look_of(const std::vector<Look>& looks, int id) {
    const auto at = static_cast<std::size_t>(id);
    return at < looks.size() ? looks[at] : Look{};
}
// What geoms and sites have in common: size, frame and look.
template <class Shapes, class Size, class Pos, class Q>
void place(Item& item, const Size& size, const Pos& pos, const Q& quat, const Look& look, const Visual& visual) {
    item.size = vec3f(size);
    item.half = vec3f(half_sizes<Shapes>(item.type, Vec3<double>{{item.size[0], item.size[1], item.size[2]}}));
    item.pos = vec3f(pos);
    item.quat = vec4f(quat);
    item.rgba = visual.color(look);
    item.material = look.material;
}

template <class M>
void add_geoms(const M& m, const Visual& visual, Scene& scene) {
    SurfaceShop<M> shop(m, scene.surfaces);
    std::vector<bool> paired(static_cast<std::size_t>(m.ngeom));
    for (int p = 0; p < m.npair; ++p)
        paired[static_cast<std::size_t>(m.pair_geom1[p])] = paired[static_cast<std::size_t>(m.pair_geom2[p])] = true;
    for (int g = 0; g < m.ngeom; ++g) {
        const Look look = look_of(visual.geoms, g);
        const int texture = look.material < 0 ? -1 : visual.materials[static_cast<std::size_t>(look.material)].texture;
        const bool pictured = texture >= 0 && visual.textures[static_cast<std::size_t>(texture)].type == texture_type::flat;
        Item item{std::string(m.geom_name[g]), m.geom_bodyid[g], m.geom_type[g], m.geom_group[g]};
        place<shapes_of<M>>(item, m.geom_size[g], m.geom_pos[g], m.geom_quat[g], look, visual);
        item.surface = shop.geom(g, visual, pictured);
        item.collides = m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0 || paired[static_cast<std::size_t>(g)];
        if (is_hull(m.geom_type[g]) && !m.geom_trimesh[g] && item.collides) item.hull = shop.hull_of_mesh(m.geom_dataid[g]);
        scene.geoms.push_back(std::move(item));
    }
    for (int s = 0; s < m.nsite; ++s) {
        Item item{std::string(m.site_name[s]), m.site_bodyid[s], m.site_type[s], m.site_group[s]};
        place<shapes_of<M>>(item, m.site_size[s], m.site_pos[s], m.site_quat[s], look_of(visual.sites, s), visual);
        if (const int mesh = m.site_dataid[s]; mesh >= 0) {  // its hull, which has a frame of its own
            item.pos = vec3f(m.site_pos[s] + to_mat3(m.site_quat[s]) * m.mesh_pos[mesh]);
            item.quat = vec4f(m.site_quat[s] * m.mesh_quat[mesh]);
            item.surface = shop.hull_of_mesh(mesh);
        } else {
            item.surface = shop.primitive(m.site_type[s], item.size);
        }
        scene.sites.push_back(std::move(item));
    }
}

// What the panel beside the picture lists.
template <class M>
void add_lists(const M& m, Scene& scene) {
    for (int j = 0; j < m.njnt; ++j) {
        const JointKind& kind = M::joints::kind(m.jnt_type[j]);
        scene.joints.push_back({std::string(m.jnt_name[j]), m.jnt_bodyid[j], m.jnt_qposadr[j], kind.has_axis, kind.scalar, kind.angle >= 0,
                                m.jnt_limited[j] != 0, vec3f(m.jnt_pos[j]), vec3f(m.jnt_axis[j]), number(m.jnt_range[j][0]),
                                number(m.jnt_range[j][1])});
    }
    for (int a = 0; a < m.nactuator; ++a)
        for (int i = 0; i < m.actuator_ctrlnum[a]; ++i) {
            const int u = m.actuator_ctrladr[a] + i;
            std::string name(m.actuator_name[a]);
            if (name.empty()) name = "actuator " + std::to_string(a);
            if (m.actuator_ctrlnum[a] > 1) name += " " + std::to_string(i);
            scene.controls.push_back(
                {name, m.actuator_ctrllimited[u] != 0, number(m.actuator_ctrlrange[u][0]), number(m.actuator_ctrlrange[u][1])});
        }
    for (int s = 0; s < m.nsensor; ++s) scene.sensors.push_back({std::string(m.sensor_name[s]), m.sensor_adr[s], m.sensor_dim[s]});
    for (int k = 0; k < m.nkey; ++k) scene.keys.emplace_back(m.key_name[k]);
}

// The textures of what is in the scene, and of skies.
inline void add_textures(Scene& scene) {
    const auto& textures = scene.visual.textures;
    std::vector<bool> wanted(textures.size());
    for (auto* items : {&scene.geoms, &scene.sites})
        for (Item& item : *items)
            if (const TextureLook* texture = scene.texture(item)) {
                wanted[static_cast<std::size_t>(texture - textures.data())] = true;
                const MaterialLook& material = scene.visual.materials[static_cast<std::size_t>(item.material)];
                const bool own = !scene.surfaces[static_cast<std::size_t>(item.surface)].uv.empty();
                item.texture = texture_mapping(item.type, item.half, material, *texture, own);
            }
    PictureReader read(scene.pictures, scene.troubles);
    for (std::size_t t = 0; t < textures.size(); ++t) {
        const bool shown = wanted[t] || textures[t].type == texture_type::skybox;
        scene.texture_pictures.push_back(shown ? read(textures[t]) : TexturePictures{-1, -1, -1, -1, -1, -1});
    }
}

template <class M>
Scene make_scene(const M& m) {
    Scene scene;
    const Visual* visual = &scene.visual;
    if constexpr (requires { *m.visual; })
        if (m.visual) visual = m.visual.get();
    scene.name = std::string(m.name);
    scene.timestep = number(m.opt.timestep);
    scene.extent = static_cast<float>(number(m.stat.extent));
    scene.center = vec3f(m.stat.center);
    add_bodies(m, scene);
    add_geoms(m, *visual, scene);
    add_lists(m, scene);
    for (int t = 0; t < m.ntendon; ++t) {
        const auto at = static_cast<std::size_t>(t);
        scene.tendon_rgba.push_back(at < visual->tendons.size() ? visual->color(visual->tendons[at]) : default_rgba);
        scene.tendon_width.push_back(at < visual->tendon_width.size() ? visual->tendon_width[at] : 0.003f);
    }
    for (int l = 0; l < m.nlight; ++l) {
        const auto at = static_cast<std::size_t>(l);
        scene.lights.push_back({at < visual->lights.size() ? visual->lights[at] : LightLook{}, m.light_bodyid[l], vec3f(m.light_pos[l]),
                                vec3f(m.light_dir[l])});
    }
    if (visual != &scene.visual) {
        scene.visual.view = visual->view;
        scene.visual.textures = visual->textures;
        scene.visual.materials = visual->materials;
    }
    add_textures(scene);
    return scene;
}

}  // namespace mjx::inner::show
