// Frames fixed in a body, seen from the world, with their numbers side by side in registers: a robot has so many geoms that they take as
// long as the rest of its kinematics. The sums are those of sparse_product, turn and to_mat3, term by term, and so are the bits.
#pragma once

#include "mjx/math/quad.hpp"
#include "mjx/math/quat.hpp"

#include <limits>

namespace mjx::inner {

#ifdef __AVX__
using QuadMask = decltype(quad<double>{} == quad<double>{});

// Of the numbers with a 1 in the mask, the negatives.
[[gnu::always_inline]] inline quad<double> negate(const quad<double>& v, const QuadMask& which) {
    constexpr long long sign = std::numeric_limits<long long>::min();
    return reinterpret_cast<quad<double>>(reinterpret_cast<QuadMask>(v) ^ (which * sign));
}

// A quaternion times i, j or k.
template <int Axis>
[[gnu::always_inline]] inline quad<double> times_unit(const quad<double>& q) {
    if constexpr (Axis == 0)
        return negate(__builtin_shufflevector(q, q, 1, 0, 3, 2), QuadMask{1, 0, 0, 1});
    else if constexpr (Axis == 1)
        return negate(__builtin_shufflevector(q, q, 2, 3, 0, 1), QuadMask{1, 1, 0, 0});
    else
        return negate(__builtin_shufflevector(q, q, 3, 2, 1, 0), QuadMask{1, 0, 1, 0});
}
// A product of quaternions; of the first, each number is there four times.
[[gnu::always_inline]] inline quad<double> product(const quad<double> (&a)[4], const quad<double>& b) {
    const quad<double> swap1 = __builtin_shufflevector(b, b, 1, 0, 3, 2), swap2 = __builtin_shufflevector(b, b, 2, 3, 0, 1),
                       swap3 = __builtin_shufflevector(b, b, 3, 2, 1, 0);
    return ((a[0] * b + a[1] * negate(swap1, QuadMask{1, 0, 1, 0})) + a[2] * negate(swap2, QuadMask{1, 0, 0, 1})) +
           a[3] * negate(swap3, QuadMask{1, 1, 0, 0});
}
// The matrix of a quaternion: its diagonal, and in lanes 1 to 3 its entries 01, 02, 12 and 10, 20, 21.
struct QuadMatrix {
    quad<double> diagonal, above, below;

    [[gnu::always_inline]] explicit QuadMatrix(const quad<double>& q) {
        const quad<double> w = __builtin_shufflevector(q, q, 0, 0, 0, 0), squares = q * q;
        const quad<double> xx = __builtin_shufflevector(squares, squares, 1, 1, 1, 1),
                           yy = __builtin_shufflevector(squares, squares, 2, 2, 2, 2),
                           zz = __builtin_shufflevector(squares, squares, 3, 3, 3, 3);
        diagonal = ((w * w + negate(xx, QuadMask{0, 1, 1, 0})) + negate(yy, QuadMask{1, 0, 1, 0})) + negate(zz, QuadMask{1, 1, 0, 0});
        const quad<double> around = (__builtin_shufflevector(q, q, 1, 1, 1, 2) * __builtin_shufflevector(q, q, 2, 2, 3, 3)) * 2.0;
        const quad<double> along = negate((w * __builtin_shufflevector(q, q, 3, 3, 2, 1)) * 2.0, QuadMask{0, 0, 1, 0});
        above = around - along;
        below = around + along;
    }
    [[gnu::always_inline]] void store(Mat3<double>& m) const {
        store_quad(m.e, __builtin_shufflevector(__builtin_shufflevector(diagonal, above, 0, 5, 6, 3), below, 0, 1, 2, 5));
        store_quad(m.e + 4, __builtin_shufflevector(__builtin_shufflevector(diagonal, above, 1, 7, 2, 3), below, 0, 1, 6, 7));
        m[8] = diagonal[2];
    }
};

// The frame of a body, for the frames that are fixed in it.
class QuadFrame {
  public:
    QuadFrame(const Vec3<double>& pos, const Quat<double>& quat, const Mat3<double>& mat) : pos_{pos[0], pos[1], pos[2], 0} {
        for (int k = 0; k < 3; ++k) column_[k] = quad<double>{mat[k], mat[3 + k], mat[6 + k], 0};
        quad<double> q;  // from where it is, at once: a copy of it would have to be waited for
        load_quad(q, quat.e);
        part_[0] = __builtin_shufflevector(q, q, 0, 0, 0, 0), part_[1] = __builtin_shufflevector(q, q, 1, 1, 1, 1);
        part_[2] = __builtin_shufflevector(q, q, 2, 2, 2, 2), part_[3] = __builtin_shufflevector(q, q, 3, 3, 3, 3);
        quat_ = q;
        turned_[0] = times_unit<0>(q), turned_[1] = times_unit<1>(q), turned_[2] = times_unit<2>(q);
    }

    // The pose of a frame at `pos`, turned by `quat`. Products with zeros that sparse_product leaves out are zeros here: all the same, but
    // for a sum of -0 and nothing else, which no position is that was computed.
    [[gnu::always_inline]] void place(const Vec3<double>& pos, const Quat<double>& quat, Vec3<double>& xpos, Mat3<double>& xmat) const {
        const quad<double> at = pos_ + ((column_[0] * pos[0] + column_[1] * pos[1]) + column_[2] * pos[2]);
        for (int k = 0; k < 3; ++k) xpos[k] = at[k];
        quad<double> by;
        load_quad(by, quat.e);
        const unsigned zeros = true_bits<false, double>(by == quad<double>{});
        constexpr unsigned two_of_xyz = 0xfcc0;  // bit n: whether n has two of the bits 1, 2, 3
        if (two_of_xyz >> zeros & 1) {
            const int axis = (zeros & 12) == 12 ? 0 : zeros & 4 ? 2 : 1;
            QuadMatrix(quat_ * quat[0] + turned_[axis] * quat[1 + axis]).store(xmat);
        } else {
            QuadMatrix(product(part_, by)).store(xmat);
        }
    }

  private:
    quad<double> pos_, column_[3];
    quad<double> part_[4], quat_;  // each number of the quaternion four times, and all of them
    quad<double> turned_[3];  // times i, j and k
};
#endif

}  // namespace mjx::inner
