// Broad phase for large models: the pairs of geoms whose bounding boxes meet, at a cost nearly linear in the number of geoms.
//
// Reads   geom_xpos, geom_xmat
// Writes  its work
// Sweep and prune along one axis tests n^(5/3) pairs in a heap of n bodies of constant density. Here the geoms are sorted along a
// space-filling curve instead (Morton codes, radix sort; Lauterbach et al. 2009), which makes them the leaves of a balanced
// tree of world-aligned boxes, eight to a node, and every leaf asks the rest of the tree for its neighbours. All geoms of a body that moves
// are one leaf.
// What moves comes first among the leaves, so that what does not, often most of a scene, has nothing to ask for. Boxes cover all lanes of
// a pack and include margin and gap. Pairs come out ordered by geom id, so that the order of contacts does not depend on the curve.
#pragma once

#include "mjx/collision/boxes.hpp"
#include "mjx/collision/filter.hpp"
#include "mjx/collision/geom.hpp"
#include "mjx/data/data.hpp"

namespace mjx::inner {

template <int Each>
struct BroadSize {
    template <class M>
    constexpr int operator()(const M& m, int) const {
        return Each * m.nbroad;
    }
};
template <int Each>
inline constexpr BroadSize<Each> broad_size{};

// Blocks of boxes: n / 8 for the leaves, n / 64 above them and so on, each rounded up.
struct BlockSize {
    template <class M>
    constexpr int operator()(const M& m, int) const {
        return m.nbroad > 0 ? m.nbroad / 7 + 10 : 0;
    }
};
inline constexpr BlockSize block_size;

template <class S, class M>
struct BroadWork {
    WorkPlace<M>* at;
    using V = value_t<S>;
    template <class T, int Each>
    using array = WorkArray<T, broad_size<Each>, S, M>;
    array<Vec6<V>, 1> box{at};  // of each geom, least and greatest corner, world
    WorkArray<BoxBlock, block_size, S, M> tree{at};  // boxes of the leaves, a little larger, and those around eight, level by level
    array<Vec6<V>, 1> all{at};  // of each leaf, at its first geom
    array<int, 1> leaf{at};  // first geom of each leaf
    array<int, 1> swap{at};
    array<int, 1> high{at};  // place of each leaf along the space-filling curve, upper and lower 30 bits
    array<int, 1> low{at};
    array<Vec<int, 2>, 16> pair{at};  // pairs whose boxes meet
    array<Vec<int, 2>, 16> sorted{at};
};
template <class D>
auto& broad(D& d) {
    return work<BroadWork>(d);
}

// The box of a geom in all lanes, grown by its share of margin and gap. A lane with a broken pose has none.
template <class M, class D>
auto geom_box(const M& m, const D& d, int g) {
    using S = typename D::scalar;
    using V = value_t<S>;
    const S share = m.opt.enabled(enable::override_contact) ? S(m.opt.o_margin * V(0.5)) : S(m.geom_margin[g]);
    const S extra = share + m.geom_gap[g];
    const auto& mat = d.geom_xmat[g];
    const auto& bounds = m.geom_aabb[g];
    Vec6<V> box = empty_box<V>();
    Vec3<S> low, high;
    for (int i = 0; i < 3; ++i) {
        S centre = d.geom_xpos[g][i], half(0);
        for (int j = 0; j < 3; ++j) {
            centre += mat(i, j) * bounds[j];
            half += abs(mat(i, j)) * bounds[3 + j];
        }
        low[i] = max(S(centre - half), S(d.geom_xpos[g][i] - m.geom_rbound[g])) - extra;
        high[i] = min(S(centre + half), S(d.geom_xpos[g][i] + m.geom_rbound[g])) + extra;
    }
    for (int k = 0; k < lanes_v<S>; ++k) {
        Vec6<V> one;
        bool good = true;
        for (int i = 0; i < 3; ++i) {
            one[i] = value_of(lane(low[i], k));
            one[3 + i] = value_of(lane(high[i], k));
            good = good && one[i] > -no_bound<V> && one[3 + i] < no_bound<V>;
        }
        if (good) include(box, one);
    }
    return box;
}

// Spreads the lowest ten bits of x to every third bit.
constexpr unsigned spread_bits(unsigned x) {
    x &= 1023u;
    x = (x | x << 16) & 0x030000FFu;
    x = (x | x << 8) & 0x0300F00Fu;
    x = (x | x << 4) & 0x030C30C3u;
    return (x | x << 2) & 0x09249249u;
}

// Stable sort of the ids in `leaf` by the 30-bit keys: three passes of ten bits. The result ends up in `leaf` again.
template <class Ids, class Keys>
void radix_sort(Ids& leaf, Ids& swap, const Keys& key, int n) {
    for (int shift = 0; shift < 30; shift += 10) {
        int start[1025] = {};
        for (int i = 0; i < n; ++i) ++start[((key[leaf[i]] >> shift) & 1023) + 1];
        for (int b = 0; b < 1024; ++b) start[b + 1] += start[b];
        for (int i = 0; i < n; ++i) swap[start[(key[leaf[i]] >> shift) & 1023]++] = leaf[i];
        for (int i = 0; i < n; ++i) leaf[i] = swap[i];
    }
}

// Where the geoms of a leaf end.
template <class M>
constexpr int leaf_end(const M& m, int first) {
    const int body = m.geom_bodyid[first];
    return body_moves(m, body) ? m.body_geomadr[body] + m.body_geomnum[body] : first + 1;
}

// Sorts the n leaves along the curve.
template <class D>
void sort_leaves(D& d, int n) {
    using V = value_t<typename D::scalar>;
    constexpr V cells = 1048575;  // 20 bits per axis
    Vec6<V> all = empty_box<V>();
    for (int i = 0; i < n; ++i) include(all, broad(d).all[broad(d).leaf[i]]);
    // one scale for the three axes, so that cells are cubes
    const V extent = max(max(V(all[3] - all[0]), V(all[4] - all[1])), V(all[5] - all[2]));
    const V scale = cells / (extent > V(0) ? extent : V(1));
    for (int i = 0; i < n; ++i) {
        const int g = broad(d).leaf[i];
        unsigned high = 0, low = 0;
        for (int k = 0; k < 3; ++k) {
            const V centre = (broad(d).all[g][k] + broad(d).all[g][3 + k]) * V(0.5);
            const unsigned cell = static_cast<unsigned>(clamp(V((centre - all[k]) * scale), V(0), cells));
            high |= spread_bits(cell >> 10) << k;
            low |= spread_bits(cell) << k;
        }
        broad(d).high[g] = static_cast<int>(high);
        broad(d).low[g] = static_cast<int>(low);
    }
    // the upper bits mostly tell the leaves apart, but not where a scene is much larger than what is in it
    radix_sort(broad(d).leaf, broad(d).swap, broad(d).high, n);
    int alike = 0;
    for (int i = 1; i < n; ++i) alike += broad(d).high[broad(d).leaf[i]] == broad(d).high[broad(d).leaf[i - 1]] ? 1 : 0;
    if (8 * alike <= n) return;
    radix_sort(broad(d).leaf, broad(d).swap, broad(d).low, n);
    radix_sort(broad(d).leaf, broad(d).swap, broad(d).high, n);
}

// Puts those of the n leaves first that move, in the order they have; how many there are.
template <class M, class W>
int sort_moving_first(const M& m, W& w, int n) {
    int moving = 0, resting = 0;
    for (int i = 0; i < n; ++i) {
        const int g = w.leaf[i];
        if (body_moves(m, m.geom_bodyid[g]))
            w.leaf[moving++] = g;
        else
            w.swap[resting++] = g;
    }
    for (int i = 0; i < resting; ++i) w.leaf[moving + i] = w.swap[i];
    return moving;
}

// How many leaves the tree has, how many of them, the first, move, and where the levels of its boxes begin, from the leaves up.
struct BroadLeaves {
    static constexpr int max_levels = 10;
    int all = 0, moving = 0, levels = 0;
    int start[max_levels + 1] = {};
};

// The boxes of geoms and leaves; how many leaves have one. Planes stay out, and, unless all are wanted, geoms that collide with nothing.
template <class M, class D>
int make_leaves(const M& m, D& d, bool all_geoms) {
    using V = value_t<typename D::scalar>;
    auto& w = broad(d);
    int n = 0;
    for (int first = 0; first < m.ngeom;) {
        const int end = leaf_end(m, first);
        Vec6<V> all = empty_box<V>();
        for (int g = first; g < end; ++g) {
            const bool inert = m.geom_contype[g] == 0 && m.geom_conaffinity[g] == 0;
            const bool out = is_endless(m.geom_type[g]) || (inert && !all_geoms);
            w.box[g] = out ? empty_box<V>() : geom_box(m, d, g);
            include(all, w.box[g]);
        }
        w.all[first] = all;
        if (all[0] <= all[3]) w.leaf[n++] = first;
        first = end;
    }
    return n;
}

template <class M, class D>
BroadLeaves make_broad_tree(const M& m, D& d, bool all_geoms = false) {
    auto& w = broad(d);
    const int n = make_leaves(m, d, all_geoms);
    if (n == 0) return {};
    sort_leaves(d, n);
    BroadLeaves tree;
    tree.all = n;
    tree.moving = sort_moving_first(m, w, n);
    const NearBox empty = with_slack(empty_box<float>());
    int first = 0;  // of the level's blocks
    for (int count = n; tree.levels == 0 || count > 1; ++tree.levels) {
        const int below = tree.levels == 0 ? 0 : tree.start[tree.levels - 1], blocks = (count + 7) / 8;
        tree.start[tree.levels] = first;
        for (int i = 0; i < 8 * blocks; ++i) {
            const NearBox box = i >= count ? empty : tree.levels == 0 ? with_slack(w.all[w.leaf[i]]) : w.tree[below + i].around();
            w.tree[first + i / 8].set(i % 8, box);
        }
        first += blocks;
        count = blocks;
    }
    return tree;
}

// f(g1, g2) for every geom of leaf a and every one of leaf b whose boxes meet.
template <class M, class W, class F>
void for_each_meeting_geom(const M& m, W& w, int a, int b, F&& f) {
    const int end_a = leaf_end(m, a), end_b = leaf_end(m, b);
    if (!boxes_meet(w.all[a], w.all[b])) return;  // those of the tree are larger
    if (end_a == a + 1 && end_b == b + 1) return f(a, b);
    int kept = 0;
    for (int g = b; g < end_b; ++g)
        if (boxes_meet(w.box[g], w.all[a])) w.swap[kept++] = g;
    for (int g = a; g < end_a; ++g) {
        if (!boxes_meet(w.box[g], w.all[b])) continue;
        for (int k = 0; k < kept; ++k)
            if (boxes_meet(w.box[g], w.box[w.swap[k]])) f(g, w.swap[k]);
    }
}

// f(g1, g2) for every two geoms of different leaves whose boxes meet, one of which moves, along the curve. Each leaf looks only at what
// lies to its right: on every level at the rest of its block, and at what is below that.
template <class M, class W, class F>
void for_each_meeting(const M& m, W& w, const BroadLeaves& tree, F&& f) {
    unsigned left[BroadLeaves::max_levels];  // children to look at on each level, as bits
    int block[BroadLeaves::max_levels];
    for (int i = 0; i < tree.moving; ++i) {
        const NearBox box = with_slack(w.all[w.leaf[i]]);
        const auto look = [&](int level, int which) {
            block[level] = which;
            left[level] = w.tree[tree.start[level] + which].template meeting<in_kernel_v<M>>(box);
        };
        for (int top = 0, at = i; top < tree.levels; ++top, at /= 8) {
            look(top, at / 8);
            left[top] &= 0xfeu << (at % 8);
            for (int level = top; level <= top;) {
                if (left[level] == 0) {
                    ++level;
                    continue;
                }
                const int child = 8 * block[level] + __builtin_ctz(left[level]);
                left[level] &= left[level] - 1;
                if (level == 0)
                    for_each_meeting_geom(m, w, w.leaf[i], w.leaf[child], f);
                else
                    look(--level, child);
            }
        }
    }
}

// Stable sort of the pairs by their entry `by`, counting.
template <class Pairs, class Counts>
void sort_pairs(const Pairs& from, Pairs& to, Counts& start, int by, int pairs, int ids) {
    for (int g = 0; g < ids; ++g) start[g] = 0;
    for (int i = 0; i < pairs; ++i) ++start[from[i][by]];
    for (int g = 0, sum = 0; g < ids; ++g) {
        const int count = start[g];
        start[g] = sum;
        sum += count;
    }
    for (int i = 0; i < pairs; ++i) to[start[from[i][by]]++] = from[i];
}

// f(g1, g2) for every pair g1 < g2 of geoms in the tree whose boxes meet, in the order of ids. Where there are more pairs
// than room for them, those left over come first, along the curve.
template <class M, class D, class F>
void for_each_near_pair(const M& m, D& d, const BroadLeaves& leaves, F&& f) {
    auto& w = broad(d);
    int pairs = 0;
    const int most = broad_size<16>(m, 1);
    for_each_meeting(m, w, leaves, [&](int g1, int g2) {
        const Vec<int, 2> pair{{g1 < g2 ? g1 : g2, g1 < g2 ? g2 : g1}};
        if (pairs < most)
            w.pair[pairs++] = pair;
        else
            f(pair[0], pair[1]);
    });
    sort_pairs(w.pair, w.sorted, w.swap, 1, pairs, m.ngeom);
    sort_pairs(w.sorted, w.pair, w.swap, 0, pairs, m.ngeom);
    for (int i = 0; i < pairs; ++i) f(w.pair[i][0], w.pair[i][1]);
}

}  // namespace mjx::inner
