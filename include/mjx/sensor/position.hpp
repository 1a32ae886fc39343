// Sensors of the position stage, one by one.
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

// Whether a point is inside a site or geom of the given type and size.
template <class Shapes, class S, class R>
mask_t<S> inside_shape(int type, const Vec3<R>& size, const Vec3<S>& pos, const Mat3<S>& mat, const Vec3<S>& point) {
    const Vec3<S> p = transpose_mul(mat, point - pos);
    mask_t<S> inside(false);
    Shapes::visit(type, [&](auto shape) {
        if constexpr (requires { shape.inside(size, p); }) inside = shape.inside(size, p);
    });
    return inside;
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

// The nearest points of two geoms, or of any two geoms of bodies: distance, normal or segment.
template <class M, class D, class S>
void geom_distance_sensor(const M& m, D& d, int i, S* out) {
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
    const Vec3<S> along = best.to - best.from;
    switch (m.sensor_type[i]) {
        case sens::geomdist: out[0] = best.dist; break;
        case sens::geomnormal: write(out, select(dot(along, along) != S(0), normalize(along), Vec3<S>::zero())); break;
        default: write(out, best.from), write(out + 3, best.to);
    }
}

// Position, axes and orientation of a frame, in the world or relative to another.
template <class M, class D, class S>
void frame_position_sensor(const M& m, const D& d, int i, S* out) {
    const int type = m.sensor_type[i], objtype = m.sensor_objtype[i], id = m.sensor_objid[i];
    const int reftype = m.sensor_reftype[i], ref = m.sensor_refid[i];
    if (type == sens::framequat) {
        const Quat<S> quat = object_quat(m, d, objtype, id);
        return write(out, ref < 0 ? quat : Quat<S>(conjugate(object_quat(m, d, reftype, ref)) * quat));
    }
    const Vec3<S> pos = object_pos(d, objtype, id);
    const Vec3<S> v = type == sens::framepos ? pos : object_mat(d, objtype, id).column(type - sens::framexaxis);
    if (ref < 0) return write(out, v);
    const Vec3<S> offset = type == sens::framepos ? Vec3<S>(v - object_pos(d, reftype, ref)) : v;
    write(out, transpose_mul(object_mat(d, reftype, ref), offset));
}

template <class M, class D, class S>
void inside_site_sensor(const M& m, const D& d, int i, S* out) {
    using Real = typename M::real;
    const int type = m.sensor_objtype[i], id = m.sensor_objid[i], site = m.sensor_refid[i];
    const Real tiny(minval_v<Real>);
    // a body without mass stands for its subtree
    const bool hollow = type == obj::body && id > 0 && all(m.body_mass[id] < tiny) && all(m.body_subtreemass[id] >= tiny);
    const Vec3<S> point = hollow ? d.subtree_com[id] : object_pos(d, type, id);
    const auto inside = inside_shape<shapes_of<M>>(m.site_type[site], m.site_size[site], d.site_xpos[site], d.site_xmat[site], point);
    out[0] = select(inside, S(1), S(0));
}

template <class M, class D, class S>
void position_sensor(const M& m, D& d, int i, S* out) {
    const int id = m.sensor_objid[i];
    const auto distance = [&](int row) { return S(d.efc_pos[row] - d.efc_margin[row]); };
    switch (m.sensor_type[i]) {
        case sens::magnetometer: write(out, transpose_mul(d.site_xmat[id], m.opt.magnetic)); break;
        case sens::camprojection: write(out, camera_projection(m, d, m.sensor_refid[i], d.site_xpos[id])); break;
        case sens::rangefinder: rangefinder(m, d, i, out); break;
        case sens::jointpos: out[0] = d.qpos[m.jnt_qposadr[id]]; break;
        case sens::tendonpos: out[0] = d.ten_length[id]; break;
        case sens::actuatorpos:
            for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = d.actuator_length[m.actuator_outadr[id] + k];
            break;
        case sens::ballquat: write(out, normalize(quat_at(d.qpos, m.jnt_qposadr[id]))); break;
        case sens::jointlimitpos: out[0] = limit_value(d, cnstr::limit_joint, id, distance); break;
        case sens::tendonlimitpos: out[0] = limit_value(d, cnstr::limit_tendon, id, distance); break;
        case sens::framepos:
        case sens::framequat:
        case sens::framexaxis:
        case sens::frameyaxis:
        case sens::framezaxis: frame_position_sensor(m, d, i, out); break;
        case sens::subtreecom: write(out, d.subtree_com[id]); break;
        case sens::insidesite: inside_site_sensor(m, d, i, out); break;
        case sens::geomdist:
        case sens::geomnormal:
        case sens::geomfromto: geom_distance_sensor(m, d, i, out); break;
        case sens::e_potential:
            energy_pos(m, d);
            out[0] = d.energy[0];
            break;
        case sens::e_kinetic:
            energy_vel(m, d);
            out[0] = d.energy[1];
            break;
        case sens::clock: out[0] = d.time; break;
    }
}

}  // namespace mjx::inner
