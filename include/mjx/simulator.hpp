// Simulator<Scalar, Integrator, Solver, Model, Hooks>: a model and its data, ready to step. The public door of the library.
//
//     mjx::Model model = mjx::load_mjcf("humanoid.xml");
//     mjx::Simulator<double, mjx::RK4, mjx::PGS> sim(model);
//     sim.ctrl()[0] = 1;
//     sim.step();
//
// A fixed model needs no argument and no heap: Simulator<float, Euler, Newton, models::Humanoid> sim. A runtime model is copied
// in, its parameters converted to the scalar's own number type (unless the model's numbers are duals or packs themselves).
// Hooks with values of their own are given after the model, sim(model, hooks), or alone to a fixed one.
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/hooks.hpp"
#include "mjx/step.hpp"

namespace mjx::inner {

// The number type of a model's parameters inside a simulator.
template <class S, class Real>
using parameter_t = std::conditional_t<std::floating_point<Real>, value_t<S>, Real>;

// The model a simulator keeps. `cast` is found in model/cast.hpp, which comes with the loaders; a fixed model never needs it.
template <class To, class Given>
To converted_model(const Given& given) {
    if constexpr (std::is_same_v<Given, To>) {
        return given;
    } else if constexpr (requires { Given::is_fixed; }) {
        constexpr bool plain = std::floating_point<typename Given::real> || std::is_same_v<typename Given::real, typename To::real>;
        static_assert(plain, "a model of duals or packs must be the fourth parameter of Simulator: Simulator<D, Euler, Newton, Model<D>>");
        if constexpr (plain) return cast<typename To::real, typename To::joints>(given);
    } else {
        static_assert(std::is_same_v<Given, To>, "a Simulator needs a model: mjx::load_mjcf(file) or mjx::compile(spec)");
    }
}

}  // namespace mjx::inner

namespace mjx {

using inner::Data;
using inner::forward;
using inner::Model;
using inner::reset;
using inner::reset_keyframe;
using inner::step;
using inner::step1;
using inner::step2;

template <class S, class Integrator, class Solver, class M = Model<>, class Hooks = no_hooks>
class Simulator {
    static_assert(inner::scalar<S>, "the first parameter of Simulator must be float, double, mjx::dual or mjx::pack");
    static_assert(requires { &Integrator::template integrate<M, Data<S, M>, void()>; },
                  "the second parameter of Simulator must be an integrator such as mjx::Euler or mjx::RK4");
    static_assert(requires { &Solver::template solve<M, Data<S, M>>; },
                  "the third parameter of Simulator must be a solver such as mjx::PGS, mjx::CG or mjx::Newton");
    static_assert(requires { M::is_fixed; },
                  "the fourth parameter of Simulator must be mjx::Model or a model written by mjx_add_model");

  public:
    using scalar = S;
    using model_type = typename M::template rebind<inner::parameter_t<S, typename M::real>>;
    using data_type = Data<S, model_type>;
    // The same simulator for another scalar.
    template <class Other>
    using rebind = Simulator<Other, Integrator, Solver, M, Hooks>;

    template <class Fixed = M>
    Simulator() : data_(model_) {
        static_assert(Fixed::is_fixed, "a Simulator needs a model: sim(model), unless it is fixed, the fourth parameter");
        reset();
    }
    explicit Simulator(Hooks hooks)
        requires(M::is_fixed)
        : hooks_(std::move(hooks)), data_(model_) {
        reset();
    }
    template <class Given>
    explicit Simulator(const Given& given, Hooks hooks = {})
        : model_(inner::converted_model<model_type>(given)), hooks_(std::move(hooks)), data_(model_) {
        static_assert(!M::is_fixed, "a Simulator of a fixed model needs no argument: the model is its fourth parameter");
        reset();
    }

    void step() { inner::step<Integrator, Solver>(model_, data_, hooks_); }
    void step(int n) {
        for (int i = 0; i < n; ++i) step();
    }
    void step1() { inner::step1<Solver>(model_, data_, hooks_); }
    void step2() { inner::step2<Integrator, Solver>(model_, data_, hooks_); }
    void forward() { inner::forward<Solver>(model_, data_, hooks_); }
    void reset() { inner::reset(model_, data_); }
    void reset_keyframe(int k) { inner::reset_keyframe(model_, data_, k); }

    // The model may be tuned between steps; sizes must stay.
    model_type& model() { return model_; }
    const model_type& model() const { return model_; }
    data_type& data() { return data_; }
    const data_type& data() const { return data_; }
    Hooks& hooks() { return hooks_; }
    const Hooks& hooks() const { return hooks_; }

    // State and inputs: sim.qpos()[i], writable.
    inner::Span<S> qpos() { return {data_.qpos.data(), model_.nq}; }
    inner::Span<S> qvel() { return {data_.qvel.data(), model_.nv}; }
    inner::Span<S> act() { return {data_.act.data(), model_.na}; }
    inner::Span<S> ctrl() { return {data_.ctrl.data(), model_.nu}; }
    inner::Span<S> qacc() { return {data_.qacc.data(), model_.nv}; }
    inner::Span<S> qfrc_applied() { return {data_.qfrc_applied.data(), model_.nv}; }
    inner::Span<S> sensordata() { return {data_.sensordata.data(), model_.nsensordata}; }
    S& time() { return data_.time; }
    inner::Span<const S> qpos() const { return {data_.qpos.data(), model_.nq}; }
    inner::Span<const S> qvel() const { return {data_.qvel.data(), model_.nv}; }
    inner::Span<const S> act() const { return {data_.act.data(), model_.na}; }
    inner::Span<const S> ctrl() const { return {data_.ctrl.data(), model_.nu}; }
    inner::Span<const S> qacc() const { return {data_.qacc.data(), model_.nv}; }
    inner::Span<const S> qfrc_applied() const { return {data_.qfrc_applied.data(), model_.nv}; }
    inner::Span<const S> sensordata() const { return {data_.sensordata.data(), model_.nsensordata}; }
    const S& time() const { return data_.time; }

  private:
    static_assert(sizeof(inner::hook_check<Hooks, model_type, data_type>) > 0);
    model_type model_;
    [[no_unique_address]] Hooks hooks_{};
    data_type data_;
};

}  // namespace mjx
