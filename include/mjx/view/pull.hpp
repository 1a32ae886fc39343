// Pull: a spring between a point of a body and a point of the world, as a page's mouse has it.
//
// Reads   xpos, xquat, xipos, cvel, subtree_com
// Writes  xfrc_applied of the body; on release it is again what it was before
#pragma once

#include "mjx/view/scene.hpp"

namespace mjx::inner::show {

class Pull {
    int body_ = -1;
    Vec3<double> point_{}, target_{};  // body frame; world
    Vec6<double> before_{};

    template <class D>
    void set(D& d, int k, const Vec6<double>& force) const {
        using S = typename D::scalar;
        for (int i = 0; i < 6; ++i) {
            if constexpr (lanes_v<S> == 1)
                d.xfrc_applied[body_][i] = S(static_cast<value_t<S>>(force[i]));
            else
                set_lane(d.xfrc_applied[body_][i], k, lane_t<S>(static_cast<value_t<S>>(force[i])));
        }
    }

  public:
    template <class D>
    void grab(D& d, int k, int body, const double (&at)[6]) {
        if (body != body_) {
            release(d, k);
            body_ = body;
            for (int i = 0; i < 6; ++i) before_[i] = number(d.xfrc_applied[body][i], k);
        }
        for (int i = 0; i < 3; ++i) point_[i] = at[i], target_[i] = at[3 + i];
    }
    template <class D>
    void release(D& d, int k) {
        if (body_ >= 0) set(d, k, before_);
        body_ = -1;
    }
    // Critically damped at ten radians per second for the mass that the point feels when pushed at rest.
    template <class M, class D>
    void apply(const M& m, D& d, int k) const {
        if (body_ < 0) return;
        constexpr double frequency = 10;
        const auto vec = [k](const auto& v, int first = 0) {
            return Vec3<double>{{number(v[first], k), number(v[first + 1], k), number(v[first + 2], k)}};
        };
        const auto& q = d.xquat[body_];
        const Quat<double> quat{{number(q[0], k), number(q[1], k), number(q[2], k), number(q[3], k)}};
        const Vec3<double> at = vec(d.xpos[body_]) + Vec3<double>(rotate(quat, point_));
        const Vec3<double> velocity = vec(d.cvel[body_], 3) + cross(vec(d.cvel[body_], 0), at - vec(d.subtree_com[m.body_rootid[body_]]));
        const double mass = 1 / std::max(1e-9, number(m.body_invweight0[body_][0]));
        Vec3<double> way = target_ - at;
        const double far = std::sqrt(dot(way, way)), most = 2 * number(m.stat.extent);
        if (far > most) way *= most / far;
        const Vec3<double> force = (way * frequency - velocity * 2.0) * (frequency * mass);
        const Vec3<double> torque = cross(at - vec(d.xipos[body_]), force);
        Vec6<double> sum = before_;
        for (int i = 0; i < 3; ++i) sum[i] += force[i], sum[3 + i] += torque[i];
        set(d, k, sum);
    }
};

}  // namespace mjx::inner::show
