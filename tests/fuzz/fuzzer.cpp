// libFuzzer's entrance to all doors.
#include "rooms.hpp"

#include "fuzz/doors.hpp"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
    fuzz::enter({reinterpret_cast<const char*>(bytes), count});
    return 0;
}
