// Scene: what there is to see of a model, in numbers that no simulation changes. make_scene(model) reads any kind of model.
//
// Geoms and sites hang on bodies, so a moving picture needs the bodies' poses alone (frame.hpp). Surfaces that geoms share are there
// once. Models without a Visual (fixed ones, those filled by hand) get default colours.
// The names of this room are in mjx::inner::show: mjx::view is a function (views.hpp).
#pragma once

#include "mjx/collision/sdf.hpp"
#include "mjx/compile/field_mesh.hpp"
#include "mjx/math/quat.hpp"
#include "mjx/model/types.hpp"
#include "mjx/model/visual.hpp"
#include "mjx/view/surface.hpp"

#include <string>

namespace mjx::inner::show {

// The number in one lane of any scalar, without its derivatives.
template <class S>
double number(const S& x, int k = 0) {
    if constexpr (std::is_arithmetic_v<S>)
        return static_cast<double>(x);
    else
        return static_cast<double>(value_of(lane(x, k)));
}
template <class V>
Vec3f vec3f(const V& v, int k = 0) {
    return {{static_cast<float>(number(v[0], k)), static_cast<float>(number(v[1], k)), static_cast<float>(number(v[2], k))}};
}
template <class V>
Vec<float, 4> vec4f(const V& v, int k = 0) {
    Vec<float, 4> out{};
    for (int i = 0; i < 4; ++i) out[i] = static_cast<float>(number(v[i], k));
    return out;
}

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
    Vec3f size{}, pos{};  // body frame
    Vec<float, 4> quat{};
    Rgba rgba = default_rgba;
    int material = -1;
};

struct Joint {
    std::string name{};
    int type = 0, body = 0, qposadr = 0;
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
};

inline constexpr float endless = 0;  // the size of a plane without borders

// Surfaces by what they are made of, so that equal ones are shared.
template <class M>
class SurfaceShop {
    const M& m_;
    std::vector<Surface>& surfaces_;
    std::map<std::vector<double>, int> made_{};

    Surface mesh(int id) const {
        const int vert = m_.mesh_vertadr[id], face = m_.mesh_faceadr[id];
        return creased_surface(
            m_.mesh_vertnum[id], m_.mesh_facenum[id], [&](int i) -> Vec3f { return m_.mesh_vert[vert + i]; },
            [&](int i) { return m_.mesh_face[face + i]; });
    }
    // The graph is numvert, numface, vert_edgeadr, vert_globalid, edge_localid, face_globalid.
    Surface hull(int id) const {
        const int graph = m_.mesh_graphadr[id], vert = m_.mesh_vertadr[id];
        const int numvert = m_.mesh_graph[graph], numface = m_.mesh_graph[graph + 1], face = graph + 2 + 3 * numvert + 3 * numface;
        return creased_surface(
            m_.mesh_vertnum[id], numface, [&](int i) -> Vec3f { return m_.mesh_vert[vert + i]; },
            [&](int i) {
                return Vec<int, 3>{{m_.mesh_graph[face + 3 * i], m_.mesh_graph[face + 3 * i + 1], m_.mesh_graph[face + 3 * i + 2]}};
            });
    }
    Surface hfield(int id) const {
        const auto& size = m_.hfield_size[id];
        const int columns = m_.hfield_ncol[id], first = m_.hfield_adr[id];
        const auto top = static_cast<float>(number(size[2]));
        return hfield_surface(m_.hfield_nrow[id], columns, static_cast<float>(number(size[0])), static_cast<float>(number(size[1])),
                              -static_cast<float>(number(size[3])),
                              [&](int r, int c) { return top * m_.hfield_data[first + r * columns + c]; });
    }
    // The surface where a field by formula, or the user's own, is zero.
    Surface field(int geom) const {
        Vec3<double> half{};
        for (int i = 0; i < 3; ++i) half[i] = 1.02 * number(m_.geom_size[geom][i]);
        const GeomField<M, double> distance(m_, geom, half);
        const MeshData data = compiler::FieldMesher(half, [&](const Vec3<double>& p) { return distance(p); }).take();
        const auto at = [&](int i) { return static_cast<std::size_t>(3 * i); };
        return creased_surface(
            static_cast<int>(data.vert.size() / 3), static_cast<int>(data.face.size() / 3),
            [&](int i) {
                return Vec3f{{data.vert[at(i)], data.vert[at(i) + 1], data.vert[at(i) + 2]}};
            },
            [&](int i) {
                return Vec<int, 3>{{data.face[at(i)], data.face[at(i) + 1], data.face[at(i) + 2]}};
            });
    }
    template <class Make>
    int shared(const std::vector<double>& key, Make&& make) {
        const auto [found, fresh] = made_.emplace(key, static_cast<int>(surfaces_.size()));
        if (fresh) surfaces_.push_back(make());
        return found->second;
    }

  public:
    SurfaceShop(const M& m, std::vector<Surface>& surfaces) : m_(m), surfaces_(surfaces) {}

    int primitive(int type, const Vec3f& size) {
        return shared({double(type), double(size[0]), double(size[1]), double(size[2])}, [&] {
            switch (type) {
                case shape::plane: return plane_surface(size[0], size[1]);
                case shape::capsule: return round_surface({{size[0], size[0], size[0]}}, size[1]);
                case shape::ellipsoid: return round_surface(size, 0);
                case shape::cylinder: return cylinder_surface(size[0], size[1]);
                case shape::box: return box_surface(size);
                default: return round_surface({{size[0], size[0], size[0]}}, 0);
            }
        });
    }
    int hull_of_mesh(int id) {
        if (m_.mesh_graphadr[id] < 0) return -1;
        return shared({double(shape::count), double(id)}, [&] { return hull(id); });
    }
    int geom(int g) {
        const int type = m_.geom_type[g], id = m_.geom_dataid[g];
        if (id >= 0 && (type == shape::mesh || type == shape::sdf))
            return shared({double(shape::mesh), double(id)}, [&] { return mesh(id); });
        if (type == shape::hfield) return shared({double(type), double(id)}, [&] { return hfield(id); });
        if (type == shape::sdf) return shared({double(type), double(g)}, [&] { return field(g); });
        if (type > shape::sdf) {  // a user's own is seen by its box
            const auto& box = m_.geom_aabb[g];
            const Vec3<double> half{{number(box[3]), number(box[4]), number(box[5])}};
            return primitive(shape::box, vec3f(half));
        }
        return primitive(type, vec3f(m_.geom_size[g]));
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

template <class M>
void add_geoms(const M& m, const Visual& visual, Scene& scene) {
    SurfaceShop<M> shop(m, scene.surfaces);
    std::vector<bool> paired(static_cast<std::size_t>(m.ngeom));
    for (int p = 0; p < m.npair; ++p)
        paired[static_cast<std::size_t>(m.pair_geom1[p])] = paired[static_cast<std::size_t>(m.pair_geom2[p])] = true;
    for (int g = 0; g < m.ngeom; ++g) {
        const auto at = static_cast<std::size_t>(g);
        const Look look = at < visual.geoms.size() ? visual.geoms[at] : Look{};
        const bool collides = m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0 || paired[at];
        const bool by_hull = m.geom_type[g] == shape::mesh && !m.geom_trimesh[g] && collides;
        scene.geoms.push_back({std::string(m.geom_name[g]), m.geom_bodyid[g], m.geom_type[g], m.geom_group[g], shop.geom(g),
                               by_hull ? shop.hull_of_mesh(m.geom_dataid[g]) : -1, collides, vec3f(m.geom_size[g]), vec3f(m.geom_pos[g]),
                               vec4f(m.geom_quat[g]), visual.color(look), look.material});
    }
    for (int s = 0; s < m.nsite; ++s) {
        const auto at = static_cast<std::size_t>(s);
        const Look look = at < visual.sites.size() ? visual.sites[at] : Look{};
        scene.sites.push_back({std::string(m.site_name[s]), m.site_bodyid[s], m.site_type[s], m.site_group[s],
                               shop.primitive(m.site_type[s], vec3f(m.site_size[s])), -1, false, vec3f(m.site_size[s]),
                               vec3f(m.site_pos[s]), vec4f(m.site_quat[s]), visual.color(look), look.material});
    }
}

// What the panel beside the picture lists.
template <class M>
void add_lists(const M& m, Scene& scene) {
    for (int j = 0; j < m.njnt; ++j)
        scene.joints.push_back({std::string(m.jnt_name[j]), m.jnt_type[j], m.jnt_bodyid[j], m.jnt_qposadr[j], m.jnt_limited[j] != 0,
                                vec3f(m.jnt_pos[j]), vec3f(m.jnt_axis[j]), number(m.jnt_range[j][0]), number(m.jnt_range[j][1])});
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
    return scene;
}

}  // namespace mjx::inner::show
