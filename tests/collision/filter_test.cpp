// Which geoms may collide, and with which parameters: MuJoCo's rules one by one.
#include "catch.hpp"
#include "collision/scene.hpp"
#include "mjx/scalar/pack.hpp"

#include <algorithm>

using namespace shapes;

namespace {

const OwnGeom<double> ball{{{0, 0, 0}}, Mat3<double>::identity(), {{0.1, 0, 0}}};

// world - arm - hand, and a finger welded to the hand; a stone on its own; a wall welded to the world.
struct Robot : Scene {
    int arm = add_body(0, 1), hand = add_body(arm, 1), finger = add_body(hand, 0), stone = add_body(0, 6), wall = add_body(0, 0);
    int floor_geom = add_geom(0, shape::sphere, ball);
    int arm_geom = add_geom(arm, shape::sphere, ball), hand_geom = add_geom(hand, shape::sphere, ball);
    int finger_geom = add_geom(finger, shape::sphere, ball), stone_geom = add_geom(stone, shape::sphere, ball);
    int wall_geom = add_geom(wall, shape::sphere, ball);

    bool collide(int g1, int g2) const {
        const bool one = may_collide(m, g1, g2);
        CHECK(may_collide(m, g2, g1) == one);
        return one;
    }
    void exclude(int body1, int body2) {
        ++m.nexclude;
        m.exclude_body1.push_back(std::min(body1, body2));
        m.exclude_body2.push_back(std::max(body1, body2));
    }
    int pair(int g1, int g2) {
        m.pair_geom1.push_back(g1);
        m.pair_geom2.push_back(g2);
        m.pair_dim.push_back(1);
        m.pair_solref.push_back({{0.03, 1}});
        m.pair_solreffriction.push_back({{0.04, 1}});
        m.pair_solimp.push_back({{0.8, 0.9, 0.01, 0.5, 2}});
        m.pair_margin.push_back(0.5);
        m.pair_gap.push_back(0.25);
        m.pair_adhesion.push_back(0);
        m.pair_friction.push_back({{0.1, 0.2, 0.3, 0.4, 0}});
        return m.npair++;
    }
};

using M = Model<double>;

}  // namespace

TEST_CASE("Bodies that are welded together or parent and child do not collide", "[collision]") {
    Robot r;
    CHECK(r.collide(r.arm_geom, r.stone_geom));
    CHECK(r.collide(r.hand_geom, r.stone_geom));
    CHECK_FALSE(r.collide(r.hand_geom, r.finger_geom));   // one rigid body
    CHECK_FALSE(r.collide(r.arm_geom, r.hand_geom));      // parent and child
    CHECK_FALSE(r.collide(r.arm_geom, r.finger_geom));    // so is what is welded to the child
    CHECK(r.collide(r.floor_geom, r.arm_geom));           // the world is nobody's parent
    CHECK(r.collide(r.wall_geom, r.arm_geom));
    CHECK_FALSE(r.collide(r.floor_geom, r.wall_geom));    // neither moves
    r.m.opt.disableflags = disable::filterparent;
    CHECK(r.collide(r.arm_geom, r.hand_geom));
    CHECK_FALSE(r.collide(r.hand_geom, r.finger_geom));
}

TEST_CASE("A contype must meet a conaffinity", "[collision]") {
    Robot r;
    const auto bits = [&](int g, int contype, int conaffinity) {
        r.m.geom_contype[g] = contype;
        r.m.geom_conaffinity[g] = conaffinity;
    };
    bits(r.arm_geom, 2, 4);
    bits(r.stone_geom, 1, 1);
    CHECK_FALSE(r.collide(r.arm_geom, r.stone_geom));
    bits(r.stone_geom, 4, 0);
    CHECK(r.collide(r.arm_geom, r.stone_geom));
    bits(r.stone_geom, 0, 2);
    CHECK(r.collide(r.arm_geom, r.stone_geom));
    bits(r.stone_geom, 0, 0);
    CHECK_FALSE(r.collide(r.arm_geom, r.stone_geom));
}

TEST_CASE("Excluded bodies do not collide, whichever comes first", "[collision]") {
    Robot r;
    r.exclude(r.stone, r.arm);
    CHECK_FALSE(r.collide(r.arm_geom, r.stone_geom));
    CHECK(r.collide(r.hand_geom, r.stone_geom));
}

TEST_CASE("Planes and height fields do not collide with each other", "[collision]") {
    for (const int a : {shape::plane, shape::hfield})
        for (const int b : {shape::plane, shape::hfield}) CHECK_FALSE(shapes_collide(a, b));
    CHECK(shapes_collide(shape::plane, shape::mesh));
    CHECK(shapes_collide(shape::hfield, shape::sphere));
}

TEST_CASE("An explicit pair replaces every filter and carries its own parameters", "[collision]") {
    Robot r;
    r.exclude(r.arm, r.hand);
    r.m.geom_contype[r.arm_geom] = r.m.geom_conaffinity[r.arm_geom] = 0;
    const int pair = r.pair(r.hand_geom, r.arm_geom);
    r.pair(r.hand_geom, r.stone_geom);
    CHECK_FALSE(r.collide(r.hand_geom, r.stone_geom));  // left to the pair
    r.finish(false);
    int listed = 0;
    for (int i = 0; i < r.m.ncand; ++i) listed += r.m.cand_pair[i] >= 0;
    CHECK(listed == 2);

    Data<double, M> d(r.m);
    r.place(d);
    collision(r.m, d);
    bool found = false;
    for (int c = 0; c < d.ncon; ++c) {
        const auto& contact = d.contact[c];
        if (contact.pair != pair) continue;
        found = true;
        CHECK(contact.dim == 1);
        CHECK(contact.includemargin == 0.5);
        CHECK(contact.friction[1] == 0.2);
        CHECK(contact.friction[4] == 1e-5);  // never zero
        CHECK(contact.solref[0] == 0.03);
        CHECK(contact.solreffriction[0] == 0.04);
        CHECK(contact.solimp[0] == 0.8);
    }
    CHECK(found);
}

TEST_CASE("Contacts are found within margin and gap and act below the margin", "[collision]") {
    for (const double apart : {0.0, 0.05, 0.15, 0.25}) {
        Scene s;
        s.add_free_geom(shape::sphere, ball);
        s.add_free_geom(shape::sphere, {{{0.2 + apart, 0, 0}}, Mat3<double>::identity(), {{0.1, 0, 0}}});
        s.m.geom_margin[0] = 0.03;
        s.m.geom_margin[1] = 0.07;
        s.m.geom_gap[0] = 0.1;
        s.finish(false);
        Data<double, M> d(s.m);
        s.place(d);
        collision(s.m, d);
        CHECK(d.ncon == (apart < 0.2 ? 1 : 0));
        if (d.ncon) CHECK(d.contact[0].includemargin == Approx(0.1));
    }
}

TEST_CASE("Parameters of two geoms are mixed by priority, solmix and size", "[collision]") {
    Scene s;
    s.add_free_geom(shape::sphere, ball);
    s.add_free_geom(shape::sphere, ball);
    auto& m = s.m;
    m.geom_condim[0] = 1, m.geom_condim[1] = 4;
    m.geom_friction[0] = {{0.5, 0.02, 0.001}}, m.geom_friction[1] = {{0.7, 0.01, 0.002}};
    m.geom_solref[0] = {{0.02, 1}}, m.geom_solref[1] = {{0.04, 2}};
    m.geom_solimp[1] = {{0.5, 0.55, 0.003, 0.5, 2}};
    m.geom_solmix[0] = 1, m.geom_solmix[1] = 3;
    m.geom_adhesion[0] = 2, m.geom_adhesion[1] = 5;

    auto p = contact_parameters(m, 0, 1, -1);
    CHECK(p.dim == 4);
    CHECK(p.friction[0] == 0.7);
    CHECK(p.friction[1] == 0.7);
    CHECK(p.friction[2] == 0.02);
    CHECK(p.friction[3] == 0.002);
    CHECK(p.solref[0] == Approx(0.25 * 0.02 + 0.75 * 0.04));
    CHECK(p.solref[1] == Approx(0.25 * 1 + 0.75 * 2));
    CHECK(p.solimp[0] == Approx(0.25 * 0.9 + 0.75 * 0.5));
    CHECK(p.adhesion == 7);

    m.geom_solref[1] = {{-100, -2}};  // stiffness and damping: the smaller numbers
    CHECK(contact_parameters(m, 0, 1, -1).solref[0] == -100);
    CHECK(contact_parameters(m, 0, 1, -1).solref[1] == -2);

    m.geom_solmix[1] = 0;
    CHECK(contact_parameters(m, 0, 1, -1).solimp[0] == 0.9);
    m.geom_solmix[0] = 0;
    CHECK(contact_parameters(m, 0, 1, -1).solimp[0] == Approx(0.7));

    m.geom_priority[0] = 1;
    p = contact_parameters(m, 0, 1, -1);
    CHECK(p.dim == 1);
    CHECK(p.friction[0] == 0.5);
    CHECK(p.solref[0] == 0.02);
    CHECK(p.adhesion == 2);

    m.opt.enableflags = enable::override_contact;
    m.opt.o_friction[0] = 0.25;
    m.opt.o_margin = 0.125;
    CHECK(contact_parameters(m, 0, 1, -1).friction[0] == 0.25);
    CHECK(contact_margin(m, 0, 1, -1) == 0.125);
}

TEST_CASE("An adhesive contact inside the gap is frictionless, lane by lane", "[collision]") {
    Scene s;
    s.add_free_geom(shape::sphere, ball);
    s.add_free_geom(shape::sphere, {{{0.25, 0, 0}}, Mat3<double>::identity(), {{0.1, 0, 0}}});
    s.m.geom_gap[0] = 0.1;
    s.m.geom_adhesion[0] = 1;
    s.finish(false);
    Data<double, M> d(s.m);
    s.place(d);
    collision(s.m, d);
    REQUIRE(d.ncon == 1);
    CHECK(d.contact[0].dim == 1);
    d.geom_xpos[1][0] = 0.19;
    collision(s.m, d);
    REQUIRE(d.ncon == 1);
    CHECK(d.contact[0].dim == 3);

    Data<pack<double>, M> lanes(s.m);
    s.place(lanes);
    set_lane(lanes.geom_xpos[1][0], 1, 0.19);
    collision(s.m, lanes);
    REQUIRE(lanes.ncon == 2);
    CHECK((lanes.contact[0].dim == 1 && lane(lanes.contact[0].active, 0) && !lane(lanes.contact[0].active, 1)));
    CHECK((lanes.contact[1].dim == 3 && !lane(lanes.contact[1].active, 0) && lane(lanes.contact[1].active, 1)));
}

TEST_CASE("No contacts when contacts or constraints are disabled", "[collision]") {
    for (const int flag : {0, int(disable::contact), int(disable::constraint)}) {
        Scene s;
        s.add_free_geom(shape::sphere, ball);
        s.add_free_geom(shape::sphere, ball);
        s.finish(false);
        s.m.opt.disableflags = flag;
        Data<double, M> d(s.m);
        s.place(d);
        collision(s.m, d);
        CHECK(d.ncon == (flag == 0 ? 1 : 0));
    }
}
