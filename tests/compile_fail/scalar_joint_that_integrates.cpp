// expect: a scalar joint adds velocity to position
#include "mjx/joints.hpp"

struct Worm : mjx::Hinge {
    static constexpr int type = mjx::jnt::user;
    static constexpr const char *name = "worm", *cpp_name = "Worm";

    template <class Q, class V, class H>
    static void integrate(Q& qpos, int q, const V& qvel, int v, const H& h) {
        qpos[q] += qvel[v] * h * 0.5;
    }
};
mjx::joint_set<Worm> joints;
