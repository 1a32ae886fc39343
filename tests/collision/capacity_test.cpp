// Room for contacts: a loaded model has enough; in a pack a lane has the contacts it would have alone, and loses those it would lose alone.
#include "catch.hpp"
#include "load.hpp"
#include "mjx/collision/collision.hpp"
#include "mjx/constraint/make.hpp"
#include "mjx/data.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/stage/com.hpp"
#include "mjx/stage/kinematics.hpp"

using namespace mjx;

namespace {

// Boxes over a floor, four contacts each.
Model<double> boxes(int count, const std::string& size) {
    std::string mjcf = "<mujoco><size " + size + "/><worldbody><geom type='plane' size='9 9 1'/>";
    for (int i = 0; i < count; ++i)
        mjcf += "<body pos='" + std::to_string(i) + " 0 1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>";
    return load_model_string(mjcf + "</worldbody></mujoco>");
}

// Contacts and rows of environments in which box b lies on the floor where down(lane, b) says so.
template <class S, class Down>
void place(const Model<double>& m, Data<S, Model<double>>& d, int from, Down&& down) {
    reset(m, d);
    for (int k = 0; k < lanes_v<S>; ++k)
        for (int b = 0; b < m.nbody - 1; ++b) set_lane(d.qpos[7 * b + 2], k, down(from + k, b) ? 0.09 : 1.0);
    kinematics(m, d);
    com_pos(m, d);
    collision(m, d);
    make_constraint(m, d, cone::pyramidal);
}

// How many contacts of each box the lane has, its rows, and its warnings.
template <class S>
std::vector<int> summary(const Model<double>& m, const Data<S, Model<double>>& d, int k) {
    std::vector<int> found(static_cast<std::size_t>(m.nbody), 0);
    int rows = 0;
    for (int i = 0; i < d.ncon; ++i)
        if (lane(d.contact[i].active, k)) ++found[static_cast<std::size_t>(m.geom_bodyid[d.contact[i].geom2])];
    for (int i = 0; i < d.nefc; ++i) rows += lane(d.efc_D[i], k) != 0;
    found.push_back(rows);
    for (const int which : {warning::contactfull, warning::cnstrfull}) found.push_back(d.warning[which * lanes_v<S> + k]);
    return found;
}

template <class Down>
void check_lanes(const Model<double>& m, Down&& down) {
    using S = pack<double>;
    Data<S, Model<double>> lanes(m);
    place(m, lanes, 0, down);
    for (int k = 0; k < lanes_v<S>; ++k) {
        Data<double, Model<double>> alone(m);
        place(m, alone, k, down);
        INFO("lane " << k);
        CHECK(summary(m, lanes, k) == summary(m, alone, 0));
    }
}

}  // namespace

TEST_CASE("Lanes that touch different things each have all their contacts", "[collision]") {
    // room for two boxes; every lane has two of its own on the floor, or one
    const auto m = boxes(2 * lanes_v<pack<double>>, "nconmax='8'");
    check_lanes(m, [](int k, int b) { return b == 2 * k || (k % 2 == 0 && b == 2 * k + 1); });
}

TEST_CASE("A lane that needs more room than it has loses contacts and is warned, its neighbours are not", "[collision]") {
    const auto m = boxes(2 * lanes_v<pack<double>>, "nconmax='6'");
    check_lanes(m, [](int k, int b) { return k == 1 || b == 2 * k; });
    using S = pack<double>;
    Data<S, Model<double>> d(m);
    place(m, d, 0, [](int k, int b) { return k == 1 || b == 2 * k; });
    for (int k = 0; k < lanes_v<S>; ++k) CHECK((d.warning[warning::contactfull * lanes_v<S> + k] > 0) == (k == 1));
}

TEST_CASE("A lane that needs more rows than it has loses them alone", "[collision]") {
    const auto m = boxes(2 * lanes_v<pack<double>>, "nconmax='40' njmax='20'");
    check_lanes(m, [](int k, int b) { return k == 1 || b == 2 * k; });
}

TEST_CASE("Lanes have room of their own where the broad phase finds the pairs", "[collision]") {
    const auto m = boxes(200, "nconmax='8'");
    REQUIRE(m.nbroad > 0);
    check_lanes(m, [](int k, int b) { return k == 1 || b / 2 == k; });
    const auto unset = boxes(200, "");
    CHECK(Data<pack<double>, Model<double>>(unset).contact.size() == lanes_v<pack<double>> * unset.nconlane);
}

TEST_CASE("A loaded model has room for all its bodies in one place", "[collision]") {
    std::string mjcf = "<mujoco><worldbody>";
    for (int i = 0; i < 100; ++i) mjcf += "<body><freejoint/><geom size='.1'/></body>";
    const auto m = load_model_string(mjcf + "</worldbody></mujoco>");
    Data<double, Model<double>> d(m);
    place(m, d, 0, [](int, int) { return true; });
    CHECK(d.ncon == 100 * 99 / 2);
    CHECK(d.nefc == 4 * d.ncon);
    CHECK(d.warning[warning::contactfull] + d.warning[warning::cnstrfull] == 0);
    CHECK(m.nconlane == 8 * 100);

    // a copy has what there is
    Data<double, Model<double>> other(m);
    const Data<double, Model<double>> copy(d);
    other = d;
    for (const auto* x : {static_cast<const Data<double, Model<double>>*>(&other), &copy}) {
        CHECK(x->nefc == d.nefc);
        CHECK(x->efc_pos[d.nefc - 1] == d.efc_pos[d.nefc - 1]);
        CHECK(x->efc_J[d.nJ - 1] == d.efc_J[d.nJ - 1]);
        CHECK(x->contact[d.ncon - 1].geom2 == 99);
    }
}

TEST_CASE("A fixed model has room for a robot on a floor, and for a heap of few things", "[collision]") {
    const auto one = boxes(1, "");
    CHECK(one.nconfixed == 4);
    CHECK(one.njfixed == 4 * 4);
    CHECK(one.nJfixed == 4 * 3 * 6);
    // each on the floor and on three others
    CHECK(boxes(4, "").nconfixed == 4 * (4 + 8));
    CHECK(boxes(20, "").nconfixed == 20 * (4 + 8));
    const auto given = boxes(4, "nconmax='11' njmax='17'");
    CHECK(given.nconfixed == 11);
    CHECK(given.njfixed == 17);
}

TEST_CASE("Packs have no more places than there can be contacts", "[collision]") {
    const auto m = boxes(3, "nconmax='10'");
    CHECK(m.nconall == 3 * 4 + 3 * 8);
    CHECK(Data<double, Model<double>>(m).contact.size() == 10);
    CHECK(Data<pack<double>, Model<double>>(m).contact.size() == std::min(10 * lanes_v<pack<double>>, m.nconall));
    const auto all = boxes(3, "");
    CHECK(Data<pack<double>, Model<double>>(all).contact.size() == all.nconall);
}
