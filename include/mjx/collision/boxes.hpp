// World-aligned boxes: as six numbers, least corner and greatest; as NearBox, which is compared with others fastest; and eight of these as
// BoxBlock, which are compared with one at once.
#pragma once

#include "mjx/math/quad.hpp"
#include "mjx/math/spatial.hpp"

#include <cstdint>
#include <cstring>

namespace mjx::inner {

template <class V>
constexpr V no_bound = static_cast<V>(1e30);

template <class V>
constexpr Vec6<V> empty_box() {
    return {{no_bound<V>, no_bound<V>, no_bound<V>, -no_bound<V>, -no_bound<V>, -no_bound<V>}};
}
template <class V>
void include(Vec6<V>& box, const Vec6<V>& other) {
    for (int i = 0; i < 3; ++i) {
        box[i] = min(box[i], other[i]);
        box[3 + i] = max(box[3 + i], other[3 + i]);
    }
}
template <class V>
constexpr bool boxes_meet(const Vec6<V>& a, const Vec6<V>& b) {
    // all six at once: a branch on each would be mispredicted half the time
    int meet = 1;
    for (int i = 0; i < 3; ++i) meet &= int(a[i] <= b[3 + i]) & int(b[i] <= a[3 + i]);
    return meet != 0;
}

// A box to compare with others at once: its least corner and minus its greatest, world.
struct NearBox {
    quad<float> low, minus_high;  // the fourth number is so low that it never matters
};
inline bool boxes_meet(const NearBox& a, const NearBox& b) {
    const auto apart = (a.low + b.minus_high > 0.f) | (b.low + a.minus_high > 0.f);
    std::int64_t bits[2];
    std::memcpy(bits, &apart, sizeof bits);
    return (bits[0] | bits[1]) == 0;
}
inline void include(NearBox& box, const NearBox& other) {
    box.low = other.low < box.low ? other.low : box.low;
    box.minus_high = other.minus_high < box.minus_high ? other.minus_high : box.minus_high;
}

// Grown by more than the rounding of everything that is compared with it. An empty box stays one.
template <class V>
NearBox with_slack(const Vec6<V>& box) {
    NearBox grown{quad<float>{} - no_bound<float>, quad<float>{} - no_bound<float>};
    for (int i = 0; i < 3; ++i) {
        const V slack = (box[3 + i] - box[i]) * V(1e-6) + (abs(box[i]) + abs(box[3 + i])) * V(16 * epsilon_v<float>);
        grown.low[i] = static_cast<float>(box[i] - slack);
        grown.minus_high[i] = static_cast<float>(-box[3 + i] - slack);
    }
    return grown;
}

// Each coordinate of eight boxes side by side.
struct BoxBlock {
    typedef float eight __attribute__((vector_size(32)));
    eight low[3], minus_high[3];

    void set(int k, const NearBox& box) {
        for (int i = 0; i < 3; ++i) {
            low[i][k] = box.low[i];
            minus_high[i][k] = box.minus_high[i];
        }
    }
    // All eight in registers: who compares them next need not wait for single numbers to be written.
    [[gnu::always_inline]] void set(const NearBox* box) {
        turn(low, box, &NearBox::low);
        turn(minus_high, box, &NearBox::minus_high);
    }
    // The box around all eight.
    NearBox around() const {
        NearBox box{quad<float>{} - no_bound<float>, quad<float>{} - no_bound<float>};
        for (int i = 0; i < 3; ++i) {
            box.low[i] = low[i][0];
            box.minus_high[i] = minus_high[i][0];
            for (int k = 1; k < 8; ++k) {
                box.low[i] = low[i][k] < box.low[i] ? low[i][k] : box.low[i];
                box.minus_high[i] = minus_high[i][k] < box.minus_high[i] ? minus_high[i][k] : box.minus_high[i];
            }
        }
        return box;
    }
    // Bit k of it: whether box k meets the given one.
    template <bool InKernel>
    unsigned meeting(const NearBox& box) const {
        // the widest gap; that of a broken pose is none
        eight gap = low[0] + box.minus_high[0];
        const auto widen = [&](const eight& other) __attribute__((always_inline)) { gap = gap < other ? other : gap; };
        widen(minus_high[0] + box.low[0]);
        for (int i = 1; i < 3; ++i) {
            widen(low[i] + box.minus_high[i]);
            widen(minus_high[i] + box.low[i]);
        }
        const auto apart = gap > 0.f;
#ifdef __AVX__
        if constexpr (!InKernel) return ~static_cast<unsigned>(__builtin_ia32_movmskps256(reinterpret_cast<eight>(apart))) & 255u;
#endif
        unsigned bits = 0;
        for (int k = 0; k < 8; ++k) bits |= static_cast<unsigned>(apart[k] & 1) << k;
        return ~bits & 255u;
    }

  private:
    static void turn(eight (&to)[3], const NearBox* box, quad<float> NearBox::*corner) {
        quad<float> half[2][3];
        for (int h = 0; h < 2; ++h) {
            const quad<float>&a = box[4 * h].*corner, &b = box[4 * h + 1].*corner, &c = box[4 * h + 2].*corner, &d = box[4 * h + 3].*corner;
            const quad<float> ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
            half[h][0] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
            half[h][1] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
            half[h][2] = __builtin_shufflevector(__builtin_shufflevector(a, b, 2, 6, 3, 7), __builtin_shufflevector(c, d, 2, 6, 3, 7), 0, 1,
                                                 4, 5);
        }
        for (int i = 0; i < 3; ++i) to[i] = __builtin_shufflevector(half[0][i], half[1][i], 0, 1, 2, 3, 4, 5, 6, 7);
    }
};

}  // namespace mjx::inner
