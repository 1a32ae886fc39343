// A Python module: Model, Simulator and Batch over numpy arrays that are the numbers themselves.
//
//     PYBIND11_MODULE(robots, module) { mjx::python::define_runtime<mjx::Euler, mjx::Newton>(module); }
//     PYBIND11_MODULE(humanoid, module) { mjx::python::define_fixed<mjx::Euler, mjx::Newton, models::Humanoid>(module); }
//
// mjx_add_python_module (cmake/) writes such a file and builds it. Arrays are views: they stay valid as long as what they belong to, which
// they keep alive, and writing to them is setting the state; batch.qpos = x copies x into them. Steps, resets, rollouts, derivatives,
// parameters, constants, equilibria, inverse kinematics, loading and making simulations and batches let other threads of Python run;
// an object is for one of them at a time. Errors are those of mjx: ModelError for a file, ValueError for an argument.
// torch.from_dlpack(batch.qpos) and its like take the arrays without copies. Classes belong to their module, so that a program may
// import several.
#pragma once

#include "mjx/batch.hpp"
#include "mjx/integrators.hpp"
#include "mjx/python/model.hpp"
#include "mjx/python/simulator.hpp"
#include "mjx/solvers.hpp"

#include <vector>

namespace mjx::inner::python {

// Fields of every environment after everything is computed at its state: (environment, number).
template <class B>
py::dict observed(B& batch, const std::vector<std::string>& names) {
    using S = typename B::scalar;
    std::vector<int> counts(names.size(), -1);
    const auto each = [&](const auto& d, auto&& f) {
        inner::for_each_field(
            [&](const char* listed, inner::Section, const auto& x) {
                using T = typename inner::number_of<std::remove_const_t<inner::item_t<decltype(x)>>>::type;
                if constexpr (std::is_same_v<T, S>)
                    for (std::size_t i = 0; i < names.size(); ++i)
                        if (names[i] == listed) f(i, x);
            },
            d);
    };
    batch.inspect(
        0, [&](const auto&, const auto& d, int) { each(d, [&](std::size_t i, const auto& x) { counts[i] = inner::number_count(x); }); });
    int dim = 0;
    std::vector<int> first;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (counts[i] < 0) throw std::invalid_argument("Batch: Data has no field '" + names[i] + "' of real numbers");
        first.push_back(dim);
        dim += counts[i];
    }
    const auto seen = unlocking([&] {
        return batch.map(dim, [&](const auto&, const auto& d, S* out) {
            each(d, [&](std::size_t i, const auto& x) {
                S* to = out + first[i];
                inner::for_each_number([&](const S& number) { *to++ = number; }, x);
            });
        });
    });
    py::dict result;
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto part = Matrix<typename B::value_type>::from_shape({seen.shape(0), static_cast<std::size_t>(counts[i])});
        for (std::size_t e = 0; e < part.shape(0); ++e)
            for (std::size_t k = 0; k < part.shape(1); ++k) part(e, k) = seen(e, k + static_cast<std::size_t>(first[i]));
        result[py::str(names[i])] = owned(std::move(part));
    }
    return result;
}

// What looks further than a step.
template <class B>
void define_studies(py::class_<B>& batch) {
    using T = typename B::value_type;
    batch
        .def("observe", &observed<B>, py::arg("fields"),
             "Computes everything at the present states: a dictionary of arrays (environment, number), by the names of fields.")
        .def(
            "rollout",
            [](B& b, const py::array_t<T, py::array::c_style | py::array::forcecast>& given) {
                const auto controls = taken<Tensor3<T>>(given, "controls");
                auto r = unlocking([&] { return b.rollout(controls); });
                py::dict result;
                result["qpos"] = owned(std::move(r.qpos));
                result["qvel"] = owned(std::move(r.qvel));
                result["act"] = owned(std::move(r.act));
                result["sensordata"] = owned(std::move(r.sensordata));
                return result;
            },
            py::arg("controls"), "Steps with controls (environment, step, nu): arrays (environment, step, number).")
        .def(
            "derivatives",
            [](B& b) {
                auto r = unlocking([&] { return b.derivatives(); });
                return py::make_tuple(owned(std::move(r.A)), owned(std::move(r.B)));
            },
            "A and B of the next step of every environment.");
}

// The number of a kind of trouble (model/types.hpp).
inline int warning_kind(const std::string& name) {
    const char* const kinds[inner::warning::count]{"inertia", "contactfull", "cnstrfull", "badqpos",
                                                   "badqvel", "badqacc",     "badctrl",   "badact"};
    std::string choices;
    for (int i = 0; i < inner::warning::count; ++i) {
        if (name == kinds[i]) return i;
        choices += (i > 0 ? ", " : "") + std::string(kinds[i]);
    }
    throw std::invalid_argument("'" + name + "' is no kind of trouble, expected one of " + choices);
}

// A field of all environments, which keeps the batch alive.
template <class B>
py::array environments_field(const py::object& self, const std::string& name) {
    using T = typename B::value_type;
    try {
        auto view = self.cast<B&>().view(name);
        const auto bytes = static_cast<py::ssize_t>(sizeof(T));
        const auto at = [](const auto& list, std::size_t i) { return static_cast<py::ssize_t>(list[i]); };
        return py::array(py::dtype::of<T>(), {at(view.shape(), 0), at(view.shape(), 1)},
                         {bytes * at(view.strides(), 0), bytes * at(view.strides(), 1)}, view.data(), self);
    } catch (const std::invalid_argument& error) {
        throw py::attribute_error(error.what());
    }
}

template <class B>
py::class_<B> define_batch(py::module_& module) {
    using T = typename B::value_type;
    py::class_<B> batch(module, "Batch", py::module_local(),
                        "Many environments of one model. What they keep are live arrays (environment, number): batch.qpos, qvel, act, "
                        "ctrl, time, mocap_pos, userdata, xfrc_applied, sensordata, ...; batch.qpos = x copies x into one.");
    batch.def_property_readonly("size", &B::size, "The number of environments.")
        .def_property_readonly("threads", &B::threads, "How many threads step them.")
        .def("__len__", &B::size)
        .def("__getattr__", [](const py::object& self, const std::string& name) { return environments_field<B>(self, name); })
        .def("__setattr__",
             [](const py::object& self, const std::string& name, const py::object& value) {
                 const auto field = [&]() -> py::object {
                     try {
                         return environments_field<B>(self, name);
                     } catch (const py::attribute_error&) {
                         if (!set_own_member(self, name, value)) throw;
                         return py::none();
                     }
                 }();
                 if (!field.is_none()) copy_over(field, value, "Batch: '" + name + "'");
             })
        .def(
            "step", [](B& b, int n) { b.step(n); }, py::arg("n") = 1, unlocked(), "n steps of every environment.")
        .def(
            "reset", [](B& b) { b.reset(); }, unlocked(), "All environments back to rest.")
        .def(
            "reset",
            [](B& b, const py::array_t<bool, py::array::c_style | py::array::forcecast>& given, int key) {
                const auto chosen = mask(given);
                unlocking([&] { b.reset(chosen, key); });
            },
            py::arg("mask"), py::arg("key") = -1, "The environments chosen back to rest, or to a keyframe.")
        .def(
            "reset",
            [](B& b, const py::array_t<bool, py::array::c_style | py::array::forcecast>& given,
               const std::vector<inner::State<T>>& states) {
                const auto chosen = mask(given);
                unlocking([&] { b.reset(chosen, states); });
            },
            py::arg("mask"), py::arg("states"), "The environments chosen to states: a list of one for all, or of one for each environment.")
        .def(
            "state", [](B& b, int e) { return b.state(e); }, py::arg("environment"), "A snapshot of one environment.")
        .def(
            "set_state", [](B& b, int e, const inner::State<T>& s) { b.set_state(e, s); }, py::arg("environment"), py::arg("state"),
            "One environment goes on from a snapshot.")
        .def(
            "warning", [](B& b, int e, const std::string& kind) { return b.warning(e, warning_kind(kind)); }, py::arg("environment"),
            py::arg("kind"),
            "How often an environment ran into trouble of a kind: 'inertia', 'contactfull', 'cnstrfull', 'badqpos', 'badqvel', 'badqacc', "
            "'badctrl' or 'badact'.")
        .def(
            "was_bad", [](B& b) { return owned(b.was_bad()); }, "The environments whose state broke during the last step or rollout.")
        .def(
            "was_reset", [](B& b) { return owned(b.was_reset()); }, "Those of them that were reset.");
    define_studies(batch);
    return batch;
}

// Parameters of the environments' own.
template <class B>
void define_parameters(py::class_<B>& batch) {
    using T = typename B::parameter_type;
    batch
        .def(
            "parameters", [](B& b, const std::string& name) { return owned(unlocking([&] { return b.parameters(name); })); },
            py::arg("name"), "A table or option of the model, (environment, item, component).")
        .def(
            "set_parameters",
            [](B& b, const std::string& name, const py::array_t<T, py::array::c_style | py::array::forcecast>& x) {
                const auto given = taken<Tensor3<T>>(x, name.c_str());
                unlocking([&] { b.set_parameters(name, given); });
            },
            py::arg("name"), py::arg("values"), "Gives each environment its own, with all that follows from it.")
        .def("share_parameters", &B::share_parameters, unlocked(), "All environments share the model's parameters again.");
}

// A module for models from files. Simulators are of double; batches of as many environments as a register has numbers of type T, each with
// parameters of its own if it wants.
template <class Integrator, class Solver, class T = float>
void define_runtime(py::module_& module) {
    using Sim = Simulator<double, Integrator, Solver>;
    using P = pack<T>;
    using B = Batch<P, Integrator, Solver, Model<P>>;
    define_model(module);
    define_simulator<Sim>(module)
        .def(py::init<const Model<double>&>(), py::arg("model"), unlocked(), "Of a copy of the model, at rest.")
        .def_property_readonly(
            "model", [](Sim& sim) -> Model<double>& { return sim.model(); }, py::return_value_policy::reference_internal,
            "The simulation's own copy of the model; what is changed there counts from the next step on.");
    if constexpr (!std::is_same_v<T, double>)
        py::class_<inner::State<T>>(module, "BatchState", py::module_local(), "A snapshot of one environment of a batch.");
    auto batch = define_batch<B>(module);
    batch.def(py::init([](const Model<double>& m, int environments, int threads) {
                  return unlocking([&] { return std::make_unique<B>(m, environments, threads); });
              }),
              py::arg("model"), py::arg("environments"), py::arg("threads") = 0,
              "So many environments of a copy of the model, at rest; as many threads as the machine has cores unless told.");
    define_parameters(batch);
}

// A module with a robot compiled in, or with WithOwn of one.
template <class Integrator, class Solver, class M, class T = float>
void define_fixed(py::module_& module) {
    using Sim = Simulator<double, Integrator, Solver, M>;
    using B = Batch<pack<T>, Integrator, Solver, M>;
    define_simulator<Sim>(module).def(py::init<>(), unlocked(), "At rest.");
    if constexpr (!std::is_same_v<T, double>)
        py::class_<inner::State<T>>(module, "BatchState", py::module_local(), "A snapshot of one environment of a batch.");
    auto batch = define_batch<B>(module);
    batch.def(py::init<int, int>(), py::arg("environments"), py::arg("threads") = 0, unlocked(),
              "So many environments, at rest; as many threads as the machine has cores unless told.");
    if constexpr (inner::has_own_tables<M>) define_parameters(batch);
    const auto names = [&](const char* kind, const auto& list) {
        py::dict indices;
        for (int i = 0; i < list.size(); ++i)
            if (!list[i].empty()) indices[py::str(std::string(list[i]))] = i;
        module.attr(kind) = indices;
    };
    names("bodies", M::body_name);
    names("joints", M::jnt_name);
    names("geoms", M::geom_name);
    names("sites", M::site_name);
    names("actuators", M::actuator_name);
    names("sensors", M::sensor_name);
    module.attr("timestep") = double(inner::constants_t<M>::opt.timestep);
}

}  // namespace mjx::inner::python

namespace mjx::python {

using inner::python::define_fixed;
using inner::python::define_runtime;

}  // namespace mjx::python
