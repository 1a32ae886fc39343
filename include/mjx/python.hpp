// A Python module: Model, Simulator and Batch over numpy arrays that are the numbers themselves.
//
//     PYBIND11_MODULE(robots, module) { mjx::python::define_runtime<mjx::Euler, mjx::Newton>(module); }
//     PYBIND11_MODULE(humanoid, module) { mjx::python::define_fixed<mjx::Euler, mjx::Newton, models::Humanoid>(module); }
//
// mjx_add_python_module (cmake/) writes such a file and builds it. Arrays are views: they stay valid as long as what they belong to, which
// they keep alive, and writing to them is setting the state. Whatever takes long lets other threads of Python run. Errors are those of
// mjx: ModelError for a file, ValueError for an argument. torch.from_dlpack(batch.qpos) and its like take the arrays without copies.
// Classes belong to their module, so that a program may import several. The only header that includes pybind11.
#pragma once

#include "mjx/batch.hpp"
#include "mjx/data.hpp"
#include "mjx/derivatives.hpp"
#include "mjx/integrators.hpp"
#include "mjx/load.hpp"
#include "mjx/parameters.hpp"
#include "mjx/robotics.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"
#include "mjx/summary.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace mjx::python {

namespace py = pybind11;
using unlocked = py::call_guard<py::gil_scoped_release>;

// Arrays that Python owns.
template <class X>
py::array owned(X given) {
    using T = typename X::value_type;
    auto* kept = new X(std::move(given));
    const py::capsule release(kept, [](void* p) { delete static_cast<X*>(p); });
    std::vector<py::ssize_t> shape(kept->shape().begin(), kept->shape().end());
    return py::array(py::dtype::of<T>(), shape, {}, kept->data(), release);
}
// Arrays from Python, of any numbers and order.
template <class X>
X taken(const py::array_t<typename X::value_type, py::array::c_style | py::array::forcecast>& given, const char* what) {
    typename X::shape_type shape;
    if (static_cast<std::size_t>(given.ndim()) != shape.size())
        throw std::invalid_argument(std::string(what) + " has " + std::to_string(given.ndim()) + " dimensions, expected " +
                                    std::to_string(shape.size()));
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = static_cast<std::size_t>(given.shape(static_cast<py::ssize_t>(i)));
    X result = X::from_shape(shape);
    std::copy(given.data(), given.data() + given.size(), result.data());
    return result;
}
inline Vector<bool> mask(const py::array_t<bool, py::array::c_style | py::array::forcecast>& given) {
    return taken<Vector<bool>>(given, "the mask");
}

// A field as a number, or as an array on its items (and their components) that keeps `owner` alive. Fields of other things are None.
template <class Field>
py::object live(Field& field, const py::object& owner) {
    using Item = std::remove_const_t<inner::item_t<Field>>;
    using T = typename inner::number_of<Item>::type;
    if constexpr (!std::is_arithmetic_v<T>) {
        return py::none();
    } else if constexpr (!inner::has_items<Field> && !inner::has_components<Item>) {
        return py::cast(field);
    } else {
        auto&& items = inner::as_field(field);
        std::vector<py::ssize_t> shape{items.size()};
        if constexpr (!inner::has_items<Field>) shape.clear();  // one vector
        if constexpr (inner::has_components<Item>) shape.push_back(Item::size);
        return py::array(py::dtype::of<T>(), shape, {}, reinterpret_cast<T*>(const_cast<Item*>(items.data())), owner);
    }
}

// Names that do not exist are told with a reason to look elsewhere.
inline py::object found_or_throw(const py::object& found, const std::string& name, const char* kind) {
    if (!found.is_none()) return found;
    throw py::attribute_error(std::string(kind) + " has no '" + name + "'; fields have MuJoCo's names");
}

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

inline void define_model(py::module_& module) {
    py::register_local_exception<model_error>(module, "ModelError", PyExc_ValueError);
    py::class_<Model<double>>(module, "Model", py::module_local(),
                              "A model. Its tables have MuJoCo's names: model.body_mass is a live array.")
        .def(py::init([](const Model<double>& m) { return m; }), "A copy.")
        .def_readonly("name", &Model<double>::name)
        .def("__getattr__",
             [](const py::object& self, const std::string& n) { return model_attribute(self.cast<Model<double>&>(), n, self); })
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
            "set_mass", [](Model<double>& m, int body, double mass) { set_mass(m, body, mass); }, py::arg("body"), py::arg("mass"),
            "Gives a body another mass, and its inertia with it. Then set_constants().")
        .def(
            "set_constants", [](Model<double>& m) { set_constants(m); }, "All that follows from masses, poses and armatures.");
    module.def(
        "load",
        [](const std::string& path, bool repair_inertia, bool floating_base, bool actuators,
           const std::map<std::string, std::string>& packages) {
            return load(path,
                        {.packages = packages, .repair_inertia = repair_inertia, .floating_base = floating_base, .actuators = actuators});
        },
        py::arg("path"), py::kw_only(), py::arg("repair_inertia") = false, py::arg("floating_base") = false, py::arg("actuators") = false,
        py::arg("packages") = std::map<std::string, std::string>{}, "Reads an MJCF or URDF file; the options are for URDF.");
    module.def(
        "load_string", [](const std::string& text) { return load_mjcf_string(text); }, py::arg("text"), "Reads MJCF from a string.");
}

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

// f(frame) of what has this name.
template <class Sim, class F>
auto with_frame(Sim& sim, const std::string& kind, int index, F&& f) {
    if (kind == "body") return f(sim.body(index));
    if (kind == "geom") return f(sim.geom(index));
    if (kind == "site") return f(sim.site(index));
    throw std::invalid_argument("'" + kind + "' is no kind of frame, expected body, geom or site");
}

// The contacts of the last step, as arrays over them.
template <class Sim>
py::dict contacts(Sim& sim) {
    using T = typename Sim::scalar;
    const auto& d = sim.data();
    const auto n = static_cast<std::size_t>(int(d.ncon));
    auto geom = Matrix<int>::from_shape({n, 2});
    auto dist = Vector<T>::from_shape({n});
    auto pos = Matrix<T>::from_shape({n, 3}), frame = Matrix<T>::from_shape({n, 9});
    for (std::size_t c = 0; c < n; ++c) {
        const auto& contact = d.contact[static_cast<int>(c)];
        geom(c, 0) = contact.geom1;
        geom(c, 1) = contact.geom2;
        dist(c) = contact.dist;
        for (int i = 0; i < 3; ++i) pos(c, static_cast<std::size_t>(i)) = contact.pos[i];
        for (int i = 0; i < 9; ++i) frame(c, static_cast<std::size_t>(i)) = contact.frame[i];
    }
    py::dict result;
    result["geom"] = owned(std::move(geom));
    result["dist"] = owned(std::move(dist));
    result["pos"] = owned(std::move(pos));
    result["frame"] = owned(std::move(frame));
    return result;
}

// What can be asked of a simulation.
template <class Sim>
void define_answers(py::class_<Sim>& simulator) {
    using T = typename Sim::scalar;
    simulator
        .def(
            "jacobian",
            [](Sim& sim, const std::string& kind, int index) {
                return owned(with_frame(sim, kind, index, [&](const auto& frame) { return Matrix<T>(jacobian(sim, frame)); }));
            },
            py::arg("kind"), py::arg("index"), "Of a 'body', 'geom' or 'site': (6, nv), rotation first as in mjx/robotics.hpp.")
        .def(
            "mass_matrix", [](Sim& sim) { return owned(Matrix<T>(mass_matrix(sim))); }, "(nv, nv)")
        .def(
            "bias_force", [](Sim& sim) { return owned(Vector<T>(bias_force(sim))); }, "Gravity, Coriolis and centrifugal forces.")
        .def(
            "energy", [](Sim& sim) { return py::make_tuple(energy(sim).potential, energy(sim).kinetic); }, "(potential, kinetic)")
        .def("summary", [](Sim& sim) { return summary(sim); })
        .def("warnings",
             [](Sim& sim) {
                 std::vector<std::string> texts;
                 for (const auto& w : sim.warnings()) texts.push_back(w.text);
                 return texts;
             })
        .def(
            "derivatives",
            [](Sim& sim) {
                auto t = [&] {
                    const py::gil_scoped_release unlock;
                    return derivatives(sim);
                }();
                return py::make_tuple(owned(std::move(t.A)), owned(std::move(t.B)), owned(std::move(t.C)), owned(std::move(t.D)));
            },
            "A, B, C and D of the next step, exactly.")
        .def("contacts", &contacts<Sim>, "Of the last step: a dictionary of the arrays geom, dist, pos and frame.");
}

template <class Sim>
py::class_<Sim> define_simulator(py::module_& module) {
    using T = typename Sim::scalar;
    py::class_<Sim> simulator(module, "Simulator", py::module_local(),
                              "One simulation. Its fields have MuJoCo's names: sim.qpos is a live array.");
    simulator.def("__getattr__", [](const py::object& self, const std::string& n) { return data_attribute(self.cast<Sim&>(), n, self); })
        .def(
            "step", [](Sim& sim, int n) { sim.step(n); }, py::arg("n") = 1, unlocked(), "n steps.")
        .def(
            "forward", [](Sim& sim) { sim.forward(); }, unlocked(), "Computes everything at the present state.")
        .def(
            "reset", [](Sim& sim) { sim.reset(); }, "Back to rest.")
        .def(
            "reset_keyframe", [](Sim& sim, int key) { sim.reset_keyframe(key); }, py::arg("key"))
        .def(
            "state", [](Sim& sim) { return inner::State<T>(sim.data()); }, "A snapshot.")
        .def(
            "set_state", [](Sim& sim, const inner::State<T>& state) { state.restore(sim.data()); }, py::arg("state"));
    define_answers(simulator);
    py::class_<inner::State<T>>(module, "State", py::module_local(), "A snapshot of all that a simulation continues from.");
    return simulator;
}

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
    const auto seen = [&] {
        const py::gil_scoped_release unlock;
        return batch.map(dim, [&](const auto&, const auto& d, S* out) {
            each(d, [&](std::size_t i, const auto& x) {
                S* to = out + first[i];
                inner::for_each_number([&](const S& number) { *to++ = number; }, x);
            });
        });
    }();
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
                auto r = [&] {
                    const py::gil_scoped_release unlock;
                    return b.rollout(controls);
                }();
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
                auto r = [&] {
                    const py::gil_scoped_release unlock;
                    return b.derivatives();
                }();
                return py::make_tuple(owned(std::move(r.A)), owned(std::move(r.B)));
            },
            "A and B of the next step of every environment.");
}

template <class B>
py::class_<B> define_batch(py::module_& module) {
    using T = typename B::value_type;
    py::class_<B> batch(module, "Batch", py::module_local(),
                        "Many environments of one model. What they keep are live arrays (environment, number): batch.qpos, qvel, act, "
                        "ctrl, time, mocap_pos, userdata, xfrc_applied, sensordata, ...");
    batch.def_property_readonly("size", &B::size)
        .def_property_readonly("threads", &B::threads)
        .def("__len__", &B::size)
        .def("__getattr__",
             [](const py::object& self, const std::string& name) -> py::object {
                 auto& b = self.cast<B&>();
                 try {
                     auto view = b.view(name);
                     const auto bytes = static_cast<py::ssize_t>(sizeof(T));
                     const auto at = [](const auto& list, std::size_t i) { return static_cast<py::ssize_t>(list[i]); };
                     return py::array(py::dtype::of<T>(), {at(view.shape(), 0), at(view.shape(), 1)},
                                      {bytes * at(view.strides(), 0), bytes * at(view.strides(), 1)}, view.data(), self);
                 } catch (const std::invalid_argument& error) {
                     throw py::attribute_error(error.what());
                 }
             })
        .def(
            "step", [](B& b, int n) { b.step(n); }, py::arg("n") = 1, unlocked(), "n steps of every environment.")
        .def(
            "reset", [](B& b) { b.reset(); }, "All environments back to rest.")
        .def(
            "reset", [](B& b, const py::array_t<bool, py::array::c_style | py::array::forcecast>& m, int key) { b.reset(mask(m), key); },
            py::arg("mask"), py::arg("key") = -1, "The environments chosen back to rest, or to a keyframe.")
        .def(
            "reset",
            [](B& b, const py::array_t<bool, py::array::c_style | py::array::forcecast>& m, const std::vector<inner::State<T>>& states) {
                b.reset(mask(m), states);
            },
            py::arg("mask"), py::arg("states"), "The environments chosen to states: a list of one for all, or of one for each environment.")
        .def(
            "state", [](B& b, int e) { return b.state(e); }, py::arg("environment"), "A snapshot of one environment.")
        .def(
            "set_state", [](B& b, int e, const inner::State<T>& s) { b.set_state(e, s); }, py::arg("environment"), py::arg("state"))
        .def("warning", &B::warning, py::arg("environment"), py::arg("which"))
        .def(
            "was_bad", [](B& b) { return owned(b.was_bad()); }, "The environments whose state broke in the last call.")
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
            "parameters", [](B& b, const std::string& name) { return owned(b.parameters(name)); }, py::arg("name"),
            "A table or option of the model, (environment, item, component).")
        .def(
            "set_parameters",
            [](B& b, const std::string& name, const py::array_t<T, py::array::c_style | py::array::forcecast>& x) {
                b.set_parameters(name, taken<Tensor3<T>>(x, name.c_str()));
            },
            py::arg("name"), py::arg("values"), "Gives each environment its own, with all that follows from it.")
        .def("share_parameters", &B::share_parameters, "All environments share the model's parameters again.");
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
        .def(py::init<const Model<double>&>(), py::arg("model"))
        .def_property_readonly(
            "model", [](Sim& sim) -> Model<double>& { return sim.model(); }, py::return_value_policy::reference_internal);
    if constexpr (!std::is_same_v<T, double>)
        py::class_<inner::State<T>>(module, "BatchState", py::module_local(), "A snapshot of one environment of a batch.");
    auto batch = define_batch<B>(module);
    batch.def(py::init([](const Model<double>& m, int environments, int threads) { return std::make_unique<B>(m, environments, threads); }),
              py::arg("model"), py::arg("environments"), py::arg("threads") = 0);
    define_parameters(batch);
}

// A module with a robot compiled in, or with WithOwn of one.
template <class Integrator, class Solver, class M, class T = float>
void define_fixed(py::module_& module) {
    using Sim = Simulator<double, Integrator, Solver, M>;
    using B = Batch<pack<T>, Integrator, Solver, M>;
    define_simulator<Sim>(module).def(py::init<>());
    if constexpr (!std::is_same_v<T, double>)
        py::class_<inner::State<T>>(module, "BatchState", py::module_local(), "A snapshot of one environment of a batch.");
    auto batch = define_batch<B>(module);
    batch.def(py::init<int, int>(), py::arg("environments"), py::arg("threads") = 0);
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

}  // namespace mjx::python
