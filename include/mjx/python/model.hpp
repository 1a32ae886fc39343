// Model for Python: its tables and options by their names, and how it is loaded.
#pragma once

#include "mjx/handles.hpp"
#include "mjx/load.hpp"
#include "mjx/model.hpp"
#include "mjx/parameters.hpp"
#include "mjx/python/arrays.hpp"

#include <array>
#include <map>
#include <variant>
#include <vector>

namespace mjx::inner::python {

template <class M>
py::object model_attribute(M& m, const std::string& name, const py::object& self) {
    py::object found = py::none();
    const auto look = [&](const char* listed, auto& x) {
        if (name == listed) found = live(x, self);
    };
    inner::for_each_table(look, m);
    inner::for_each_option(look, m.opt);
    inner::for_each_size(look, m);
    inner::for_each_name_list(
        [&](const char* listed, const auto& names) {
            if (name == listed) found = py::cast(std::vector<std::string>(names.begin(), names.end()));
        },
        m);
    return found_or_throw(found, name, "Model");
}

template <class M>
void set_model_attribute(M& m, const std::string& name, const py::object& value, const py::object& self) {
    bool found = false;
    const auto look = [&](const char* listed, auto& x) {
        if (name != listed) return;
        assign(x, self, value, "Model: '" + name + "'");
        found = true;
    };
    inner::for_each_table(look, m);
    inner::for_each_option(look, m.opt);
    if (found || set_own_member(self, name, value)) return;
    model_attribute(m, name, self);  // says that it is unknown
    throw py::attribute_error("Model: '" + name + "' follows from the file, and cannot be set");
}

// The index of what is given by its index or by its name.
using Which = std::variant<int, std::string>;
template <class Names>
int index_of_which(const char* kind, const Names& names, const Which& which) {
    return std::visit([&](const auto& x) { return inner::index_among(kind, names, x); }, which);
}

inline void define_model(py::module_& module) {
    py::register_local_exception<model_error>(module, "ModelError", PyExc_ValueError);
    py::class_<Model<double>>(module, "Model", py::module_local(),
                              "A model. Its tables and options have MuJoCo's names: model.body_mass is a live array, and "
                              "model.timestep = 0.01 or model.gravity = [0, 0, -1.6] sets what there is.")
        .def(py::init<const Model<double>&>(), py::arg("model"), unlocked(), "A copy.")
        .def_readonly("name", &Model<double>::name, "What the file calls it.")
        .def("__getattr__",
             [](const py::object& self, const std::string& n) { return model_attribute(self.cast<Model<double>&>(), n, self); })
        .def("__setattr__", [](const py::object& self, const std::string& n,
                               const py::object& value) { set_model_attribute(self.cast<Model<double>&>(), n, value, self); })
        .def(
            "body", [](const Model<double>& m, const std::string& n) { return m.body(n); }, "The index of a body.")
        .def(
            "joint", [](const Model<double>& m, const std::string& n) { return m.joint(n); }, "The index of a joint.")
        .def(
            "geom", [](const Model<double>& m, const std::string& n) { return m.geom(n); }, "The index of a geom.")
        .def(
            "site", [](const Model<double>& m, const std::string& n) { return m.site(n); }, "The index of a site.")
        .def(
            "actuator", [](const Model<double>& m, const std::string& n) { return m.actuator(n); }, "The index of an actuator.")
        .def(
            "sensor", [](const Model<double>& m, const std::string& n) { return m.sensor(n); }, "The index of a sensor.")
        .def(
            "set_mass",
            [](Model<double>& m, const Which& body, double mass) { set_mass(m, index_of_which("body", m.body_name, body), mass); },
            py::arg("body"), py::arg("mass"), "Gives a body another mass, and its inertia with it. Then set_constants().")
        .def(
            "set_size",
            [](Model<double>& m, const Which& geom, const std::array<double, 3>& size) {
                set_size(m, index_of_which("geom", m.geom_name, geom), size);
            },
            py::arg("geom"), py::arg("size"),
            "Gives a geom another size (three numbers), with its bounds and its part in the body's mass and inertia. Then set_constants().")
        .def(
            "set_constants", [](Model<double>& m) { set_constants(m); }, unlocked(),
            "Computes all that follows from masses, sizes, poses and armatures.");
    module.def(
        "load",
        [](const std::string& path, bool repair_inertia, bool floating_base, bool actuators,
           const std::map<std::string, std::string>& packages) {
            return load(path,
                        {.packages = packages, .repair_inertia = repair_inertia, .floating_base = floating_base, .actuators = actuators});
        },
        py::arg("path"), py::kw_only(), py::arg("repair_inertia") = false, py::arg("floating_base") = false, py::arg("actuators") = false,
        py::arg("packages") = std::map<std::string, std::string>{}, unlocked(), "Reads an MJCF or URDF file; the options are for URDF.");
    module.def(
        "load_string", [](const std::string& text) { return load_mjcf_string(text); }, py::arg("text"), unlocked(),
        "Reads MJCF from a string.");
}

}  // namespace mjx::inner::python
