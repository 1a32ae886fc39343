// The table on the heap that models are made of, held against std::vector.
#include "mjx/model/array.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

using namespace mjx;

namespace {

template <class T>
std::vector<T> items(const Array<T>& a) {
    return {a.begin(), a.end()};
}

// Long enough not to fit into a string without the heap.
template <class T>
T item(int i) {
    if constexpr (std::is_same_v<T, std::string>)
        return std::string(40, 'x') + std::to_string(i);
    else
        return static_cast<T>(i);
}

}  // namespace

TEMPLATE_TEST_CASE("An array grows and shrinks as a vector does", "", int, double, std::string) {
    Array<TestType> a;
    std::vector<TestType> v;
    CHECK(a.size() == 0);
    for (int i = 0; i < 100; ++i) {
        a.push_back(item<TestType>(i));
        v.push_back(item<TestType>(i));
    }
    CHECK(items(a) == v);
    for (const int n : {150, 20, 20, 60, 0, 3}) {
        a.resize(n, item<TestType>(n));
        v.resize(static_cast<std::size_t>(n), item<TestType>(n));
        CHECK(a.size() == n);
        CHECK(items(a) == v);
    }
    a.resize(5);
    CHECK(a[4] == TestType{});
}

TEMPLATE_TEST_CASE("Copies of an array are its own, and a move takes the items along", "", int, double, std::string) {
    Array<TestType> a;
    for (int i = 0; i < 10; ++i) a.push_back(item<TestType>(i));
    const std::vector<TestType> before = items(a);
    Array<TestType> b = a, c;
    c = b;
    b[0] = item<TestType>(7);
    b.push_back(item<TestType>(8));
    CHECK(items(a) == before);
    CHECK(items(c) == before);
    const TestType* const place = c.data();
    const Array<TestType> d = std::move(c);
    CHECK(d.data() == place);
    CHECK(items(d) == before);
    Array<TestType>& self = a;
    a = self;
    CHECK(items(a) == before);
}

TEMPLATE_TEST_CASE("An array may be given its own items", "", int, double, std::string) {
    Array<TestType> a;
    a.push_back(item<TestType>(1));
    for (int i = 0; i < 20; ++i) a.push_back(a[0]);
    a.resize(200, a[0]);
    for (const TestType& x : a) CHECK(x == item<TestType>(1));
}
