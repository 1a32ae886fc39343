// Simulator for Python: its fields by their names, its steps.
#pragma once

#include "mjx/data.hpp"
#include "mjx/python/answers.hpp"
#include "mjx/python/inverse_kinematics.hpp"

namespace mjx::inner::python {

template <class Sim>
py::object data_attribute(Sim& sim, const std::string& name, const py::object& self) {
    py::object found = py::none();
    inner::for_each_field(
        [&](const char* listed, inner::Section, auto& x) {
            if (name == listed) found = live(x, self);
        },
        sim.data());
    return found_or_throw(found, name, "Simulator");
}

// Arrays are written to whatever they are; of single numbers only those that a simulation continues from.
template <class Sim>
void set_data_attribute(Sim& sim, const std::string& name, const py::object& value, const py::object& self) {
    bool found = false;
    inner::for_each_field(
        [&](const char* listed, inner::Section section, auto& x) {
            if (name != listed) return;
            if (is_number_v<std::remove_reference_t<decltype(x)>> && section != inner::Section::state)
                throw py::attribute_error("Simulator: '" + name + "' is what steps compute, and cannot be set");
            assign(x, self, value, "Simulator: '" + name + "'");
            found = true;
        },
        sim.data());
    if (!found && !set_own_member(self, name, value)) found_or_throw(py::none(), name, "Simulator");
}

template <class Sim>
py::class_<Sim> define_simulator(py::module_& module) {
    using T = typename Sim::scalar;
    py::class_<Sim> simulator(
        module, "Simulator", py::module_local(),
        "One simulation. Its fields have MuJoCo's names: sim.qpos is a live array, and sim.qpos = x copies x into it.");
    simulator.def("__getattr__", [](const py::object& self, const std::string& n) { return data_attribute(self.cast<Sim&>(), n, self); })
        .def("__setattr__", [](const py::object& self, const std::string& n,
                               const py::object& value) { set_data_attribute(self.cast<Sim&>(), n, value, self); })
        .def(
            "step", [](Sim& sim, int n) { sim.step(n); }, py::arg("n") = 1, unlocked(), "n steps.")
        .def(
            "forward", [](Sim& sim) { sim.forward(); }, unlocked(), "Computes everything at the present state.")
        .def(
            "reset", [](Sim& sim) { sim.reset(); }, unlocked(), "Back to rest.")
        .def(
            "reset_keyframe", [](Sim& sim, const Which& key) { std::visit([&](const auto& k) { sim.reset_keyframe(k); }, key); },
            py::arg("key"), unlocked(), "To the state of a keyframe, by index or name.")
        .def(
            "state", [](Sim& sim) { return inner::State<T>(sim.data()); }, "A snapshot.")
        .def(
            "set_state", [](Sim& sim, const inner::State<T>& state) { state.restore(sim.data()); }, py::arg("state"),
            "Goes on from a snapshot of a simulation of the same model, bit by bit.");
    define_answers(simulator);
    define_inverse_kinematics<Sim>(module);
    py::class_<inner::State<T>>(module, "State", py::module_local(), "A snapshot of all that a simulation continues from.");
    return simulator;
}

}  // namespace mjx::inner::python
