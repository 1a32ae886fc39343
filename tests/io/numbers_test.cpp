// Numbers in text: exactly what is written or nothing, whatever the locale.
#include "mjx/io/numbers.hpp"
#include "catch.hpp"

#include <clocale>

using mjx::parse_number;

TEST_CASE("a number is read when it is the whole word") {
    CHECK(parse_number<double>("1.5") == 1.5);
    CHECK(parse_number<double>("-2e-3") == -2e-3);
    CHECK(parse_number<double>(".5") == 0.5);
    CHECK(parse_number<double>("5.") == 5.0);
    CHECK(parse_number<int>("-12") == -12);
    CHECK(parse_number<float>("0.1") == 0.1f);
}

TEST_CASE("a leading plus sign is accepted once") {
    CHECK(parse_number<double>("+1") == 1.0);
    CHECK(parse_number<int>("+3") == 3);
    CHECK_FALSE(parse_number<double>("++1"));
    CHECK_FALSE(parse_number<double>("+-1"));
    CHECK_FALSE(parse_number<double>("+"));
}

TEST_CASE("what is not a finite number of its type is refused") {
    for (const char* word : {"1,5", "1.5m", "", "e5", "0x10", "nan", "NaN", "inf", "-inf", "1e400", "-1e999", "1 2", "--1", "1e"})
        CHECK_FALSE(parse_number<double>(word));
    for (const char* word : {"1.0", "1e2", "99999999999", "a", ""}) CHECK_FALSE(parse_number<int>(word));
    CHECK_FALSE(parse_number<float>("1e39"));
}

TEST_CASE("a number too small to represent is zero") {
    CHECK(parse_number<double>("1e-400") == 0.0);
    CHECK(parse_number<float>("1e-60") == 0.0f);
}

TEST_CASE("lists are separated by any white space") {
    CHECK(mjx::parse_numbers<double>(" 1\t2\n3\r\n 4 ") == std::vector<double>{1, 2, 3, 4});
    CHECK(mjx::parse_numbers<double>("  ") == std::vector<double>{});
    std::string bad;
    CHECK_FALSE(mjx::parse_numbers<double>("1 2x 3", &bad));
    CHECK(bad == "2x");
}

TEST_CASE("a comma locale changes nothing") {
    const char* found = nullptr;
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"})
        if (!found) found = std::setlocale(LC_ALL, name);
    CHECK(parse_number<double>("1.5") == 1.5);
    CHECK_FALSE(parse_number<double>("1,5"));
    std::setlocale(LC_ALL, "C");
}
