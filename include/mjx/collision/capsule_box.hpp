// Capsule against box: one or two contacts, by MuJoCo's rule.
//
// First the point of the capsule's segment nearest to the box: an end above a face (or inside), or the nearest pair of the segment
// and one of the twelve edges, whose end is a corner. Then, where the segment runs along the box rather than into it, a second
// point as far along as the segment stays above the box. Both become balls against the box. The search branches, so it runs lane
// by lane; the frame is the box's.
#pragma once

#include "mjx/collision/sphere.hpp"

namespace mjx::inner {

template <class L>
struct SegmentOnBox {
    enum Kind { none, face, edge, corner };
    Kind kind = none;
    L at = L(0);        // on the segment, from -1 to 1
    L along = L(0);     // on the edge, from -1 to 1
    int axis = -1;      // of the face or edge; -1 when the end lies inside the box
    int corners = 0;    // signs of the corner, a bit per axis
};

// a / b, or far away when b vanishes
template <class L>
L travel(const L& a, const L& b) {
    return abs(b) < L(minval_v<L>) ? L(static_cast<value_t<L>>(1e10)) : L(a / b);
}

// The ends of the segment centre ± half that lie above one face or inside.
template <class L>
void nearest_face(const Vec3<L>& centre, const Vec3<L>& half, const Vec3<L>& size, SegmentOnBox<L>& best, L& distance2) {
    for (int end = -1; end <= 1; end += 2) {
        int outside = 0, axis = -1;
        L d2(0);
        for (int j = 0; j < 3; ++j) {
            const L x = centre[j] + half[j] * value_t<L>(end);
            const L beyond = abs(x) - size[j];
            if (!(beyond > L(0))) continue;
            ++outside;
            axis = j;
            d2 = beyond * beyond;
        }
        if (outside > 1 || !(d2 < distance2)) continue;
        distance2 = d2;
        best.kind = SegmentOnBox<L>::face;
        best.at = L(value_t<L>(end));
        best.axis = axis;
    }
}

// The edge along axis j through the corner with the signs `corner` (bit j clear).
template <class L>
void nearest_edge(const Vec3<L>& centre, const Vec3<L>& half, const L& half2, const Vec3<L>& size, int j, int corner, SegmentOnBox<L>& best,
                  L& distance2) {
    const L one(1);
    Vec3<L> apart;
    for (int k = 0; k < 3; ++k) apart[k] = (k == j ? L(0) : (corner >> k & 1 ? size[k] : L(-size[k]))) - centre[k];
    const L aa = size[j] * size[j], ab = -size[j] * half[j], bb = half2;
    const L u = -size[j] * apart[j], v = dot(half, apart);
    const L det = aa * bb - ab * ab;
    if (!(abs(det) >= max(L(minval_v<L>), L(aa * bb * (epsilon_v<L> * 4))))) return;

    L x1 = (bb * u - ab * v) / det, x2 = (aa * v - ab * u) / det;
    int end = x1 > one ? 1 : x1 < -one ? -1 : 0;  // of the edge
    if (end != 0) {
        x1 = L(value_t<L>(end));
        x2 = (v - ab * x1) / bb;
    }
    if (abs(x2) > one) {
        x2 = x2 > one ? one : L(-one);
        x1 = (u - ab * x2) / aa;
        if (abs(x1) > one) {
            end = x1 > one ? 1 : -1;
            x1 = L(value_t<L>(end));
        }
    }
    Vec3<L> gap = apart - half * x2;
    gap[j] += size[j] * x1;
    const L d2 = dot(gap, gap);
    // a tie goes to what was found first
    if (!(d2 < distance2 - max(L(minval_v<L>), L(distance2 * (epsilon_v<L> * 4))))) return;
    distance2 = d2;
    best.kind = end == 0 ? SegmentOnBox<L>::edge : SegmentOnBox<L>::corner;
    best.at = x2;
    best.along = x1;
    best.axis = j;
    best.corners = corner | (end == 1 ? 1 << j : 0);
}

// Says whether there is a second contact and how far from best.at it lies on the segment.
template <class L>
bool second_contact(const Vec3<L>& centre, const Vec3<L>& half, const L& half2, const Vec3<L>& size, const SegmentOnBox<L>& best,
                    L& second) {
    const L one(1);
    const int heading = (half[0] > L(0) ? 1 : 0) + (half[1] > L(0) ? 2 : 0) + (half[2] > L(0) ? 4 : 0);
    const auto across = [&](int k) { return travel(L(size[k] * value_t<L>(2)), L(abs(half[k]))); };
    int differs = heading ^ best.corners;  // axes along which the segment points away from the corner

    if (best.kind == SegmentOnBox<L>::corner) {
        if (differs == 0 || differs == 7) return false;  // points at the corner
        const bool single = differs == 1 || differs == 2 || differs == 4;
        if (!single) differs = 7 - differs;
        const int k = differs == 1 ? 0 : differs == 2 ? 1 : 2;
        const L sign = single ? one : L(-one);
        if (half[k] * half[k] > half2 * value_t<L>(0.5))
            second = sign * min(L(one - sign * best.at), across(k));  // along an edge
        else
            second = -sign * min(min(L(one + sign * best.at), across((k + 1) % 3)), across((k + 2) % 3));
        return true;
    }
    if (best.kind == SegmentOnBox<L>::edge) {
        differs &= 7 - (1 << best.axis);
        if (differs != 1 && differs != 2 && differs != 4) return false;  // T rather than X
        // the face the segment makes the smaller angle with: `steep` is its axis direction of travel
        const int k1 = (best.axis + 1) % 3, k2 = (best.axis + 2) % 3;
        const int steep = abs(half[k1]) > abs(half[k2]) ? k1 : k2;
        const bool forward = differs >> steep & 1;
        const L sign = forward ? one : L(-one);
        const bool with_edge = (heading >> best.axis & 1) == (differs >> steep & 1);
        const L left = with_edge ? L(one - best.along) : L(one + best.along);
        second = min(L(one - sign * best.at), across(steep));
        second = sign * min(second, travel(L(size[best.axis] * left), L(abs(half[best.axis]))));
        return true;
    }
    if (best.kind != SegmentOnBox<L>::face || best.axis < 0) return false;
    second = L(2);
    for (int k = 0; k < 3; ++k) {
        if (k == best.axis) continue;
        const L end = centre[k] + half[k] * best.at;
        for (int side = -1; side <= 1; side += 2) {
            const L step = travel(L(size[k] * value_t<L>(side) - end), L(-half[k] * best.at));
            if (step > L(0) && step < second) second = step;
        }
    }
    second = -best.at * second;
    return true;
}

template <class L>
void capsule_box_lane(const Geom<L>& a, const Geom<L>& b, const L& margin, CollisionResult<L>& out) {
    const Vec3<L> centre = b.local(a.pos);
    const Vec3<L> half = b.local_direction(a.axis()) * a.size[1];
    const L half2 = a.size[1] * a.size[1];
    // most capsules near a box are clearly beyond one of its faces
    for (int k = 0; k < 3; ++k) {
        const L near = b.size[k] + a.size[0] + margin + abs(half[k]);
        if (abs(centre[k]) > near * (value_t<L>(1) + epsilon_v<L> * 64)) return;
    }
    SegmentOnBox<L> best;
    // no contact is further than this
    const L reach = margin + (a.size[0] + a.size[1] + b.size[0] + b.size[1] + b.size[2]) * value_t<L>(2);
    L distance2 = reach * reach;
    nearest_face(centre, half, b.size, best, distance2);
    for (int j = 0; j < 3; ++j)
        for (int corner = 0; corner < 8; ++corner)
            if (!(corner >> j & 1)) nearest_edge(centre, half, half2, b.size, j, corner, best, distance2);

    L second(0);
    const int points = second_contact(centre, half, half2, b.size, best, second) ? 2 : 1;
    const Vec3<L> world = a.axis() * a.size[1];
    for (int i = 0; i < points; ++i) {
        const L at = i == 0 ? best.at : L(best.at + second);
        ball_box(Vec3<L>(a.pos + world * at), a.size[0], b, margin, true, out);
    }
}

}  // namespace mjx::inner
