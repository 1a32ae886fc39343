// expect: the type of a shape of your own is from shape::count to 255
#include "mjx/shapes.hpp"

struct Ball {
    static constexpr int type = mjx::shape::sphere, sizes = 1;
    static constexpr const char* name = "ball";
    template <class T>
    static mjx::Vec3<T> support(const mjx::Vec3<T>& size, const mjx::Vec3<T>& dir) {
        return dir * size[0];
    }
};

constexpr int type = mjx::inner::UserShape<Ball>::type;
