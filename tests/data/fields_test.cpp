// The list of Data's fields, which gives each field its place.
#include "catch.hpp"

#include "mjx/data/data.hpp"
#include "mjx/model/model.hpp"

TEST_CASE("every field of Data is in the list once, in the order in which they lie") {
    using Model = mjx::Model<double>;
    Model m;
    m.nbody = 1;
    m.B_rownnz.push_back(0);
    mjx::Data<double, Model> d(m);
    const auto places = mjx::parts_of<mjx::FieldPlace>(static_cast<mjx::DataFields<double, Model>&>(d));
    int place = 0;
    mjx::for_each_field([&](const char* name, mjx::Stage, auto& field, auto shape) {
        INFO(name);
        REQUIRE(place < places.size());
        CHECK(static_cast<mjx::FieldPlace*>(&field) == &places[place++]);
        CHECK(sizeof field == sizeof(mjx::FieldPlace));
        CHECK(field.size() == mjx::extent(m, shape.dim, 1));
        CHECK(sizeof field[0] == shape.item_size);
    }, d, mjx::DataFields<double, mjx::FieldShapes>{});
    CHECK(place == places.size());
}
