// InverseKinematics for Python.
//
//     ik = robots.InverseKinematics(sim, attempts=10)
//     ik.position("site", "tcp", [0.4, 0, 0.3])
//     qpos, reached, position_error, rotation_error = ik.solve(sim.qpos)
#pragma once

#include "mjx/python/answers.hpp"

namespace mjx::inner::python {

template <class Sim>
void define_inverse_kinematics(py::module_& module) {
    using T = typename Sim::scalar;
    using Ik = InverseKinematics<T, typename Sim::model_type>;
    using Given = py::array_t<T, py::array::c_style | py::array::forcecast>;
    struct Solver {
        Sim& sim;
        Ik ik;
    };
    const auto position = [](const Sim& sim, const Given& qpos) {
        auto result = taken<Vector<T>>(qpos, "qpos");
        if (result.size() != static_cast<std::size_t>(int(sim.model().nq)))
            throw std::invalid_argument("qpos has " + std::to_string(result.size()) + " numbers, expected " +
                                        std::to_string(int(sim.model().nq)));
        return result;
    };
    py::class_<Solver>(module, "InverseKinematics", py::module_local(),
                       "Positions of the joints that bring frames and centres of mass where one wants them, within the joints' limits.")
        .def(py::init([](Sim& sim, int iterations, int attempts, double tolerance, std::uint32_t seed) {
                 const IkOptions options{.iterations = iterations, .attempts = attempts, .tolerance = tolerance, .seed = seed};
                 return std::unique_ptr<Solver>(new Solver{sim, Ik(sim.model(), options)});
             }),
             py::arg("simulator"), py::kw_only(), py::arg("iterations") = 100, py::arg("attempts") = 1, py::arg("tolerance") = 1e-9,
             py::arg("seed") = 1, py::keep_alive<1, 2>(),
             "For the model of a simulation. The first attempt starts at the position given to solve, others at random ones.")
        .def(
            "position",
            [](Solver& s, const std::string& kind, const Which& which, const std::array<T, 3>& target, T weight) {
                with_frame(s.sim, kind, which, [&](const auto& frame) { s.ik.position(frame, point_of(target), weight); });
            },
            py::arg("kind"), py::arg("which"), py::arg("target"), py::arg("weight") = T(1),
            "The origin of a 'body', 'geom' or 'site' is to be at this point of the world.")
        .def(
            "orientation",
            [](Solver& s, const std::string& kind, const Which& which, const std::array<T, 4>& target, T weight) {
                const Quat<T> quat{{target[0], target[1], target[2], target[3]}};
                with_frame(s.sim, kind, which, [&](const auto& frame) { s.ik.orientation(frame, quat, weight); });
            },
            py::arg("kind"), py::arg("which"), py::arg("target"), py::arg("weight") = T(1),
            "The axes of a 'body', 'geom' or 'site' are to be turned by this quaternion, w first.")
        .def(
            "com",
            [](Solver& s, const Which& body, const std::array<T, 3>& target, T weight) {
                s.ik.com(mjx::com(index_of_which("body", s.sim.model().body_name, body)), point_of(target), weight);
            },
            py::arg("body"), py::arg("target"), py::arg("weight") = T(1), "The centre of mass of a body's subtree is to be there.")
        .def(
            "posture", [position](Solver& s, const Given& qpos, T weight) { s.ik.posture(position(s.sim, qpos), weight); }, py::arg("qpos"),
            py::arg("weight"), "Among positions that are equally good the one near this: give it a small weight.")
        .def(
            "clear", [](Solver& s) { s.ik.clear(); }, "Forgets all targets.")
        .def(
            "solve",
            [position](Solver& s, const Given& qpos) {
                auto found = position(s.sim, qpos);
                const auto result = unlocking([&] { return s.ik.solve(found); });
                return py::make_tuple(owned(std::move(found)), bool(result.reached), result.position_error, result.rotation_error);
            },
            py::arg("qpos"), "(qpos, reached, position_error, rotation_error), from the position given on.");
}

}  // namespace mjx::inner::python
