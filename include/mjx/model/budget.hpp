// Budget: how much a model file may ask for, so that a short or hostile file cannot take all memory or never end. Whoever loads a
// model may set it (load_mjcf(path, budget), mjx --budget); what goes beyond is an error that names the element and the member below.
//
// The defaults are some ten times what the largest public robots and scenes take.
#pragma once

#include "mjx/model/pieces.hpp"

#include <cstddef>
#include <string>

namespace mjx::inner {

struct Budget {
    std::size_t bytes = std::size_t(256) << 20;      // of text, in all files of the model together (a mesh or height field: 1 GB each)
    std::size_t elements = 1'000'000;                // of XML, in all files together
    std::size_t copies = 500'000;                    // elements made by replicate and attach, and rounds of replicate
    std::size_t numbers = std::size_t(1) << 26;      // in one table that a file need not write out: keyframes, user data, delays, cells
    std::size_t range_steps = 200'000;               // of the simulation that finds one end of an actuator's lengthrange
    double seconds = 20;                             // in all simulations that find lengthranges
    bool strict = false;                             // refuses XML that is not well formed where its meaning is plain (io/xml_scan.hpp)
};

// What an error says of the member `name`.
[[gnu::cold, gnu::noinline]] inline std::string over_budget(std::size_t limit, const char* name) {
    return joined({"over the budget of ", std::to_string(limit), " ", name, " (budget.", name, ")"});
}

}  // namespace mjx::inner
