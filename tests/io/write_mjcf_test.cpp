// MJCF that is written reads back to the same model, bit for bit: every feature model, and the public corpus where it is.
#include "mjx/io/write_mjcf.hpp"
#include "io/mjcf_support.hpp"
#include "mjx/model/fields.hpp"

#include <cstdlib>

using namespace mjx;
using namespace mjx_test;

namespace {

namespace fs = std::filesystem;

bool same(const std::string& a, const std::string& b) { return a == b; }
template <class T>
bool same(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// The names of what differs.
std::string differences(const Model<double>& a, const Model<double>& b) {
    std::string names;
    const auto compare = [&](const char* name, const auto& x, const auto& y) {
        bool equal = x.size() == y.size();
        for (int i = 0; equal && i < x.size(); ++i) equal = same(x[i], y[i]);
        if (!equal) names += std::string(" ") + name;
    };
    const auto compare_one = [&](const char* name, const auto& x, const auto& y) {
        if (!same(x, y)) names += std::string(" ") + name;
    };
    for_each_size(compare_one, a, b);
    for_each_option(compare_one, a.opt, b.opt);
    for_each_statistic(compare_one, a.stat, b.stat);
    for_each_table(compare, a, b);
    for_each_name_list(compare, a, b);
    compare_one("name", a.name, b.name);
    compare_one("chosen", a.opt.chosen, b.opt.chosen);
    return names;
}

// What is lost when a file is written and read again.
std::string lost(const fs::path& file) {
    const Spec spec = parse_mjcf_file(file.string());
    const std::string folder = file.parent_path().string();
    const std::string text = write_mjcf(spec, folder);
    try {
        return differences(compile(spec), compile(parse_mjcf_string(text, "written", folder)));
    } catch (const model_error& error) {
        return std::string(" ") + error.what();
    }
}

int check_all(const fs::path& folder) {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".xml") continue;
        INFO(entry.path().string());
        CHECK(lost(entry.path()) == "");
        ++count;
    }
    return count;
}

}  // namespace

TEST_CASE("every feature model that is written reads back to the same model") {
    CHECK(check_all(fs::path(MJX_TESTS_DIR) / "conformance/models") > 100);
}

TEST_CASE("every public model that is written reads back to the same model") {
    const char* const named = std::getenv("MJX_CORPUS");
    if (!named) {
        WARN("MJX_CORPUS names no folder of public models: nothing to write");
        return;
    }
    CHECK(check_all(fs::path(named) / "models") > 0);
}

TEST_CASE("looks are written too, and names may have any letters") {
    const std::string text = write_mjcf(read(
        "<visual><headlight active='0' ambient='1 0 0'/><global azimuth='30'/></visual>"
        "<asset><texture name='t' type='2d' builtin='checker' rgb1='1 0 0' width='8' height='8'/>"
        "<material name='m' texture='t' rgba='0 1 0 1'/></asset>"
        "<worldbody><light name='l' diffuse='1 1 0' castshadow='false'/><geom name='&lt;\"&amp;' size='1' material='m'/></worldbody>"));
    const Spec s = parse_mjcf_string(text);
    CHECK((!s.view.headlight && s.view.headlight_ambient[0] == 1 && s.view.azimuth == 30));
    CHECK((s.textures.front().look.builtin == texture_builtin::checker && s.materials.front().look.rgba[0] == 0));
    CHECK((!s.world.lights.front().look.castshadow && s.world.lights.front().look.diffuse[2] == 0));
    CHECK((s.world.geoms.front().name == "<\"&" && s.world.geoms.front().material == "m"));
}

TEST_CASE("what MJCF cannot say is an error") {
    Spec spec;
    spec.world.add_geom({.name = "ring", .size = {1, 1, 1}, .trimesh = true});
    CHECK_THROWS_WITH(write_mjcf(spec), "ring: MJCF has no geoms that collide by their triangles");
}
