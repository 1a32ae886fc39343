// What can be asked of a simulation, for Python: robotics.hpp, derivatives.hpp, contacts, words.
#pragma once

#include "mjx/derivatives.hpp"
#include "mjx/python/arrays.hpp"
#include "mjx/robotics.hpp"
#include "mjx/simulator.hpp"
#include "mjx/summary.hpp"

namespace mjx::inner::python {

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
                return owned(with_frame(sim, kind, index, [&](const auto& frame) { return Matrix<T>(mjx::jacobian(sim, frame)); }));
            },
            py::arg("kind"), py::arg("index"), "Of a 'body', 'geom' or 'site': (6, nv), rotation first as in mjx/robotics.hpp.")
        .def(
            "mass_matrix", [](Sim& sim) { return owned(Matrix<T>(mjx::mass_matrix(sim))); }, "(nv, nv)")
        .def(
            "bias_force", [](Sim& sim) { return owned(Vector<T>(mjx::bias_force(sim))); }, "Gravity, Coriolis and centrifugal forces.")
        .def(
            "energy", [](Sim& sim) { return py::make_tuple(mjx::energy(sim).potential, mjx::energy(sim).kinetic); }, "(potential, kinetic)")
        .def("summary", [](Sim& sim) { return mjx::summary(sim); })
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
                    return mjx::derivatives(sim);
                }();
                return py::make_tuple(owned(std::move(t.A)), owned(std::move(t.B)), owned(std::move(t.C)), owned(std::move(t.D)));
            },
            "A, B, C and D of the next step, exactly.")
        .def("contacts", &contacts<Sim>, "Of the last step: a dictionary of the arrays geom, dist, pos and frame.");
}

}  // namespace mjx::inner::python
