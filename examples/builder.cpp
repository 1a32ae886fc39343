// A model written in C++, without XML: a pendulum on a cart, swinging for two seconds.
#include "mjx/mjx.hpp"

#include <cstdio>

int main() {
    mjx::Spec spec;
    auto& cart = spec.world.add_body("cart");
    cart.add_joint({.name = "slide", .type = mjx::jnt::slide, .axis = {{1, 0, 0}}, .damping = {{0.1, 0, 0}}});
    cart.add_geom({.type = mjx::shape::box, .size = {{0.2, 0.1, 0.05}}, .mass = 1.0});
    auto& pole = cart.add_body("pole");
    pole.add_joint({.name = "hinge", .type = mjx::jnt::hinge, .axis = {{0, 1, 0}}});
    pole.add_geom({.type = mjx::shape::capsule, .size = {{0.02, 0, 0}}, .fromto = mjx::Vec6<double>{{0, 0, 0, 0, 0, 0.6}}, .mass = 0.2});

    mjx::Simulator<double, mjx::RK4, mjx::Newton> sim(mjx::compile(spec));
    sim.qpos()(1) = 0.1;
    std::printf("%8s %8s %8s\n", "time", "cart", "pole");
    for (int i = 0; i <= 10; ++i) {
        std::printf("%8.2f %8.4f %8.4f\n", sim.time(), sim.qpos()(0), sim.qpos()(1));
        sim.step(100);
    }
}
