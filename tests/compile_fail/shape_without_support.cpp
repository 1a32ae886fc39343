// expect: a shape has int type, int sizes, const char* name and support(size, dir) for Vec3 of numbers and of duals
#include "mjx/shapes.hpp"

struct Blob {
    static constexpr int type = mjx::shape::count, sizes = 1;
    static constexpr const char* name = "blob";
};

constexpr int type = mjx::inner::UserShape<Blob>::type;
