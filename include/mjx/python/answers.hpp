// What can be asked of a simulation, for Python: robotics.hpp, derivatives.hpp, contacts, words.
#pragma once

#include "mjx/derivatives.hpp"
#include "mjx/python/model.hpp"
#include "mjx/robotics.hpp"
#include "mjx/simulator.hpp"
#include "mjx/summary.hpp"

#include <vector>

namespace mjx::inner::python {

// f(frame) of what has this index or name.
template <class Sim, class F>
auto with_frame(Sim& sim, const std::string& kind, const Which& which, F&& f) {
    const auto& m = sim.model();
    if (kind == "body") return f(mjx::body(index_of_which("body", m.body_name, which)));
    if (kind == "geom") return f(mjx::geom(index_of_which("geom", m.geom_name, which)));
    if (kind == "site") return f(mjx::site(index_of_which("site", m.site_name, which)));
    throw std::invalid_argument("'" + kind + "' is no kind of frame, expected body, geom or site");
}
// The same, and of the subtree of a body its centre of mass and its angular momentum about that.
template <class Sim, class F>
auto with_moving(Sim& sim, const std::string& kind, const Which& which, F&& f) {
    const auto& names = sim.model().body_name;
    if (kind == "com") return f(mjx::com(index_of_which("body", names, which)));
    if (kind == "angular_momentum") return f(mjx::angular_momentum(index_of_which("body", names, which)));
    if (kind == "body" || kind == "geom" || kind == "site") return with_frame(sim, kind, which, f);
    throw std::invalid_argument("'" + kind + "' does not move, expected body, geom, site, com or angular_momentum");
}
template <class V>
auto as_array(const V& given) {
    auto result = Vector<std::remove_cvref_t<decltype(given[0])>>::from_shape({static_cast<std::size_t>(given.size)});
    for (int i = 0; i < given.size; ++i) result(static_cast<std::size_t>(i)) = given[i];
    return owned(std::move(result));
}
// A vector over the dofs.
template <class T, class M>
Vector<T> taken_by_dofs(const M& m, const py::array_t<T, py::array::c_style | py::array::forcecast>& given, const std::string& what) {
    auto result = taken<Vector<T>>(given, what.c_str());
    if (result.size() != static_cast<std::size_t>(m.nv))
        throw std::invalid_argument(what + " has " + std::to_string(result.size()) + " numbers, expected one for each of the " +
                                    std::to_string(int(m.nv)) + " dofs");
    return result;
}
template <class T>
Vec3<T> point_of(const std::array<T, 3>& given) {
    return {{given[0], given[1], given[2]}};
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

// Inertias, momenta, Jacobians.
template <class Sim>
void define_motion(py::class_<Sim>& simulator) {
    using T = typename Sim::scalar;
    simulator
        .def(
            "jacobian",
            [](Sim& sim, const std::string& kind, const Which& which) {
                return owned(with_moving(sim, kind, which, [&](const auto& frame) { return Matrix<T>(mjx::jacobian(sim, frame)); }));
            },
            py::arg("kind"), py::arg("which"),
            "Of a 'body', 'geom' or 'site', by index or name: (6, nv), rotation first as in mjx/robotics.hpp. Of the 'com' or the "
            "'angular_momentum' of a body's subtree: (3, nv). Where centres of mass are is sim.subtree_com.")
        .def(
            "velocity",
            [](Sim& sim, const std::string& kind, const Which& which) {
                return with_frame(sim, kind, which, [&](const auto& frame) { return as_array(mjx::velocity(sim, frame)); });
            },
            py::arg("kind"), py::arg("which"), "Of a 'body', 'geom' or 'site': six numbers, rotation first, world axes.")
        .def(
            "momentum",
            [](Sim& sim, const Which& body) { return as_array(mjx::momentum(sim, index_of_which("body", sim.model().body_name, body))); },
            py::arg("body") = 0, "Of a body's subtree: angular momentum about its centre of mass, then linear.")
        .def(
            "mass_matrix", [](Sim& sim) { return owned(Matrix<T>(mjx::mass_matrix(sim))); }, "The inertia of the dofs, (nv, nv).")
        .def(
            "energy",
            [](Sim& sim) {
                const auto now = mjx::energy(sim);
                return py::make_tuple(now.potential, now.kinetic);
            },
            "(potential, kinetic)");
}

// Forces.
template <class Sim>
void define_forces(py::class_<Sim>& simulator) {
    using T = typename Sim::scalar;
    using Given = py::array_t<T, py::array::c_style | py::array::forcecast>;
    simulator
        .def(
            "bias_force", [](Sim& sim) { return owned(Vector<T>(mjx::bias_force(sim))); }, "Gravity, Coriolis and centrifugal forces.")
        .def(
            "gravity_force", [](Sim& sim) { return owned(Vector<T>(mjx::gravity_force(sim))); }, "What holds the robot against gravity.")
        .def(
            "coriolis_matrix", [](Sim& sim) { return owned(Matrix<T>(mjx::coriolis_matrix(sim))); },
            "C, (nv, nv): bias_force is C qvel + gravity_force.")
        .def(
            "inverse_dynamics",
            [](Sim& sim, const Given& qacc) {
                return owned(Vector<T>(mjx::inverse_dynamics(sim, taken_by_dofs<T>(sim.model(), qacc, "qacc"))));
            },
            py::arg("qacc"), "M qacc + bias_force: all forces that make this acceleration, whoever gives them.")
        .def(
            "inverse",
            [](Sim& sim, const Given& qacc) {
                const auto wanted = taken_by_dofs<T>(sim.model(), qacc, "qacc");
                std::copy(wanted.begin(), wanted.end(), sim.data().qacc.begin());
                mjx::inverse(sim);
                const auto& force = sim.data().qfrc_inverse;
                auto result = Vector<T>::from_shape(wanted.shape());
                std::copy(force.begin(), force.end(), result.begin());
                return owned(std::move(result));
            },
            py::arg("qacc"), "What passive forces, contacts and limits leave to the motors for this acceleration; sets sim.qacc to it.")
        .def(
            "static_equilibrium",
            [](Sim& sim) {
                auto force = Vector<T>::from_shape({static_cast<std::size_t>(int(sim.model().nv))});
                const auto found = unlocking([&] { return mjx::static_equilibrium(sim, force); });
                return py::make_tuple(owned(std::move(force)), found.missing);
            },
            "(force, missing): what holds this pose, by dofs, and the largest force that no contact gives at a free joint. Free bases move "
            "to where contacts carry them best, and velocities become zero.");
}

// Rays, distances, contacts.
template <class Sim>
void define_shapes(py::class_<Sim>& simulator) {
    using T = typename Sim::scalar;
    simulator
        .def(
            "ray",
            [](Sim& sim, const std::array<T, 3>& point, const std::array<T, 3>& direction, int groups, bool include_static,
               int exclude_body) {
                const auto hit = mjx::ray(sim.model(), sim.data(), point_of(point), point_of(direction),
                                          {.groups = groups, .include_static = include_static, .exclude_body = exclude_body});
                return py::make_tuple(hit.dist, hit.geom[0], as_array(hit.normal));
            },
            py::arg("point"), py::arg("direction"), py::kw_only(), py::arg("groups") = 63, py::arg("include_static") = true,
            py::arg("exclude_body") = -1,
            "(distance, geom, normal) of the first geom on a ray, in lengths of the direction; -1 and -1 where there is none. "
            "Bit k of groups stands for geom group k.")
        .def(
            "geom_distance",
            [](Sim& sim, const Which& geom1, const Which& geom2, T distmax) {
                const auto& m = sim.model();
                const auto found = mjx::geom_distance(m, sim.data(), index_of_which("geom", m.geom_name, geom1),
                                                      index_of_which("geom", m.geom_name, geom2), distmax);
                return py::make_tuple(found.dist, as_array(found.from), as_array(found.to));
            },
            py::arg("geom1"), py::arg("geom2"), py::arg("distmax") = T(10),
            "(distance, from, to) of two geoms: negative where they overlap, distmax and zeros where they are further apart.")
        .def("contacts", &contacts<Sim>, "Of the last step: a dictionary of the arrays geom, dist, pos and frame.");
}

// What can be asked of a simulation.
template <class Sim>
void define_answers(py::class_<Sim>& simulator) {
    define_motion(simulator);
    define_forces(simulator);
    define_shapes(simulator);
    simulator
        .def(
            "summary", [](Sim& sim) { return mjx::summary(sim); }, "The state in a few lines.")
        .def(
            "warnings",
            [](Sim& sim) {
                std::vector<std::string> texts;
                for (const auto& w : sim.warnings()) texts.push_back(w.text);
                return texts;
            },
            "What went wrong so far, one line for each kind of trouble.")
        .def(
            "derivatives",
            [](Sim& sim) {
                auto t = unlocking([&] { return mjx::derivatives(sim); });
                return py::make_tuple(owned(std::move(t.A)), owned(std::move(t.B)), owned(std::move(t.C)), owned(std::move(t.D)));
            },
            "A, B, C and D of the next step, exactly.");
}

}  // namespace mjx::inner::python
