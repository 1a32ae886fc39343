// The tables on the heap that models are made of, held against std::vector.
#include "mjx/model/array.hpp"

#include "mjx/model/model.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

using namespace mjx;

namespace {

template <class Items>
auto items(const Items& a) {
    return std::vector<typename Items::value_type>(a.begin(), a.end());
}

// A table and its owner.
template <class T>
struct OneTable : ModelTable<T> {
    OneTable() { this->clear(); }
    ~OneTable() { this->release(); }
};

// Long enough not to fit into a string without the heap.
template <class T>
T item(int i) {
    if constexpr (std::is_same_v<T, std::string>)
        return std::string(40, 'x') + std::to_string(i);
    else
        return static_cast<T>(i);
}

}  // namespace

TEMPLATE_TEST_CASE("An array grows and shrinks as a vector does", "", Array<int>, Array<double>, Array<std::string>, OneTable<int>,
                   OneTable<double>) {
    using Item = typename TestType::value_type;
    TestType a;
    std::vector<Item> v;
    CHECK(a.size() == 0);
    for (int i = 0; i < 100; ++i) {
        a.push_back(item<Item>(i));
        v.push_back(item<Item>(i));
    }
    CHECK(items(a) == v);
    for (const int n : {150, 20, 20, 60, 0, 3}) {
        a.resize(n, item<Item>(n));
        v.resize(static_cast<std::size_t>(n), item<Item>(n));
        CHECK(a.size() == n);
        CHECK(items(a) == v);
    }
    a.resize(5);
    CHECK(a[4] == Item{});
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

TEMPLATE_TEST_CASE("An array may be given its own items", "", Array<double>, Array<std::string>, OneTable<double>) {
    using Item = typename TestType::value_type;
    TestType a;
    a.push_back(item<Item>(1));
    for (int i = 0; i < 20; ++i) a.push_back(a[0]);
    a.resize(200, a[0]);
    for (const Item& x : a) CHECK(x == item<Item>(1));
}

TEST_CASE("Copies of a model have tables of their own, and a move takes them along") {
    Model<double> a;
    a.nq = 3;
    a.qpos0.resize(3, 1.5);
    a.geom_pos.push_back({{1, 2, 3}});
    a.key_ctrl.push_back(4);  // the last table
    a.jnt_name.push_back("knee");
    Model<double> b = a, c;
    c = b;
    b.qpos0[1] = 7;
    b.key_ctrl.push_back(5);
    CHECK(items(a.qpos0) == std::vector<double>(3, 1.5));
    CHECK(items(c.key_ctrl) == std::vector<double>{4});
    CHECK(c.geom_pos[0][2] == 3);
    CHECK(c.jnt_name[0] == "knee");
    CHECK(c.nq == 3);
    CHECK(c.body_mass.size() == 0);
    c.qpos0 = b.qpos0;
    CHECK(items(c.qpos0) == std::vector<double>{1.5, 7, 1.5});
    const double* const place = b.qpos0.data();
    const Model<double> d = std::move(b);
    CHECK(d.qpos0.data() == place);
    CHECK(d.key_ctrl.size() == 2);
    Model<double>& self = a;
    a = self;
    CHECK(items(a.qpos0) == std::vector<double>(3, 1.5));
}
