// The list of Data's fields, which gives each field its place.
#include "catch.hpp"

#include "mjx/data/data.hpp"
#include "mjx/model/model.hpp"

TEST_CASE("every field of Data is in the list once") {
    mjx::Model<double> m;
    m.nbody = 1;
    m.B_rownnz.push_back(0);
    mjx::Data<double, mjx::Model<double>> d(m);
    std::size_t bytes = 0;
    const void* end = &static_cast<mjx::DataFields<double, mjx::Model<double>>&>(d) + 1;
    mjx::for_each_field([&](const char* name, mjx::Stage, auto& field) {
        INFO(name);
        CHECK(static_cast<void*>(&field) < end);
        CHECK(field.count >= 0);
        bytes += sizeof(field);
    }, d);
    CHECK(bytes == sizeof(mjx::DataFields<double, mjx::Model<double>>));
}
