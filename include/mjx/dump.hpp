// Every field of a model or a data as text, one per line, `name count v1 v2 ...`: for comparison with MuJoCo and for files of states.
//
//     std::puts(mjx::to_text(mjx::dump_data(sim.model(), sim.data())).c_str());
//     mjx::apply_state(sim.model(), sim.data(), mjx::read_dump("start.txt"), "start.txt");
#pragma once

#include "mjx/stage/dump.hpp"

namespace mjx {

using inner::apply_state;
using inner::Dump;
using inner::dump_data;
using inner::dump_model;
using inner::flat;
using inner::read_dump;
using inner::to_text;

}  // namespace mjx
