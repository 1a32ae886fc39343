// The contact filter hook: which geoms it is asked about, what its answer does, on runtime and on fixed models.
#include "bits.hpp"
#include "catch.hpp"
#include "load.hpp"
#include "mjx/collision/collision.hpp"
#include "mjx/data.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/stage/kinematics.hpp"

#include <algorithm>
#include <memory>
#include <vector>

using namespace mjx;

namespace {

using Pairs = std::vector<std::pair<int, int>>;
enum : int { floor_plane, left_ball, left_rod, right_ball, right_rod, badge, ghost_ball };

// Lets through what is in the list, and notes what it was asked.
struct Filter {
    Pairs allowed;
    mutable std::shared_ptr<Pairs> asked = std::make_shared<Pairs>();

    template <class M, class D>
    bool contact_filter(const M&, const D&, int geom1, int geom2) const {
        asked->emplace_back(geom1, geom2);
        return std::find(allowed.begin(), allowed.end(), std::pair(geom1, geom2)) == allowed.end();
    }
};

// Decides lane by lane, by the pose: drops what is above a height.
struct Low {
    template <class M, class D>
    auto contact_filter(const M&, const D& d, int, int geom2) const {
        return d.geom_xpos[geom2][2] > typename D::scalar(0.5);
    }
};

template <class D>
Pairs contacts(const D& d) {
    Pairs pairs;
    for (int i = 0; i < d.ncon; ++i) pairs.push_back(std::minmax(int(d.contact[i].geom1), int(d.contact[i].geom2)));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

template <class S, class M>
std::unique_ptr<Data<S, M>> made(const M& m) {
    std::unique_ptr<Data<S, M>> d;
    if constexpr (M::is_fixed)
        d = std::make_unique<Data<S, M>>();
    else
        d = std::make_unique<Data<S, M>>(m);
    reset(m, *d);
    return d;
}

template <class M>
void check_filter(const M& m) {
    const auto d = made<double>(m);
    // both bodies low enough for the rods to reach the floor and each other
    d->qpos[2] = d->qpos[9] = 0.35;
    kinematics(m, *d);

    collision(m, *d);
    CHECK(contacts(*d) == Pairs{{left_ball, right_ball}});

    Filter filter{{{floor_plane, left_rod}, {left_rod, right_rod}}};
    collision(m, *d, filter);
    CHECK(contacts(*d) == Pairs{{floor_plane, left_rod}, {left_ball, right_ball}, {left_rod, right_rod}});
    CHECK(d->warning[warning::contactfull] == 0);
    // never about the explicit pair, nor about geoms and bodies that take no part in contacts
    for (const auto& [geom1, geom2] : *filter.asked) {
        CHECK(std::pair(geom1, geom2) != std::pair<int, int>(left_ball, right_ball));
        CHECK(geom2 < badge);
        CHECK(m.geom_bodyid[geom1] < m.geom_bodyid[geom2]);
    }
    collision(m, *d, Filter{{}});
    CHECK(contacts(*d) == Pairs{{left_ball, right_ball}});
}

}  // namespace

TEST_CASE("A contact filter decides in place of contype and conaffinity", "[collision]") {
    check_filter(load_scene("bits"));
    check_filter(models::Bits{});
}

TEST_CASE("A contact filter decides in place of contype and conaffinity where the broad phase finds the pairs", "[collision]") {
    auto m = load_scene("bits");
    m.ncand = 0;
    m.nbroad = m.ngeom;
    check_filter(m);
}

TEST_CASE("A contact filter may differ from lane to lane", "[collision]") {
    using S = pack<double>;
    const auto m = load_scene("bits");
    const auto d = made<S>(m);
    for (int k = 0; k < lanes_v<S>; ++k) set_lane(d->qpos[2], k, k % 2 == 0 ? 0.05 : 0.52);
    d->qpos[9] = S(2);
    kinematics(m, *d);
    collision(m, *d, Low{});
    REQUIRE(d->ncon > 0);
    for (int k = 0; k < lanes_v<S>; ++k) {
        int low = 0;
        for (int i = 0; i < d->ncon; ++i) low += lane(d->contact[i].active, k);
        CHECK((low > 0) == (k % 2 == 0));
    }
}
