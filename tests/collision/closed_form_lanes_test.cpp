// The closed-form collisions in packs: every lane finds what it finds alone.
#include "catch.hpp"
#include "collision/shapes.hpp"
#include "mjx/scalar/pack.hpp"

#include <limits>

using namespace shapes;

namespace {

// Contacts of one lane, in order: a pack may leave slots empty in some lanes.
template <class S>
std::vector<ContactPoint<lane_t<S>>> contacts(const Found<S>& found, int k) {
    std::vector<ContactPoint<lane_t<S>>> out;
    for (int i = 0; i < found.count; ++i) {
        const auto& c = found.point[i];
        if (lane(c.active, k)) out.push_back({lane(c.dist, k), lane(c.pos, k), lane(c.normal, k), true});
    }
    return out;
}

template <class L>
bool same(const ContactPoint<L>& a, const ContactPoint<L>& b, double tolerance) {
    double worst = std::abs(static_cast<double>(a.dist - b.dist));
    for (int i = 0; i < 3; ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(a.pos[i] - b.pos[i])));
        worst = std::max(worst, std::abs(static_cast<double>(a.normal[i] - b.normal[i])));
    }
    return worst <= tolerance;
}

}  // namespace

TEMPLATE_TEST_CASE("A lane of a pack finds what its pair finds alone", "[collision]", pack<float>, pack<double>) {
    using S = TestType;
    using L = lane_t<S>;
    Random random(11);
    for (const Pair& p : closed_forms) {
        INFO(p.name);
        int wrong = 0, found_any = 0;
        for (int n = 0; n < 20000 / lanes_v<S>; ++n) {
            std::vector<OwnGeom<double>> a, b;
            OwnGeom<S> pa = to<S>(any_shape(random, 0.5)), pb = pa;
            for (int k = 0; k < lanes_v<S>; ++k) {
                a.push_back(any_shape(random, 0.5));
                b.push_back(any_shape(random, 0.5));
                if (k == 1) b[1] = {a[1].pos, a[1].mat, b[1].size};  // coincident, parallel
                if (k == 2) b[2].mat = a[2].mat;
                if (k == 3 && n % 4 == 0) b[3].pos[0] = std::numeric_limits<double>::quiet_NaN();
                for (int i = 0; i < 3; ++i) {
                    const auto set = [&](S& x, double value) { set_lane(x, k, static_cast<L>(value)); };
                    set(pa.pos[i], a.back().pos[i]), set(pb.pos[i], b.back().pos[i]);
                    set(pa.size[i], a.back().size[i]), set(pb.size[i], b.back().size[i]);
                    for (int j = 0; j < 3; ++j) set(pa.mat(i, j), a.back().mat(i, j)), set(pb.mat(i, j), b.back().mat(i, j));
                }
            }
            const auto together = collide(p, pa, pb, 0.05);
            for (int k = 0; k < lanes_v<S>; ++k) {
                const auto i = static_cast<std::size_t>(k);
                const auto alone = contacts(collide(p, to<L>(a[i]), to<L>(b[i]), 0.05), 0), lanes = contacts(together, k);
                found_any += static_cast<int>(alone.size());
                bool equal = alone.size() == lanes.size();
                for (std::size_t c = 0; equal && c < alone.size(); ++c) equal = same(alone[c], lanes[c], 0);
                wrong += !equal;
            }
        }
        CHECK(found_any > 1000);
        CHECK(wrong == 0);
    }
}
