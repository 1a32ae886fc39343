// Recordings: what is written can be read back, and files have the structure their formats ask for.
#include "catch.hpp"

#include "mjx/integrators.hpp"
#include "mjx/load.hpp"
#include "mjx/plot.hpp"
#include "mjx/recorder.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include <cstring>

using namespace mjx::inner::show;
using mjx::inner::adler_checksum, mjx::inner::compressed, mjx::inner::crc_checksum, mjx::inner::stored;

TEST_CASE("base64, checksums and zlib's format are those of their standards") {
    CHECK(base64("") == "");
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foobar") == "Zm9vYmFy");  // RFC 4648
    CHECK(adler_checksum("Wikipedia") == 0x11e60398u);
    CHECK(crc_checksum("123456789") == 0xcbf43926u);
    const std::string plain = stored("abc");
    CHECK(plain.substr(2, 8) == std::string("\x01\x03\x00\xfc\xff"
                                            "abc",
                                            8));
#ifdef MJX_HAVE_ZLIB
    const std::string text(100000, 'x');
    for (const std::string& packed : {stored(text), compressed(text)}) {
        std::string out(text.size(), '\0');
        uLongf size = static_cast<uLongf>(out.size());
        REQUIRE(uncompress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                           static_cast<uLong>(packed.size())) == Z_OK);
        CHECK(out == text);
    }
#endif
}

TEST_CASE("text for JSON is escaped, and cannot end a script element") {
    CHECK(json("a\"b\\c\n</script>") == "\"a\\\"b\\\\c\\u000a\\u003c/script>\"");
    CHECK(json(0.1) == "0.1");
    CHECK(json(std::numeric_limits<double>::quiet_NaN()) == "null");
    CHECK(json(std::vector<int>{1, 2}) == "[1,2]");
}

TEST_CASE("a track gives its numbers back to half a step") {
    Track track;
    const auto value = [](std::size_t i) { return std::sin(0.1 * static_cast<double>(i)) * 3 + 1; };
    constexpr std::size_t n = 500;
    track.add(n, value);
    track.add(n, [](std::size_t) { return 2.5; });
    const std::string bytes = track.bytes();
    REQUIRE(bytes.size() == 4 * n);
    const double step = 6.0 / 65535;
    std::uint16_t place = 0;
    for (std::size_t i = 0; i < n; ++i) {
        place = static_cast<std::uint16_t>(place + static_cast<unsigned char>(bytes[i]) +
                                           256 * static_cast<unsigned char>(bytes[2 * n + i]));
        CHECK(std::abs(-2 + place * step - value(i)) < 1.2 * step);  // the range is nearly [-2, 4]
        CHECK(bytes[n + i] == 0);
    }
}

TEST_CASE("a recorder keeps frames at its rate, with the poses of the moment") {
    auto model = mjx::load_mjcf_string(R"(<mujoco model="swing"><option timestep="0.004"/><worldbody><geom type="plane" size="0 0 1"/>
      <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size="0.03" fromto="0 0 0 0.4 0 0"/></body></worldbody>
      <sensor><jointpos joint="hinge" name="angle"/></sensor></mujoco>)");
    mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(model);
    mjx::Recorder recorder(sim, {.fps = 50});
    sim.forward();
    recorder.update();
    for (int i = 0; i < 500; ++i) {
        sim.step();
        recorder.update();
        const auto& last = recorder.recording().frames.back();
        if (last.time == sim.time())
            for (int k = 0; k < 3; ++k) CHECK(last.pose[static_cast<std::size_t>(7 + k)] == static_cast<float>(sim.data().xpos[1][k]));
    }
    CHECK(recorder.frames() == 101);
    CHECK(recorder.recording().probes.back() == "angle");
    CHECK_THROWS(recorder.save("run.txt"));
    CHECK_THROWS(mjx::Recorder::check("run.txt"));
    CHECK_THROWS(mjx::Recorder::check("run.html", "no/such/folder"));
    CHECK_NOTHROW(mjx::Recorder::check("run.glb", "no/such/folder"));

    SECTION("as glTF: a header, then JSON and binary parts of the lengths they say") {
        const std::string file = glb(recorder.recording());
        const auto number = [&](std::size_t at) {
            std::uint32_t x;
            std::memcpy(&x, file.data() + at, 4);
            return x;
        };
        CHECK(file.substr(0, 4) == "glTF");
        CHECK(number(4) == 2);
        CHECK(number(8) == file.size());
        const std::size_t json_bytes = number(12), bin = 20 + json_bytes;
        CHECK(file.substr(16, 4) == "JSON");
        CHECK(json_bytes % 4 == 0);
        CHECK(number(bin) == file.size() - bin - 8);
        CHECK(file.substr(bin + 4, 3) == "BIN");
        const std::string text = file.substr(20, json_bytes);
        CHECK(text.find("\"animations\":[{") != std::string::npos);
        CHECK(text.find("\"name\":\"arm\"") != std::string::npos);
    }
    SECTION("as a page: the scene, the track and the player are inside, and nothing is fetched") {
        const std::filesystem::path folder = std::filesystem::temp_directory_path() / "mjx_recording_test";
        std::filesystem::create_directories(folder);
        write_file((folder / "three.module.js").string(), "export const REVISION = '0';\n");
        const std::string page = recording_html(recorder.recording(), folder);
        for (const char* id : {"mjx-scene", "mjx-surfaces", "mjx-track", "mjx-extra", "mjx-three-module"})
            CHECK(page.find("id=\"" + std::string(id) + "\"") != std::string::npos);
        CHECK(page.find("src=\"") == std::string::npos);
        CHECK(page.find("http://") == std::string::npos);
        CHECK(find_three(folder.string()) / "three.module.js" == folder / "three.module.js");
        CHECK_THROWS(find_three((folder / "nowhere").string()));
        std::filesystem::remove_all(folder);
    }
}

TEST_CASE("charts are drawn whatever the numbers are") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const std::vector<double>& values : {std::vector<double>{1, 2, 3}, {5, 5, 5}, {nan, nan, nan}, {0, nan, 1e300}, {}}) {
        const std::string text = mjx::svg({{"a < b & c", {0, 1, 2}, {{"line", values}}}});
        CHECK(text.find("<svg") == 0);
        CHECK(text.find("a &lt; b &amp; c") != std::string::npos);
        CHECK(text.find("nan") == std::string::npos);
        CHECK(text.find("inf") == std::string::npos);
    }
    CHECK(ticks(0, 10) == std::vector<double>{0, 2, 4, 6, 8, 10});
}
