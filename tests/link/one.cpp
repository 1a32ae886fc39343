#include "all_headers.hpp"

double in_the_other_file(double angle);

// Both files use the same instantiation; the answers agree because it is the same function.
double in_this_file(double angle) {
    const mjx::Vec3<double> axis{{0, 0, 1}};
    return mjx::inner::to_mat3(mjx::inner::axis_angle(axis, angle))(1, 0);
}

int main() { return in_this_file(0.5) == in_the_other_file(0.5) ? 0 : 1; }
