// batch<...>(): a Batch whose other parameters follow from its arguments, of runtime and fixed models.
#include "catch.hpp"

#include "cartpole.hpp"

#include "mjx/batch.hpp"
#include "mjx/integrators.hpp"
#include "mjx/solvers.hpp"
#include "mjx/spec.hpp"

#include <type_traits>

namespace {

using P = mjx::pack<float>;

// A force for each environment.
struct Push {
    template <class M, class D>
    void control(const M&, D& d) const {
        d.ctrl[0] = d.userdata[0];
    }
};

mjx::Model<> sledge() {
    mjx::Spec spec;
    spec.nuserdata = 1;
    auto& body = spec.world.add_body({.name = "sledge"});
    body.add_joint({.name = "way", .type = mjx::jnt::slide, .axis = {1, 0, 0}});
    body.add_geom({.size = {0.1}, .mass = 4.0});
    spec.add_actuator({.trntype = mjx::trn::joint, .target = "way"});
    return mjx::compile(spec);
}

template <class T, class B>
constexpr bool makes(const B&) {
    return std::is_same_v<T, B>;
}

}  // namespace

TEST_CASE("batch<Scalar, Integrator, Solver>(model, n) has the types and the steps of the Batch it names") {
    const mjx::Model<> model = sledge();
    auto batch = mjx::batch<P, mjx::Euler, mjx::Newton>(model, 5, Push());
    CHECK(makes<mjx::Batch<P, mjx::Euler, mjx::Newton, mjx::Model<>, Push>>(batch));
    REQUIRE(batch.size() == 5);
    auto force = batch.userdata();
    for (std::size_t e = 0; e < 5; ++e) force(e, 0) = float(e);
    batch.set_userdata(force);
    const int n = 100;
    batch.step(n);
    const auto qpos = batch.qpos();
    for (std::size_t e = 0; e < 5; ++e)  // as Euler sums it
        CHECK(double(qpos(e, 0)) == Approx(double(e) / 4 * 0.002 * 0.002 * n * (n + 1) / 2).epsilon(1e-5));

    auto threads = mjx::batch<P, mjx::Euler, mjx::Newton>(model, 5, 2, Push());
    CHECK(makes<mjx::Batch<P, mjx::Euler, mjx::Newton, mjx::Model<>, Push>>(threads));
    CHECK(threads.threads() == 2);
    threads.set_userdata(force);
    threads.step(n);
    CHECK((threads.qpos() == qpos));
}

TEST_CASE("batch() takes the scalar from the model, or the model from its types") {
    const mjx::Model<> model = sledge();
    CHECK(makes<mjx::Batch<double, mjx::Euler, mjx::Newton>>(mjx::batch<mjx::Euler, mjx::Newton>(model, 2, 1)));
    CHECK(makes<mjx::Batch<P, mjx::Euler, mjx::Newton, mjx::Model<P>>>(mjx::batch<P, mjx::Euler, mjx::Newton, mjx::Model<P>>(model, 2)));
}

TEST_CASE("batch<Scalar, Integrator, Solver, Fixed>(n) needs no model") {
    using Fixed = models::Cartpole;
    auto batch = mjx::batch<P, mjx::Euler, mjx::Newton, Fixed>(3);
    CHECK(makes<mjx::Batch<P, mjx::Euler, mjx::Newton, Fixed>>(batch));
    mjx::Batch<P, mjx::Euler, mjx::Newton, Fixed> plain(3);
    auto qpos = batch.qpos();
    qpos(2, 1) = 0.3f;
    batch.set_qpos(qpos);
    plain.set_qpos(qpos);
    batch.step(50);
    plain.step(50);
    CHECK(batch.qpos()(2, 1) != 0.3f);
    CHECK((batch.qpos() == plain.qpos()));

    const auto alone = mjx::batch<P, mjx::Euler, mjx::Newton, Fixed>(3, 1);
    CHECK(alone.threads() == 1);
}
