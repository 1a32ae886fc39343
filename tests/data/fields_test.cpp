// The list of Data's fields, which gives each field its place.
#include "catch.hpp"

#include "mjx/data/data.hpp"
#include "mjx/data/walk.hpp"
#include "mjx/model/model.hpp"

TEST_CASE("every field of Data is in the list once, in the order in which they lie") {
    using Model = mjx::Model<double>;
    Model m;
    m.nbody = 1;
    m.B_rownnz.push_back(0);
    mjx::Data<double, Model> d(m);
    const auto places = mjx::parts_of<mjx::FieldPlace>(static_cast<mjx::DataFields<double, Model>&>(d));
    int place = 0, single = 0;
    mjx::for_each_field(
        [&](const char* name, mjx::Section, auto& field, auto shape) {
            INFO(name);
            if constexpr (mjx::has_items<decltype(field)>) {
                REQUIRE(place < places.size());
                CHECK(static_cast<mjx::FieldPlace*>(&field) == &places[place++]);
                CHECK(sizeof field == sizeof(mjx::FieldPlace));
                CHECK(field.size() == mjx::extent(m, shape.dim, 1));
                CHECK(sizeof field[0] == shape.item_size);
            } else {
                single += static_cast<int>(sizeof field);
            }
        },
        d, mjx::DataOutline<double>{});
    CHECK(mjx::is_inner_field("qH"));
    CHECK(!mjx::is_inner_field("qpos"));
    CHECK(place == places.size());
    CHECK(single == static_cast<int>(sizeof(mjx::DataNumbers<double>)));
}

TEST_CASE("the walk takes the time and the energy for fields of one item") {
    using Model = mjx::Model<double>;
    Model m;
    m.nbody = 1;
    m.B_rownnz.push_back(0);
    m.nv = 2;
    mjx::Data<double, Model> d(m);
    d.time = 3;
    d.energy[1] = 4;
    d.qvel[1] = 5;
    double sum = 0;
    const auto add = [&](double x) { sum += x; };
    mjx::for_each_number(add, d.time);
    mjx::for_each_number(add, d.energy);
    mjx::for_each_number(add, d.qvel);
    CHECK(sum == 12);
    CHECK(mjx::number_count(d.energy) == 2);
    CHECK(mjx::number_count(d.xpos) == 3);
}
