// Data<Scalar, Model>: all that changes during simulation, under MuJoCo's names, listed by stage in data/data.hpp; State: a snapshot.
//
//     const auto& d = sim.data();
//     d.xpos[model.body("torso")];  d.contact[i].dist;  d.warning[mjx::warning::badqacc];
//     mjx::for_each_field([](const char* name, mjx::Section, const auto& field) { ... }, d);
//     mjx::is_inner_field("qH");                                    // a field that may change in any version
//     mjx::State saved(sim.data());  ...  saved.restore(sim.data());
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/data/state.hpp"
#include "mjx/integrator/work_space.hpp"

namespace mjx {

using inner::Contact;
using inner::Data;
using inner::for_each_field;
using inner::for_each_state_field;
using inner::is_inner_field;
using inner::memory_error;
using inner::Section;
using inner::Span;
using inner::State;

namespace warning = inner::warning;

}  // namespace mjx
