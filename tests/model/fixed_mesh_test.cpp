// A fixed model with meshes, a height field, tendons, equalities, sensors and every kind of actuator.
#include "catch.hpp"
#include "conformance/drive.hpp"
#include "load.hpp"

#include "workshop.hpp"

using M = models::Workshop;

TEST_CASE("a fixed model with a bit of everything has the contacts, forces and sensors of the loaded one") {
    static_assert(M::nmesh == 2 && M::nhfield == 1 && M::na == 5 && M::nhistory > 0);
    static_assert(M::tendon("cord") == 0 && M::body("bench") > 0 && M::geom("hills") == 1);
    const auto loaded = conformance::drive(load_scene("workshop"), 100);
    const auto fixed = conformance::drive(M{}, 100);
    CHECK(loaded.at("contact").size() > 15 * 8);
    CHECK(loaded.size() == fixed.size());
    for (const auto& [name, values] : loaded) {
        INFO(name);
        CHECK(conformance::difference(values, fixed.at(name)) < 1e-12);
    }
}
