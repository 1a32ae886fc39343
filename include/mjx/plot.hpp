// Charts: numbers against time, as an SVG picture that any browser shows.
//
//     mjx::Chart height{"height (m)"};
//     height.lines = {{"torso", {}}};
//     while (sim.time() < 5) { sim.step(); height.x.push_back(sim.time()); height.lines[0].second.push_back(sim.qpos()[2]); }
//     std::ofstream("height.svg") << mjx::svg({height});
#pragma once

#include "mjx/view/svg.hpp"

namespace mjx {

using inner::show::Chart;
using inner::show::svg;

}  // namespace mjx
