// A fixed model holds, number for number, what the loader gives at run time.
#include "catch.hpp"
#include "load.hpp"

#include "arm.hpp"
#include "cheetah.hpp"
#include "humanoid.hpp"
#include "joints.hpp"

#include "mjx/model/cast.hpp"
#include "mjx/model/fixed.hpp"

#include <cstring>

namespace {

template <class A, class B>
bool same(const A& a, const B& b) {
    if constexpr (std::is_arithmetic_v<A>)
        return std::memcmp(&a, &b, sizeof(a)) == 0;
    else {
        bool equal = true;
        for (int i = 0; i < A::size; ++i) equal = equal && same(a[i], b[i]);
        return equal;
    }
}

struct Compare {
    int fields = 0;

    template <class T, int N, class Loaded>
    void operator()(const char* name, const mjx::FixedArray<T, N>& fixed, const Loaded& loaded) {
        using U = typename Loaded::value_type;
        INFO(name);
        ++fields;
        REQUIRE(N == loaded.size());
        for (int i = 0; i < N; ++i) {
            INFO(i);
            if constexpr (std::is_same_v<U, std::string>)
                CHECK(fixed[i] == loaded[i]);
            else
                CHECK(same(fixed[i], loaded[i]));
        }
    }
    template <class T>
    void operator()(const char* name, const T& fixed, const T& loaded) {
        INFO(name);
        ++fields;
        CHECK(same(fixed, loaded));
    }
};

template <class M>
void check_against(const std::string& scene) {
    mjx::Model loaded = load_scene(scene);
    // a fixed model has room for a robot on a floor
    loaded.nconmax = std::min(loaded.nconmax, loaded.nconfixed);
    loaded.njmax = std::min(loaded.njmax, loaded.njfixed);
    loaded.nJmax = std::min(loaded.nJmax, loaded.nJfixed);
    const auto runtime = mjx::cast<typename M::real>(loaded);
    Compare compare;
    mjx::for_each_size(compare, M{}, runtime);
    mjx::for_each_table(compare, M{}, runtime);
    mjx::for_each_name_list(compare, M{}, runtime);
    mjx::for_each_option(compare, M::opt, runtime.opt);
    mjx::for_each_statistic(compare, M::stat, runtime.stat);
    CHECK(compare.fields > 200);
}

}  // namespace

TEST_CASE("every table of a fixed model equals that of the loaded model, bit by bit") {
    check_against<models::Arm>("arm");
    check_against<models::Cheetah>("cheetah");
    check_against<models::Humanoid>("humanoid");
    check_against<models::Joints>("joints");
}

TEST_CASE("a fixed model of float holds the loaded model's numbers rounded to float") {
    check_against<models::Humanoid_of<float>>("humanoid");
}

TEST_CASE("names of a fixed model are constants") {
    static_assert(models::Humanoid::joint("root") == 0);
    static_assert(models::Humanoid::jnt_name[models::Humanoid::joint("right_knee")] == "right_knee");
    static_assert(models::Humanoid::body("world") == 0);
    static_assert(models::Arm::site("tool") == 0);
    static_assert(models::Arm::nu == 7 && models::Arm::actuator("motor3") == 2);
    static_assert(models::Humanoid::key("standing") == 0);
    CHECK(mjx::find_name(models::Arm::geom_name, "no such geom") == -1);
}

TEST_CASE("objects of a loaded model are found by name, and a name that does not exist is an error that lists those that do") {
    const auto m = load_scene("humanoid");
    CHECK(m.joint("right_knee") == models::Humanoid::joint("right_knee"));
    CHECK(m.body("torso") == models::Humanoid::body("torso"));
    CHECK(m.actuator("right_knee") == models::Humanoid::actuator("right_knee"));
    try {
        m.joint("left_wing");
        FAIL("no error");
    } catch (const std::invalid_argument& trouble) {
        const std::string text = trouble.what();
        CHECK(text.starts_with("the model has no joint named 'left_wing' but root, "));
    }
}

TEST_CASE("a fixed model compiles the code of the joints it has and no others") {
    static_assert(std::is_same_v<models::Arm::joints, mjx::joint_list<mjx::Hinge>>);
    static_assert(std::is_same_v<models::Cheetah::joints, mjx::joint_set<mjx::Hinge, mjx::Slide>>);
    static_assert(std::is_same_v<models::Joints::joints, mjx::joint_set<mjx::Free, mjx::Ball, mjx::Slide, mjx::Hinge>>);
    static_assert(mjx::fixed_model<models::Joints> && !mjx::fixed_model<mjx::Model<double>>);
}

TEST_CASE("a model with a joint outside the simulator's joint set is refused by name") {
    const mjx::Model loaded = load_scene("cheetah");
    CHECK_NOTHROW(mjx::cast<double, mjx::joint_set<mjx::Hinge, mjx::Slide>>(loaded));
    CHECK_THROWS_WITH((mjx::cast<double, mjx::joint_set<mjx::Hinge>>(loaded)), Catch::Contains("root_x") && Catch::Contains("slide"));
}
