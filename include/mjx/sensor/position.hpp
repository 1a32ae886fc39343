// Sensors of the position stage, one function read_sensor for each kind (model/sensor_kinds.hpp).
//
// Reads   qpos, poses, ten_length, actuator_length, subtree_com, energy, time, limit rows
// Writes  the sensor's values at `out`; energy when a sensor asks for it
#pragma once

#include "mjx/collision/distance.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/sensor/frame.hpp"
#include "mjx/sensor/limit.hpp"
#include "mjx/sensor/rangefinder.hpp"
#include "mjx/stage/energy.hpp"

namespace mjx::inner {

template <class S, class V>
void write(S* out, const V& v) {
    for (int k = 0; k < V::size; ++k) out[k] = v[k];
}

// Whether a point, in the frame of a mesh's file, is inside the mesh's convex hull: behind all its faces.
template <class M, class S>
mask_t<S> inside_hull(const M& m, int mesh, const Vec3<S>& point) {
    const Vec3<S> p = transpose_mul(to_mat3(m.mesh_quat[mesh]), point - Vec3<S>::from(m.mesh_pos[mesh]));
    const int first = m.mesh_polyadr[mesh], count = m.mesh_polynum[mesh], vertices = m.mesh_vertadr[mesh];
    mask_t<S> inside(count > 0);
    for (int face = first; face < first + count; ++face) {
        const auto& corner = m.mesh_vert[vertices + m.mesh_polyvert[m.mesh_polyvertadr[face]]];
        inside = inside && dot(Vec3<S>::from(m.mesh_polynormal[face]), p - Vec3<S>::from(corner)) <= S(0);
    }
    return inside;
}

// Whether a point is inside a shape of the given type and size.
template <class M, class S, class R>
mask_t<S> inside_shape(const M& m, int type, const Vec3<R>& size, const Vec3<S>& pos, const Mat3<S>& mat, const Vec3<S>& point) {
    const Vec3<S> p = transpose_mul(mat, point - pos);
    mask_t<S> inside(false);
    shapes_of<M>::visit(type, [&](auto shape) {
        if constexpr (requires { shape.inside(size, p); })
            inside = shape.inside(size, p);
        else if constexpr (shape.by_support)
            inside = inside_by_support<decltype(shape)>(m, Vec3<S>::from(size), p);
    });
    return inside;
}

template <class M, class D, class S>
mask_t<S> inside_site(const M& m, const D& d, int site, const Vec3<S>& point) {
    const Vec3<S>& pos = d.site_xpos[site];
    const Mat3<S>& mat = d.site_xmat[site];
    if (const int mesh = m.site_dataid[site]; mesh >= 0) return inside_hull(m, mesh, Vec3<S>(transpose_mul(mat, point - pos)));
    return inside_shape(m, m.site_type[site], m.site_size[site], pos, mat, point);
}

// Where a camera sees a point, in pixels. The principal point is the middle of the image.
template <class M, class D>
auto camera_projection(const M& m, const D& d, int cam, const Vec3<typename D::scalar>& target) {
    using S = typename D::scalar;
    using Real = typename M::real;
    using V = value_t<S>;
    const V width = static_cast<V>(m.cam_resolution[cam][0]), height = static_cast<V>(m.cam_resolution[cam][1]);
    const auto& sensor = m.cam_sensorsize[cam];
    Real fx = Real(V(0.5) * height) / tan(Real(m.cam_fovy[cam] * (std::numbers::pi_v<V> / 360))), fy = fx;
    if (all(sensor[0] != Real(0)) && all(sensor[1] != Real(0))) {
        fx = m.cam_intrinsic[cam][0] / sensor[0] * width;
        fy = m.cam_intrinsic[cam][1] / sensor[1] * height;
    }
    const Vec3<S> p = transpose_mul(d.cam_xmat[cam], target - d.cam_xpos[cam]);
    const S tiny(minval_v<S>);
    const S depth = select(abs(p[2]) < tiny, select(p[2] < S(0), S(-tiny), tiny), p[2]);
    return Vec<S, 2>{{S(width * V(0.5)) - p[0] / depth * fx, S(height * V(0.5)) + p[1] / depth * fy}};
}

// The nearest points of two geoms, or of any two geoms of bodies.
template <class M, class D>
auto nearest_points(const M& m, D& d, int i) {
    using S = typename D::scalar;
    const auto geoms = [&](int type, int id, int& first, int& count) {
        first = type == obj::body ? m.body_geomadr[id] : id;
        count = type == obj::body ? m.body_geomnum[id] : 1;
    };
    int first1, count1, first2, count2;
    geoms(m.sensor_objtype[i], m.sensor_objid[i], first1, count1);
    geoms(m.sensor_reftype[i], m.sensor_refid[i], first2, count2);
    const S cutoff(m.sensor_cutoff[i]);
    GeomDistance<S> best{cutoff, Vec3<S>::zero(), Vec3<S>::zero()};
    for (int g1 = first1; g1 < first1 + count1; ++g1)
        for (int g2 = first2; g2 < first2 + count2; ++g2) {
            const auto pair = geom_distance(m, d, g1, g2, cutoff);
            const auto nearer = pair.dist < best.dist;
            best.dist = select(nearer, pair.dist, best.dist);
            best.from = select(nearer, pair.from, best.from);
            best.to = select(nearer, pair.to, best.to);
        }
    return best;
}

// A direction of the sensor's frame, given in the world, as its reference sees it.
template <class M, class D, class S>
void write_direction(const M& m, const D& d, int i, const Vec3<S>& v, S* out) {
    const int reftype = m.sensor_reftype[i], ref = m.sensor_refid[i];
    write(out, ref < 0 ? v : transpose_mul(object_mat(d, reftype, ref), v));
}

// The distance to an active limit.
template <class D>
auto limit_distance(const D& d, int limit, int id) {
    return limit_value(d, limit, id, [&](int row) { return typename D::scalar(d.efc_pos[row] - d.efc_margin[row]); });
}

void read_sensor(sensor<sens::magnetometer>, const auto& m, const auto& d, int i, auto* out) {
    write(out, transpose_mul(d.site_xmat[m.sensor_objid[i]], m.opt.magnetic));
}
void read_sensor(sensor<sens::camprojection>, const auto& m, const auto& d, int i, auto* out) {
    write(out, camera_projection(m, d, m.sensor_refid[i], d.site_xpos[m.sensor_objid[i]]));
}
void read_sensor(sensor<sens::rangefinder>, const auto& m, const auto& d, int i, auto* out) { rangefinder(m, d, i, out); }
void read_sensor(sensor<sens::jointpos>, const auto& m, const auto& d, int i, auto* out) {
    out[0] = d.qpos[m.jnt_qposadr[m.sensor_objid[i]]];
}
void read_sensor(sensor<sens::tendonpos>, const auto& m, const auto& d, int i, auto* out) { out[0] = d.ten_length[m.sensor_objid[i]]; }
void read_sensor(sensor<sens::actuatorpos>, const auto& m, const auto& d, int i, auto* out) {
    for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = d.actuator_length[m.actuator_outadr[m.sensor_objid[i]] + k];
}
void read_sensor(sensor<sens::ballquat>, const auto& m, const auto& d, int i, auto* out) {
    write(out, normalize(quat_at(d.qpos, m.jnt_qposadr[m.sensor_objid[i]])));
}
void read_sensor(sensor<sens::jointlimitpos>, const auto& m, const auto& d, int i, auto* out) {
    out[0] = limit_distance(d, cnstr::limit_joint, m.sensor_objid[i]);
}
void read_sensor(sensor<sens::tendonlimitpos>, const auto& m, const auto& d, int i, auto* out) {
    out[0] = limit_distance(d, cnstr::limit_tendon, m.sensor_objid[i]);
}
template <class M, class D, class S>
void read_sensor(sensor<sens::framepos>, const M& m, const D& d, int i, S* out) {
    const Vec3<S> pos = object_pos(d, m.sensor_objtype[i], m.sensor_objid[i]);
    const int ref = m.sensor_refid[i];
    write_direction(m, d, i, ref < 0 ? pos : Vec3<S>(pos - object_pos(d, m.sensor_reftype[i], ref)), out);
}
template <class M, class D, class S>
void read_sensor(sensor<sens::framequat>, const M& m, const D& d, int i, S* out) {
    const int ref = m.sensor_refid[i];
    const Quat<S> quat = object_quat(m, d, m.sensor_objtype[i], m.sensor_objid[i]);
    write(out, ref < 0 ? quat : Quat<S>(conjugate(object_quat(m, d, m.sensor_reftype[i], ref)) * quat));
}
template <int Axis, class M, class D, class S>
    requires(Axis >= sens::framexaxis && Axis <= sens::framezaxis)
void read_sensor(sensor<Axis>, const M& m, const D& d, int i, S* out) {
    write_direction(m, d, i, object_mat(d, m.sensor_objtype[i], m.sensor_objid[i]).column(Axis - sens::framexaxis), out);
}
void read_sensor(sensor<sens::subtreecom>, const auto& m, const auto& d, int i, auto* out) { write(out, d.subtree_com[m.sensor_objid[i]]); }
template <class M, class D, class S>
void read_sensor(sensor<sens::insidesite>, const M& m, const D& d, int i, S* out) {
    using Real = typename M::real;
    const int type = m.sensor_objtype[i], id = m.sensor_objid[i], site = m.sensor_refid[i];
    const Real tiny(minval_v<Real>);
    // a body without mass stands for its subtree
    const bool hollow = type == obj::body && id > 0 && all(m.body_mass[id] < tiny) && all(m.body_subtreemass[id] >= tiny);
    const Vec3<S> point = hollow ? d.subtree_com[id] : object_pos(d, type, id);
    out[0] = select(inside_site(m, d, site, point), S(1), S(0));
}
void read_sensor(sensor<sens::geomdist>, const auto& m, auto& d, int i, auto* out) { out[0] = nearest_points(m, d, i).dist; }
template <class M, class D, class S>
void read_sensor(sensor<sens::geomnormal>, const M& m, D& d, int i, S* out) {
    const auto nearest = nearest_points(m, d, i);
    const Vec3<S> along = nearest.to - nearest.from;
    write(out, select(dot(along, along) != S(0), normalize(along), Vec3<S>::zero()));
}
void read_sensor(sensor<sens::geomfromto>, const auto& m, auto& d, int i, auto* out) {
    const auto nearest = nearest_points(m, d, i);
    write(out, nearest.from);
    write(out + 3, nearest.to);
}
void read_sensor(sensor<sens::e_potential>, const auto& m, auto& d, int, auto* out) {
    energy_pos(m, d);
    out[0] = d.energy[0];
}
void read_sensor(sensor<sens::e_kinetic>, const auto& m, auto& d, int, auto* out) {
    energy_vel(m, d);
    out[0] = d.energy[1];
}
void read_sensor(sensor<sens::clock>, const auto&, const auto& d, int, auto* out) { out[0] = d.time; }

}  // namespace mjx::inner
