// A model written in C++, without XML, and a controller that is part of its simulator: a pole on a cart, held upright for two seconds.
// To watch it: `#include "mjx/viewer.hpp"`, `mjx::Viewer viewer(sim);` after the simulator, `viewer.update();` after each step.
#include "mjx/mjx.hpp"

#include <cstdio>

// A hook (mjx/hooks.hpp): called in every evaluation of the forces, also between the stages of RK4. Written for any scalar.
struct Balance {
    int cart, pole;  // dofs

    template <class M, class D>
    void control(const M&, D& d) const {
        d.ctrl[0] = 2 * d.qpos[cart] + 4 * d.qvel[cart] + 50 * d.qpos[pole] + 10 * d.qvel[pole];
    }
};

int main() {
    mjx::Spec spec;
    auto& cart = spec.world.add_body({.name = "cart"});
    cart.add_joint({.name = "slide", .type = mjx::jnt::slide, .axis = {1, 0, 0}, .damping = {0.1}});
    cart.add_geom({.type = mjx::shape::box, .size = {0.2, 0.1, 0.05}, .mass = 1});
    auto& pole = cart.add_body({.name = "pole"});
    pole.add_joint({.name = "hinge", .type = mjx::jnt::hinge, .axis = {0, 1, 0}});
    pole.add_geom({.type = mjx::shape::capsule, .size = {0.02}, .fromto = {0, 0, 0, 0, 0, 0.6}, .mass = 0.2});
    spec.add_actuator({.name = "push", .trntype = mjx::trn::joint, .target = "slide"});

    const mjx::Model model = mjx::compile(spec);
    const Balance balance{.cart = model.jnt_dofadr[model.joint("slide")], .pole = model.jnt_dofadr[model.joint("hinge")]};
    auto sim = mjx::simulator<mjx::RK4, mjx::Newton>(model, balance);
    sim.joint("hinge").qpos()[0] = 0.3;
    std::printf("%8s %8s %8s %8s\n", "time", "cart", "pole", "force");
    for (int i = 0; i <= 10; ++i) {
        sim.forward();
        std::printf("%8.2f %8.4f %8.4f %8.4f\n", sim.time(), sim.joint("slide").qpos()[0], sim.joint("hinge").qpos()[0],
                    sim.actuator("push").ctrl()[0]);
        sim.step(100);
    }
}
