// The doors by which bytes from outside come in, one function each. Whatever the bytes are, a door answers with an error of ours or goes
// through; anything else (another exception, a crash, a state that is not finite and not counted) ends the program.
//
// The first byte of an input chooses the door; fuzzer.cpp gives them to libFuzzer, doors_test.cpp replays the inputs of inputs/.
#pragma once

#include "mjx/batch.hpp"
#include "mjx/data.hpp"
#include "mjx/integrators.hpp"
#include "mjx/io/hfield.hpp"
#include "mjx/io/mesh.hpp"
#include "mjx/load.hpp"
#include "mjx/solvers.hpp"
#include "mjx/view/command.hpp"

#include "fuzz/random_mjcf.hpp"

#include <cmath>
#include <cstdlib>

namespace fuzz {

inline void require(bool holds) {
    if (!holds) std::abort();
}

using Model = mjx::Model<double>;
using Data = mjx::Data<double, Model>;

// Small enough that an input takes milliseconds.
inline const mjx::Budget little{
    .bytes = 1 << 16, .elements = 2000, .copies = 2000, .numbers = 1 << 16, .range_steps = 2000, .seconds = 0.2};

inline bool is_finite(const Model& m, const Data& d) {
    bool finite = true;
    for (int i = 0; i < m.nq; ++i) finite = finite && std::isfinite(d.qpos[i]);
    for (int i = 0; i < m.nv; ++i) finite = finite && std::isfinite(d.qvel[i]);
    for (int i = 0; i < m.na; ++i) finite = finite && std::isfinite(d.act[i]);
    return finite;
}

// Steps of the model's own solver and integrator, with controls.
inline void step_some(Model& m) {
    if (m.nv > 100 || m.ngeom > 100 || m.nsensordata > 10000 || m.njmax > 1 << 16 || m.hfield_data.size() > 1 << 14) return;
    m.opt.iterations = std::min(m.opt.iterations, 10);
    m.opt.noslip_iterations = std::min(m.opt.noslip_iterations, 3);
    Data d(m);
    mjx::inner::reset_keyframe(m, d, 0);
    for (int i = 0; i < 5; ++i) {
        for (int k = 0; k < m.nu; ++k) d.ctrl[k] = i % 2 ? 1 : -1;
        const int before = d.warning[mjx::inner::warning::badqpos] + d.warning[mjx::inner::warning::badqvel] +
                           d.warning[mjx::inner::warning::badqacc] + d.warning[mjx::inner::warning::badact];
        if (m.opt.solver == 0)
            mjx::inner::step<mjx::RK4, mjx::PGS>(m, d);
        else
            mjx::inner::step<mjx::Euler, mjx::Newton>(m, d);
        const int after = d.warning[mjx::inner::warning::badqpos] + d.warning[mjx::inner::warning::badqvel] +
                          d.warning[mjx::inner::warning::badqacc] + d.warning[mjx::inner::warning::badact];
        require(is_finite(m, d) || (m.opt.disabled(mjx::inner::disable::autoreset) && after > before));
    }
}

// MJCF and URDF as text: read, compile, step.
inline void model_text(std::string_view text) {
    try {
        Model m = mjx::compile(mjx::parse_mjcf_string(text, "<fuzz>", "", little));
        step_some(m);
    } catch (const mjx::model_error&) {
    }
}
// Bytes choose elements and attributes of the schema.
inline void model_by_schema(std::string_view bytes) { model_text(random_mjcf(bytes)); }

inline std::vector<char> vector_of(std::string_view bytes) { return {bytes.begin(), bytes.end()}; }
template <class Read>
void asset(Read&& read) {
    try {
        read();
    } catch (const mjx::model_error&) {
    }
}
inline void obj(std::string_view bytes) {
    asset([&] { mjx::inner::read_obj(vector_of(bytes), ""); });
}
inline void stl(std::string_view bytes) {
    asset([&] { mjx::inner::read_stl(vector_of(bytes), ""); });
}
inline void msh(std::string_view bytes) {
    asset([&] { mjx::inner::read_msh(vector_of(bytes), ""); });
}
inline void png(std::string_view bytes) {
    asset([&] { mjx::inner::read_png_grey(vector_of(bytes), "", 1 << 16); });
}
inline void hfield(std::string_view bytes) {
    asset([&] { mjx::inner::detail::read_hfield_binary(vector_of(bytes), ""); });
}

inline const Model& two_trees() {
    static const Model m = mjx::load_mjcf_string(
        "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom "
        "size='.1'/></body><body pos='1 0 .1'><joint name='j' type='ball'/><geom size='.1 .1' type='capsule'/></body></worldbody>"
        "<actuator><intvelocity joint='j' kp='1' actrange='-1 1'/></actuator></mujoco>");
    return m;
}

// A state of any numbers comes back, and stepping on from it is safe.
inline void state(std::string_view bytes) {
    Data d(two_trees());
    mjx::inner::reset(two_trees(), d);
    mjx::State<double> s(d);
    Bytes from{bytes};
    for (double& x : s.values)
        if (from.byte() % 4 == 0) x = from.number();
    for (int& x : s.switches)
        if (from.byte() % 4 == 0) x = from.integer();
    if (from.byte() % 16 == 0) s.values.resize(from.byte());
    try {
        s.restore(d);
    } catch (const std::invalid_argument&) {
    }
    for (int i = 0; i < 3; ++i) mjx::inner::step<mjx::Euler, mjx::Newton>(two_trees(), d);
    require(is_finite(two_trees(), d));
}

// Calls of a Batch in any order with arrays of any shape.
inline void batch(std::string_view bytes) {
    Bytes from{bytes};
    mjx::Batch<double, mjx::Euler, mjx::Newton> b(two_trees(), 1 + from.byte() % 3, 1);
    for (int call = 0; call < 12 && !from.rest.empty(); ++call) {
        mjx::Matrix<double> x = mjx::Matrix<double>::from_shape({from.byte() % 5u, from.byte() % 10u});
        for (double& number : x) number = from.number();
        try {
            switch (from.byte() % 9) {
                case 0: b.set_qpos(x); break;
                case 1: b.set_qvel(x); break;
                case 2: b.set_act(x); break;
                case 3: b.set_ctrl(x); break;
                case 4: b.set_qfrc_applied(x); break;
                case 5: b.step(1 + from.byte() % 2); break;
                case 6: b.reset(); break;
                case 7: b.state(from.integer()); break;
                default: b.inspect(from.integer(), [](const auto&, const auto&, int) {});
            }
        } catch (const std::invalid_argument&) {
        }
    }
}

// What a browser sends to a viewer.
inline void viewer_message(std::string_view text) {
    mjx::inner::show::CommandLimits limits;
    limits.bodies = limits.controls = limits.keys = 3;
    limits.fields = {{"qpos", 7}, {"energy", 2}};
    if (const auto c = mjx::inner::show::parse_command(text, limits))
        for (const double x : c->value) require(std::isfinite(x));
}

struct Door {
    const char* name;
    void (*enter)(std::string_view);
};
inline constexpr Door doors[] = {
    {"model", model_text}, {"schema", model_by_schema}, {"obj", obj},     {"stl", stl},     {"msh", msh},
    {"png", png},          {"hfield", hfield},          {"state", state}, {"batch", batch}, {"viewer", viewer_message}};

inline void enter(std::string_view input) {
    if (!input.empty()) doors[static_cast<unsigned char>(input[0]) % std::size(doors)].enter(input.substr(1));
}

}  // namespace fuzz
