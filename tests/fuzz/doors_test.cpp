// Replays the inputs that once were trouble, and some thousands of random ones, without any fuzzer. inputs/<door>.<what> goes through
// that door.
#include "catch.hpp"

#include "fuzz/doors.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

TEST_CASE("inputs that were trouble once are answered", "[fuzz]") {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(MJX_TESTS_DIR "/fuzz/inputs")) {
        const std::string name = entry.path().filename().string(), door = name.substr(0, name.find('.'));
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(file), {});
        INFO(name);
        bool found = false;
        for (const fuzz::Door& d : fuzz::doors) {
            if (d.name != door) continue;
            d.enter(bytes);
            found = true;
            ++count;
        }
        CHECK(found);
    }
    CHECK(count > 10);
}

TEST_CASE("random bytes are answered at every door", "[fuzz]") {
    std::mt19937 random(3);
    for (const fuzz::Door& door : fuzz::doors)
        for (int i = 0; i < 300; ++i) {
            std::string bytes(random() % 400, '\0');
            for (char& b : bytes) b = static_cast<char>(random() % (random() % 2 ? 256 : 16));
            INFO(door.name << " " << i);
            door.enter(bytes);
            SUCCEED();
        }
}
