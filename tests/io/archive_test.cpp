// Models in archives: read as another program wrote them, written and read again, and no harm from broken ones.
#include "mjcf_support.hpp"

#include "mjx/save.hpp"

using namespace mjx_test;

namespace {

// By Python's zipfile: model.xml and m/t.obj, a tetrahedron, compressed; joint.xml, which the model includes, stored.
std::string python_archive() {
    const std::string digits =
        "504b03041400000008003669715d7bb5658576000000af000000090000006d6f64656c2e786d6c4d8ec111c3200c045b6128c03420d38b01"
        "398141c803781c771fe4f0c8478f5bdd4a406762cf163cd311335645d8de21d655933616b6d6b05b9050ed83afba2fec922033d9c53507c7"
        "e1b62053958dc69ad31662f1f90c388b8963e9cb87b2945fc8a4fa7d8c5cdcfa393be48ff827337f6233dffc02504b030414000000080036"
        "69715d1a3df65a2800000040000000070000006d2f742e6f626a2b53300041ae320543286d00628169208b2b0dc833563002d3460a2640da"
        "08c807d1c64011132e00504b030414000000000000002100a609eb083000000030000000090000006a6f696e742e786d6c3c6d756a6f636f"
        "696e636c7564653e3c6a6f696e74206e616d653d226a222f3e3c2f6d756a6f636f696e636c7564653e504b01021403140000000800366971"
        "5d7bb5658576000000af0000000900000000000000000000008001000000006d6f64656c2e786d6c504b010214031400000008003669715d"
        "1a3df65a280000004000000007000000000000000000000080019d0000006d2f742e6f626a504b0102140314000000000000002100a609eb"
        "0830000000300000000900000000000000000000008001ea0000006a6f696e742e786d6c504b05060000000003000300a300000041010000"
        "0000";
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return bytes;
}

std::string error_of_file(const std::string& path, const mjx::Budget& budget = {}) {
    try {
        mjx::load_mjcf(path, budget);
        return "";
    } catch (const mjx::model_error& error) {
        return error.what();
    }
}

std::string replaced(std::string bytes, std::size_t at, const std::string& by) { return bytes.replace(at, by.size(), by); }

}  // namespace

#ifdef MJX_HAVE_ZLIB

TEST_CASE("a model is read from an archive with what it includes and its meshes") {
    const TemporaryDirectory directory("archive");
    const mjx::Model<double> m = mjx::load_mjcf(directory.write("robot.mjz", python_archive()));
    CHECK(m.nmesh == 1);
    CHECK(m.jnt_name[0] == "j");
    CHECK(m.body_mass[1] == Approx(1000.0 / 6));
    CHECK(mjx::load(directory.write("ROBOT.ZIP", python_archive())).nmesh == 1);
    const std::string outside = "<mujoco><asset><model name='r' file='robot.mjz'/><mesh file='robot.mjz/m/t.obj' name='own'/></asset>"
                                "<worldbody><attach model='r' prefix='r_'/><geom type='mesh' mesh='own'/></worldbody></mujoco>";
    CHECK(mjx::load_mjcf(directory.write("scene.xml", outside)).nmesh == 2);
}

TEST_CASE("a model is one file after it was saved as an archive, and the same model") {
    const TemporaryDirectory directory("archive");
    const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    directory.write("one/t.obj", obj);
    directory.write("two/t.obj", obj + "v 0 0 4\nf 1 3 5\n");
    const std::string model = directory.write(
        "m.xml", "<mujoco><asset><mesh name='a' file='one/t.obj'/><mesh name='b' file='two/t.obj'/></asset><worldbody><body><joint/>"
                 "<geom type='mesh' mesh='a'/><geom type='mesh' mesh='b'/></body></worldbody></mujoco>");
    const mjx::Spec spec = mjx::parse_mjcf_file(model);
    const std::string path = (directory.path / "m.mjz").string();
    mjx::save_mjcf(spec, path);
    std::filesystem::remove_all(directory.path / "one");
    std::filesystem::remove_all(directory.path / "two");
    const mjx::Model<double> read = mjx::load_mjcf(path);
    CHECK(read.nmesh == 2);
    CHECK(read.mesh_vertnum[1] == 5);
    CHECK(read.body_mass[1] > 1000);
}

TEST_CASE("a broken archive is an error, and so is what an archive must not have") {
    const TemporaryDirectory directory("archive");
    const std::string whole = python_archive();
    for (std::size_t n = 0; n < whole.size(); n += 3) {
        INFO(n);
        CHECK_FALSE(error_of_file(directory.write("cut.mjz", whole.substr(0, n))).empty());
    }
    for (std::size_t i = 0; i < whole.size(); i += 2) error_of_file(directory.write("bent.mjz", replaced(whole, i, "\xff")));
    const auto error = [&](std::size_t at, const std::string& by) {
        return error_of_file(directory.write("bad.mjz", replaced(whole, at, by)));
    };
    const std::size_t list = whole.find("PK\1\2");
    CHECK(contains(error(list + 24, std::string("\xff\xff\xff\x1f", 4)), "budget.bytes"));       // announces 512 MB
    CHECK(contains(error(list + 24, std::string("\xff\xff\x04\x00", 4)), "sizes cannot be"));  // more than deflate can hold
    CHECK(contains(error(list + 24, std::string("\xb0", 1)), "not what its size says"));
    CHECK(contains(error(list + 16, "x"), "checksum"));
    CHECK(contains(error(list + 8, "\1"), "encrypted"));
    CHECK(contains(error(list + 10, "\x0c"), "other than deflate"));
    CHECK(contains(error(list + 42, "\1"), "not where the archive says"));
    CHECK(contains(error_of_file(directory.write("robot.mjz", whole), {.bytes = 100}), "budget.bytes"));
    CHECK(contains(error_of_file(directory.write("none.mjz", "PK\5\6" + std::string(18, '\0'))), "has no model, expected 'model.xml'"));
}

#endif
