// Lists of loaders and names, held against std::vector and std::map.
#include "mjx/model/list.hpp"

#include "mjx/model/name_map.hpp"

#include "catch.hpp"
#include "rooms.hpp"

#include <limits>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

using namespace mjx;

namespace {

// Long enough not to fit into a string without the heap.
template <class T>
T item(int i) {
    if constexpr (std::is_same_v<T, std::string>)
        return std::string(40, 'x') + std::to_string(i);
    else
        return static_cast<T>(i);
}

template <class T>
bool same(const List<T>& list, const std::vector<T>& vector) {
    return std::vector<T>(list) == vector;
}

// Counts those alive, and throws when the last of an allowance is copied.
struct Counted {
    static inline int alive = 0, copies_left = 1000;
    Counted() { ++alive; }
    Counted(const Counted&) {
        if (copies_left-- == 0) throw std::runtime_error("no more copies");
        ++alive;
    }
    Counted(Counted&&) noexcept { ++alive; }
    Counted& operator=(const Counted&) = default;
    Counted& operator=(Counted&&) = default;
    ~Counted() { --alive; }
};

// Assigned as compilers do it.
struct Holder {
    List<Counted> list{};
};

}  // namespace

TEMPLATE_TEST_CASE("A list does what a vector does", "", int, double, char, std::string) {
    List<TestType> list;
    std::vector<TestType> vector;
    CHECK(list.empty());
    for (int i = 0; i < 50; ++i) {
        CHECK(list.push_back(item<TestType>(i)) == item<TestType>(i));
        vector.push_back(item<TestType>(i));
    }
    CHECK(same(list, vector));
    CHECK(list == List<TestType>(vector));
    CHECK(list.front() == vector.front());
    CHECK(list.back() == vector.back());
    for (int n : {80, 30, 30, 60, 0, 40}) {
        const auto size = static_cast<std::size_t>(n);
        list.resize(size, item<TestType>(n));
        vector.resize(size, item<TestType>(n));
        CHECK(same(list, vector));
        list.resize(size + 3);
        vector.resize(size + 3);
        CHECK(same(list, vector));
    }
    list.append(vector.begin(), vector.begin() + 5);
    list.append({item<TestType>(1), item<TestType>(2)});
    list.append(2, item<TestType>(3));
    vector.insert(vector.end(), vector.begin(), vector.begin() + 5);
    for (int i : {1, 2, 3, 3}) vector.push_back(item<TestType>(i));
    CHECK(same(list, vector));
    CHECK(*list.erase(&list[7]) == vector[8]);
    vector.erase(vector.begin() + 7);
    list.erase(&list[10], &list[20]);
    vector.erase(vector.begin() + 10, vector.begin() + 20);
    CHECK(same(list, vector));
    list.pop_back();
    vector.pop_back();
    const auto third = [&](const TestType& x) { return x == vector[2]; };
    list.erase_if(third);
    std::erase_if(vector, [gone = vector[2]](const TestType& x) { return x == gone; });
    CHECK(same(list, vector));
    list.assign(vector.begin() + 1, vector.begin() + 4);
    CHECK(same(list, std::vector<TestType>(vector.begin() + 1, vector.begin() + 4)));
    CHECK(!(list == List<TestType>(vector)));
    list.clear();
    CHECK(list.empty());
    CHECK(same(List<TestType>{item<TestType>(4), item<TestType>(5)}, {item<TestType>(4), item<TestType>(5)}));
}

TEST_CASE("A list may be given its own items") {
    List<std::string> list{item<std::string>(1)};
    for (int i = 0; i < 40; ++i) list.push_back(list[0]);
    list.resize(200, list[0]);
    for (const std::string& x : list) CHECK(x == item<std::string>(1));
    const List<std::string>& self = list;
    list = self;
    CHECK(list.size() == 200);
}

TEST_CASE("A list moves without copies, and holds what can only be moved") {
    List<std::unique_ptr<int>> list;
    for (int i = 0; i < 20; ++i) list.push_back(std::make_unique<int>(i));
    const int* const third = list[3].get();
    List<std::unique_ptr<int>> other = std::move(list);
    CHECK(other[3].get() == third);
    CHECK(list.empty());
    list = std::move(other);
    CHECK(list.size() == 20);
}

TEST_CASE("What a list holds is destroyed once, also when a copy throws") {
    {
        List<Counted> list(10);
        CHECK(Counted::alive == 10);
        Counted::copies_left = 4;
        CHECK_THROWS_AS(List<Counted>(list), std::runtime_error);
        CHECK(Counted::alive == 10);
        Counted::copies_left = 1000;
        Holder a{list}, b;
        Counted::copies_left = 4;
        CHECK_THROWS_AS(b = a, std::runtime_error);
        a = {};
        CHECK(Counted::alive == 10);
        Counted::copies_left = 1000;
        const List<Counted> copy = list;
        list.erase(list.begin(), list.begin() + 4);
        CHECK(Counted::alive == 16);
        list.pop_back();
        CHECK(Counted::alive == 15);
    }
    CHECK(Counted::alive == 0);
}

#ifndef __SANITIZE_ADDRESS__  // which ends the program at a request of that size
TEST_CASE("A list of more items than memory can have is refused") {
    List<double> list;
    CHECK_THROWS_AS(list.resize(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
    CHECK(list.empty());
}
#endif

TEST_CASE("Many small pieces are appended without copying all that is there each time") {
    List<int> list;
    int moves = 0;
    for (int i = 0; i < 30000; ++i) {
        const int* const before = list.data();
        list.append({i, i, i});
        moves += list.data() != before;
    }
    CHECK(list.size() == 90000);
    CHECK(list[89999] == 29999);
    CHECK(moves < 40);
}

TEST_CASE("Numbers are sorted, each once") {
    List<int> numbers{5, 1, 5, -2, 1, 9};
    sort_unique(numbers);
    CHECK(same(numbers, {-2, 1, 5, 9}));
}

TEST_CASE("A map of names does what a map does") {
    NameMap names;
    std::map<std::string, int> map;
    for (const char* name : {"knee", "hip", "", "ankle", "hip", "Knee"}) {
        const int number = static_cast<int>(map.size());
        CHECK(names.add(name, number) == map.emplace(name, number).second);
    }
    REQUIRE(names.find("hip"));
    CHECK(*names.find("hip") == map["hip"]);
    CHECK(!names.find("hi"));
    CHECK(names.contains(""));
    ++names["hip"];
    ++map["hip"];
    names["toe"] += 7;
    map["toe"] += 7;
    names.remove("ankle");
    names.remove("nobody");
    map.erase("ankle");
    auto next = map.begin();
    for (const auto& [name, number] : names) {
        REQUIRE(next != map.end());
        CHECK(name == next->first);
        CHECK(number == next->second);
        ++next;
    }
    CHECK(next == map.end());
    names.clear();
    CHECK(names.empty());
}
