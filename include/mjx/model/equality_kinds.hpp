// The kinds of equality constraints: their numbers (MuJoCo's), their words in MJCF, how many rows each has, what it ties. Their rows are
// made in constraint/equality.hpp.
//
// A new kind is a number, a row here and the function that makes its rows; rows stand in the order of the numbers.
#pragma once

#include "mjx/math/vec.hpp"
#include "mjx/model/types.hpp"

#include <string_view>

namespace mjx::inner {

// clang-format off
namespace eq { enum : int { connect, weld, joint, tendon, flex, flexvert, flexstrain, distance }; }
// clang-format on

struct EqualityKind {
    int type;    // eq::
    int rows;    // 0: not supported
    int object;  // obj::, what it ties two of; unknown: two bodies or two sites, as eq_objtype says
};
// Laid out by hand: a table.
// clang-format off
inline constexpr EqualityKind equality_kinds[] = {
    {eq::connect, 3, obj::unknown},   // two points become one
    {eq::weld, 6, obj::unknown},      // two frames become one
    {eq::joint, 1, obj::joint},       // one coordinate is a polynomial of another
    {eq::tendon, 1, obj::tendon},     // one length is
    {eq::flex, 0, obj::flex},
    {eq::flexvert, 0, obj::flex},
    {eq::flexstrain, 0, obj::flex},
    {eq::distance, 1, obj::geom},     // between the centres of two geoms
};
// clang-format on
// Their words in MJCF, which has none for the last; beside the table, since the stages carry that.
inline constexpr std::string_view equality_words[] = {"connect", "weld", "joint", "tendon", "flex", "flexvert", "flexstrain", ""};
inline constexpr int nequality_kinds = sizeof(equality_kinds) / sizeof(EqualityKind);
static_assert(sizeof(equality_words) / sizeof(std::string_view) == nequality_kinds);
static_assert(in_order(equality_kinds), "rows stand in the order of the numbers");

// The row of a kind that is supported; null for others.
constexpr const EqualityKind* find_equality(int type) {
    return type >= 0 && type < nequality_kinds && equality_kinds[type].rows > 0 ? &equality_kinds[type] : nullptr;
}

// The same, by its word in MJCF.
constexpr const EqualityKind* equality_named(std::string_view word) {
    for (int k = 0; k < nequality_kinds; ++k)
        if (!word.empty() && equality_words[k] == word) return find_equality(k);
    return nullptr;
}

// Whether it ties frames, of bodies or sites; their orientations; the distance of two geoms; points of two bodies; tendons.
constexpr bool ties_frames(int type) { return type == eq::connect || type == eq::weld; }
constexpr bool ties_rotations(int type) { return type == eq::weld; }
constexpr bool ties_distance(int type) { return type == eq::distance; }
constexpr bool ties_points(int type) { return ties_frames(type) || ties_distance(type); }
constexpr bool ties_tendons(int type) { return type == eq::tendon; }

// The bodies that a constraint ties, unless it ties tendons; the world where there is no second.
template <class M>
constexpr Vec<int, 2> equality_bodies(const M& m, int e) {
    const int object = ties_frames(m.eq_type[e]) ? static_cast<int>(m.eq_objtype[e]) : equality_kinds[m.eq_type[e]].object;
    const auto body = [&](int id) -> int {
        if (id < 0) return 0;
        if (object == obj::joint) return m.jnt_bodyid[id];
        if (object == obj::geom) return m.geom_bodyid[id];
        return object == obj::site ? m.site_bodyid[id] : id;
    };
    return {{body(m.eq_obj1id[e]), body(m.eq_obj2id[e])}};
}

}  // namespace mjx::inner
