// A shape of one's own: a rounded box by its support function, dropped onto a plane. It comes to rest on a face, half its height above.
// To watch it: `#include "mjx/viewer.hpp"`, `mjx::Viewer viewer(sim);` after the simulator, `viewer.update();` after each step.
#include "mjx/mjx.hpp"
#include "mjx/shapes.hpp"

#include <cmath>
#include <cstdio>

// A box of half sizes `size` with everything around it that is no further than the radius.
struct RoundedBox {
    static constexpr int type = mjx::shape::count, sizes = 3;
    static constexpr const char* name = "rounded_box";
    static constexpr double radius_of_edges = 0.05;

    // The point furthest along a unit vector: a corner, and from there the radius along it.
    template <class T>
    static mjx::Vec3<T> support(const mjx::Vec3<T>& size, const mjx::Vec3<T>& dir) {
        mjx::Vec3<T> p = dir * T(radius_of_edges);
        for (int i = 0; i < 3; ++i) p[i] += dir[i] >= T(0) ? size[i] : -size[i];
        return p;
    }
};

int main() {
    mjx::Spec spec;
    spec.world.add_geom({.type = mjx::shape::plane, .size = {1, 1, 1}});
    auto& die = spec.world.add_body({.name = "die", .pos = {0, 0, 0.5}, .quat = {1, 0.2, 0.1, 0}});
    die.add_joint({.type = mjx::jnt::free});
    die.add_geom({.type = RoundedBox::type, .size = {0.1, 0.15, 0.2}});

    const auto model = mjx::compile<RoundedBox>(spec);  // a mjx::WithShapes<mjx::Model<>, RoundedBox>
    auto sim = mjx::simulator<mjx::Euler, mjx::Newton>(model);
    std::printf("mass %.4f kg, inertia %.5f %.5f %.5f\n", model.body_mass[1], model.body_inertia[1][0], model.body_inertia[1][1],
                model.body_inertia[1][2]);
    std::printf("%8s %8s %9s\n", "time", "height", "contacts");
    for (int i = 0; i <= 10; ++i) {
        std::printf("%8.2f %8.4f %9d\n", sim.time(), sim.qpos()[2], sim.data().ncon);
        sim.step(200);
    }
    const auto hit = mjx::ray(sim.model(), sim.data(), mjx::Vec3<double>{{0, 0, 2}}, mjx::Vec3<double>{{0, 0, -1}});
    std::printf("a ray from above meets it at height %.4f\n", 2 - hit.dist);

    // it lies on one of its faces, and its top is as far above the plane as that face is from the opposite one
    for (double half : {0.1, 0.15, 0.2})
        if (std::abs(sim.qpos()[2] - half - RoundedBox::radius_of_edges) < 1e-3) return 0;
    return 1;
}
