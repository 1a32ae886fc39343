#include "all_headers.hpp"

double in_the_other_file(double angle) {
    const mjx::Vec3<double> axis{{0, 0, 1}};
    return mjx::inner::to_mat3(mjx::inner::axis_angle(axis, angle))(1, 0);
}
