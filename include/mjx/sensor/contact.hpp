// The contact sensor: contacts that match one or two objects, and the touch sensor.
//
// Reads   contact, efc_force, site poses
// Writes  the sensor's values at `out`
// A match on a geom, a body, a subtree (obj::xbody) or the volume of a site; with two objects the normal points from the first to
// the second. Matches are reported in order, or reduced: nearest first, strongest first, or all in one net force about their
// centre of pressure. Lanes have different contacts, so each lane matches and sorts alone.
#pragma once

#include "mjx/collision/ray.hpp"
#include "mjx/sensor/position.hpp"
#include "mjx/stage/contact_force.hpp"

namespace mjx::inner {

namespace contact_reduce {
enum : int { none, mindist, maxforce, netforce };
}
inline constexpr int condata_size[condata::count] = {1, 3, 3, 1, 3, 3, 3};

template <class M>
constexpr bool contact_side_matches(const M& m, int geom, int type, int id) {
    int body = m.geom_bodyid[geom];
    switch (type) {
        case obj::geom: return id == geom;
        case obj::body: return id == body;
        case obj::xbody:
            while (body > id) body = m.body_parentid[body];
            return body == id;
        default: return true;  // unknown, or a site, whose volume is tested apart
    }
}

// 1 if contact c involves the sensor's objects, -1 if so the other way round, 0 if not. Sites are tested by contact_in_site.
template <class M, class D>
int contact_match(const M& m, const D& d, int i, int c) {
    const int type1 = m.sensor_objtype[i], id1 = m.sensor_objid[i], type2 = m.sensor_reftype[i], id2 = m.sensor_refid[i];
    const int g1 = d.contact[c].geom1, g2 = d.contact[c].geom2;
    if (type1 == obj::unknown && type2 == obj::unknown) return 1;
    const bool match11 = contact_side_matches(m, g1, type1, id1), match12 = contact_side_matches(m, g2, type1, id1);
    const bool match21 = contact_side_matches(m, g1, type2, id2), match22 = contact_side_matches(m, g2, type2, id2);
    if ((!match11 && !match12) || (!match21 && !match22)) return 0;
    if (type1 == obj::unknown) return match22 ? 1 : -1;
    if (type2 == obj::unknown) return match11 ? 1 : -1;
    if (match11 && match22) return 1;
    return match12 && match21 ? -1 : 0;
}
template <class M, class D>
auto contact_in_site(const M& m, const D& d, int i, int c) {
    using S = typename D::scalar;
    const int site = m.sensor_objid[i];
    if (m.sensor_objtype[i] != obj::site) return mask_t<S>(true);
    return inside_site(m, d, site, d.contact[c].pos);
}

// Force and torque of contact c as the sensor reports them: seen from the other side, the component along the second tangent flips.
template <class M, class D>
auto reported_wrench(const M& m, const D& d, int c, bool flip) {
    auto w = contact_force(m, d, c);
    if (flip) {
        w[2] = -w[2];
        w[5] = -w[5];
    }
    return w;
}

// Writes one slot of a sensor: the values with bits in `fields`, for lane k.
template <class M, class D, class S>
void write_contact(const M& m, const D& d, int c, bool flip, int found, int fields, int k, S* out) {
    const auto& contact = d.contact[c];
    const value_t<S> sign = flip ? -1 : 1;
    const Vec6<S> wrench = reported_wrench(m, d, c, flip);
    const auto wants = [&](int field) { return (fields & (1 << field)) != 0; };
    const auto one = [&](const S& x) { set_lane(*out++, k, lane(x, k)); };
    const auto three = [&](const Vec3<S>& v) {
        for (int e = 0; e < 3; ++e) one(v[e]);
    };
    if (wants(condata::found)) one(S(value_t<S>(found)));
    if (wants(condata::force)) three(angular(wrench));
    if (wants(condata::torque)) three(linear(wrench));
    if (wants(condata::dist)) one(contact.dist);
    if (wants(condata::pos)) three(contact.pos);
    if (wants(condata::normal)) three(contact.frame.row(0) * sign);
    if (wants(condata::tangent)) three(contact.frame.row(1) * sign);
}

// What a sensor sorts by: smaller comes first.
template <class M, class D>
auto contact_rank(const M& m, const D& d, int c, int reduce) {
    using S = typename D::scalar;
    if (reduce == contact_reduce::mindist) return d.contact[c].dist;
    if (reduce != contact_reduce::maxforce) return S(0);
    const Vec3<S> f = angular(contact_force(m, d, c));
    return S(-dot(f, f));
}

// Fills the slots of lane k by taking the smallest rank again and again; equal ranks go by contact number.
template <class M, class D, class S>
void sorted_contacts(const M& m, const D& d, int i, int k, int slots, int slot_size, S* out) {
    const int reduce = m.sensor_intprm[i][1];
    const auto matches = [&](int c) {
        const bool here = lane(d.contact[c].active, k) && lane(contact_in_site(m, d, i, c), k);
        return here ? contact_match(m, d, i, c) : 0;
    };
    int found = 0;
    for (int c = 0; c < d.ncon; ++c) found += matches(c) != 0;

    int last = -1;
    lane_t<S> last_rank(0);
    for (int s = 0; s < slots && s < found; ++s) {
        int best = -1;
        lane_t<S> best_rank(0);
        for (int c = 0; c < d.ncon; ++c) {
            if (matches(c) == 0) continue;
            const lane_t<S> rank = lane(contact_rank(m, d, c, reduce), k);
            const bool later = last < 0 || rank > last_rank || (rank == last_rank && c > last);
            if (later && (best < 0 || rank < best_rank)) best = c, best_rank = rank;
        }
        write_contact(m, d, best, matches(best) < 0, found, m.sensor_intprm[i][0], k, out + s * slot_size);
        last = best;
        last_rank = best_rank;
    }
}

// All matching contacts as one force and torque about their centre of pressure, in the world frame.
template <class M, class D, class S>
void net_contact_force(const M& m, const D& d, int i, S* out) {
    S count(0), weight(0);
    Vec3<S> centre = Vec3<S>::zero(), force = Vec3<S>::zero(), torque = Vec3<S>::zero();
    for (const bool find_centre : {true, false}) {
        for (int c = 0; c < d.ncon; ++c) {
            const int match = contact_match(m, d, i, c);
            if (match == 0) continue;
            const auto& contact = d.contact[c];
            const auto here = contact.active && contact_in_site(m, d, i, c);
            const Vec6<S> w = contact_force(m, d, c) * select(here, S(value_t<S>(match)), S(0));
            if (find_centre) {
                count += select(here, S(1), S(0));
                const S size = norm(angular(w));
                centre += contact.pos * size;
                weight += size;
            } else {
                const Vec3<S> f = transpose_mul(contact.frame, angular(w));
                force += f;
                torque += transpose_mul(contact.frame, linear(w)) + cross(Vec3<S>(contact.pos - centre), f);
            }
        }
        if (find_centre) centre = centre * (S(1) / max(weight, S(minval_v<S>)));
    }

    const int fields = m.sensor_intprm[i][0];
    const Vec3<S> x{{S(1), S(0), S(0)}}, y{{S(0), S(1), S(0)}};
    const auto wants = [&](int field) { return (fields & (1 << field)) != 0; };
    if (wants(condata::found)) *out++ = count;
    if (wants(condata::force)) out = put(out, force);
    if (wants(condata::torque)) out = put(out, torque);
    if (wants(condata::dist)) *out++ = S(0);
    if (wants(condata::pos)) out = put(out, centre);
    if (wants(condata::normal)) out = put(out, x);
    if (wants(condata::tangent)) out = put(out, y);
}

template <class M, class D, class S>
void contact_sensor(const M& m, const D& d, int i, S* out) {
    const int fields = m.sensor_intprm[i][0];
    int slot_size = 0;
    for (int f = 0; f < condata::count; ++f)
        if (fields & (1 << f)) slot_size += condata_size[f];
    for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = S(0);
    if (m.sensor_intprm[i][1] == contact_reduce::netforce) return net_contact_force(m, d, i, out);
    for (int k = 0; k < lanes_v<S>; ++k) sorted_contacts(m, d, i, k, m.sensor_dim[i] / slot_size, slot_size, out);
}

// The normal forces of the body's contacts whose line of force meets the site's volume.
template <class M, class D>
auto touch_force(const M& m, const D& d, int site) {
    using S = typename D::scalar;
    const int body = m.site_bodyid[site];
    const Geom<S> zone{d.site_xpos[site], d.site_xmat[site], Vec3<S>::from(m.site_size[site])};
    S sum(0);
    for (int c = 0; c < d.ncon; ++c) {
        const auto& contact = d.contact[c];
        const int body1 = m.geom_bodyid[contact.geom1], body2 = m.geom_bodyid[contact.geom2];
        if (contact.efc_address < 0 || (body != body1 && body != body2)) continue;
        const S normal = contact_force(m, d, c)[0];
        const auto pushes = contact.active && normal > S(0);
        if (!any(pushes)) continue;
        const Vec3<S> towards = contact.frame.row(0) * value_t<S>(body == body2 ? -1 : 1);
        const auto hit = ray_shape(m, m.site_type[site], zone, contact.pos, towards);
        sum += select(pushes && hit.x >= S(0), normal, S(0));
    }
    return sum;
}

}  // namespace mjx::inner
