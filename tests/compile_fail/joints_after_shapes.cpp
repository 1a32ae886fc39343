// expect: mjx::compile takes a joint_set, shapes of your own, or a joint_set and shapes after it
#include "mjx/compile.hpp"
#include "mjx/shapes.hpp"

struct Ball {
    static constexpr int type = mjx::shape::count, sizes = 1;
    static constexpr const char* name = "ball";
    template <class T>
    static mjx::Vec3<T> support(const mjx::Vec3<T>& size, const mjx::Vec3<T>& dir) {
        return dir * size[0];
    }
};

void f(const mjx::Spec& spec) { mjx::compile<Ball, mjx::joint_set<mjx::Hinge>>(spec); }
