// Simulator<Scalar, Integrator, Solver, Model, Hooks>: a model and its data, ready to step. The public door of the library.
//
//     mjx::Model model = mjx::load_mjcf("humanoid.xml");
//     mjx::Simulator<double, mjx::RK4, mjx::PGS> sim(model);
//     sim.ctrl()[0] = 1;
//     sim.step();
//
// simulator() takes the parameters in the same order and finds out the others from its arguments:
//
//     auto sim = mjx::simulator<mjx::RK4, mjx::PGS>(model);                      // the model's own scalar: double
//     auto single = mjx::simulator<float, mjx::RK4, mjx::PGS>(model, hooks);
//     auto fixed = mjx::simulator<mjx::Euler, mjx::Newton, models::Humanoid>();  // no argument and no heap
//
// A runtime model is copied in, its parameters converted to the scalar's own number type (unless the model's numbers are duals or packs
// themselves). Where the types replace what the model's author chose, that is said once, on stderr (model/overrides.hpp);
// mjx::simulate (registry.hpp) follows the model. Objects by name, sim.joint("knee"), are in handles.hpp.
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/fwd.hpp"
#include "mjx/handles.hpp"
#include "mjx/hooks.hpp"
#include "mjx/model/overrides.hpp"
#include "mjx/step.hpp"
#include "mjx/warnings.hpp"

namespace mjx::inner {

// The number type of a model's parameters inside a simulator: where lanes have tables of their own (model/own_model.hpp), a number in each.
template <class S, class M>
using parameter_t = std::conditional_t<has_own_tables<M>, value_part_t<S>,
                                       std::conditional_t<std::floating_point<typename M::real>, value_t<S>, typename M::real>>;

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

// The same in a simulator of these types, which says where they replace the model's choices.
template <class To, class Integrator, class Solver, class Given>
To adopted_model(const Given& given) {
    To model = converted_model<To>(given);
    tell_overrides<Integrator, Solver>(model);
    model.opt.chosen = 0;
    return model;
}

// The types in simulator<Scalar, Integrator, Solver, Model>, and in batch<...> (batch.hpp), of which the first and the last may be left
// out.
template <class... Types>
struct simulator_types {
    static constexpr bool fixed = false;
    static_assert(sizeof...(Types) == 0 && sizeof...(Types) == 1,
                  "write mjx::simulator<Integrator, Solver>(model), where a scalar may come before them and a fixed model after them; "
                  "so in mjx::batch");
};
template <class S, class Integrator, class Solver, class M>
    requires(scalar<S> || std::is_void_v<S>)
struct simulator_types<S, Integrator, Solver, M> {
    using integrator = Integrator;
    using solver = Solver;
    using model = M;
    template <class Given>
    using model_for = std::conditional_t<std::is_void_v<M>, Given, M>;
    template <class Model>
    using scalar_for = std::conditional_t<std::is_void_v<S>, typename Model::real, S>;
    static constexpr bool fixed = [] {
        if constexpr (std::is_void_v<M>)
            return false;
        else
            return bool(M::is_fixed);
    }();
};
template <class Integrator, class Solver>
struct simulator_types<Integrator, Solver> : simulator_types<void, Integrator, Solver, void> {};
template <scalar S, class Integrator, class Solver>
struct simulator_types<S, Integrator, Solver> : simulator_types<S, Integrator, Solver, void> {};
template <class Integrator, class Solver, class M>
    requires(!scalar<Integrator>)
struct simulator_types<Integrator, Solver, M> : simulator_types<void, Integrator, Solver, M> {};

}  // namespace mjx::inner

namespace mjx {

template <class S, class Integrator, class Solver, class M = Model<>, class Hooks = no_hooks>
class Simulator {
    static_assert(inner::scalar<S>, "the first parameter of Simulator must be float, double, mjx::dual or mjx::pack");
    static_assert(
        requires { &Integrator::template integrate<M, Data<S, M>, void()>; },
        "the second parameter of Simulator must be an integrator such as mjx::Euler or mjx::RK4");
    static_assert(inner::integrator_like<Integrator>, "an integrator of one's own derives from mjx::IntegratorDefaults (integrators.hpp)");
    static_assert(
        requires { &Solver::template solve<M, Data<S, M>>; },
        "the third parameter of Simulator must be a solver such as mjx::PGS, mjx::CG or mjx::Newton");
    static_assert(inner::solver_like<Solver>, "a solver of one's own derives from mjx::SolverDefaults (solvers.hpp)");
    static_assert(
        requires { M::is_fixed; }, "the fourth parameter of Simulator must be mjx::Model or a model written by mjx_add_model");

  public:
    using scalar = S;
    using model_type = typename M::template rebind<inner::parameter_t<S, M>>;
    using data_type = inner::data_for<S, model_type, Integrator, Solver>;
    using integrator = Integrator;
    using solver = Solver;
    // The same simulator for another scalar.
    template <class Other>
    using rebind = Simulator<Other, Integrator, Solver, M, Hooks>;

    template <class Fixed = M>
    Simulator() : data_(inner::make_data<data_type, Integrator, Solver>(model_)) {
        static_assert(Fixed::is_fixed, "a Simulator needs a model: sim(model), unless it is fixed, the fourth parameter");
        reset();
    }
    explicit Simulator(Hooks hooks)
        requires(M::is_fixed)
        : hooks_(std::move(hooks)), data_(inner::make_data<data_type, Integrator, Solver>(model_)) {
        reset();
    }
    template <class Given>
    explicit Simulator(const Given& given, Hooks hooks = {})
        : model_(inner::adopted_model<model_type, Integrator, Solver>(given)),
          hooks_(std::move(hooks)),
          data_(inner::make_data<data_type, Integrator, Solver>(model_)) {
        static_assert(!M::is_fixed, "a Simulator of a fixed model needs no argument: the model is its fourth parameter");
        reset();
    }

    void step() {
        reporting([&] { inner::step<Integrator, Solver>(model_, data_, hooks_); });
    }
    void step(int n) {
        for (int i = 0; i < n; ++i) step();
    }
    void step1() {
        reporting([&] { inner::step1<inner::solver_of<Integrator, Solver>>(model_, data_, hooks_); });
    }
    void step2() {
        reporting([&] { inner::step2<Integrator, Solver>(model_, data_, hooks_); });
    }
    void forward() {
        reporting([&] { inner::forward<inner::solver_of<Integrator, Solver>>(model_, data_, hooks_); });
    }
    void reset() { inner::reset(model_, data_); }
    void reset_keyframe(const auto& key) { inner::reset_keyframe(model_, data_, inner::index_among("keyframe", model_.key_name, key)); }

#if defined(__cpp_exceptions)
    // Trouble (mjx/warnings.hpp): by default a line on stderr, once per kind.
    const List<Warning>& warnings() const { return reports_.list(); }
    void on_warning(std::function<void(const Warning&)> f) { reports_.handler = std::move(f); }
    // An error keeps the state as it was found, unless the model is fixed.
    void set_trouble(Trouble trouble) {
        reports_.trouble = trouble;
        if constexpr (!M::is_fixed)
            if (trouble == Trouble::error) model_.opt.disableflags |= inner::disable::autoreset;
    }
    // All controls at once.
    template <class Values>
    void set_ctrl(const Values& values) {
        if (static_cast<int>(values.size()) != model_.nu)
            throw std::invalid_argument("ctrl was given " + std::to_string(values.size()) + " numbers, the model '" +
                                        std::string(model_.name) + "' has " + std::to_string(int(model_.nu)) + " controls");
        for (int i = 0; i < model_.nu; ++i) data_.ctrl[i] = S(*(std::begin(values) + i));
    }
#endif

    // The model may be tuned between steps; sizes must stay.
    model_type& model() { return model_; }
    const model_type& model() const { return model_; }
    data_type& data() { return data_; }
    const data_type& data() const { return data_; }
    Hooks& hooks() { return hooks_; }
    const Hooks& hooks() const { return hooks_; }

    // Objects with their numbers, by name or index: sim.joint("knee").qpos()[0].
    auto body(const auto& which) { return handle<inner::BodyHandle>(*this, "body", model_.body_name, which); }
    auto joint(const auto& which) { return handle<inner::JointHandle>(*this, "joint", model_.jnt_name, which); }
    auto geom(const auto& which) { return handle<inner::GeomHandle>(*this, "geom", model_.geom_name, which); }
    auto site(const auto& which) { return handle<inner::SiteHandle>(*this, "site", model_.site_name, which); }
    auto camera(const auto& which) { return handle<inner::CameraHandle>(*this, "camera", model_.cam_name, which); }
    auto tendon(const auto& which) { return handle<inner::TendonHandle>(*this, "tendon", model_.tendon_name, which); }
    auto actuator(const auto& which) { return handle<inner::ActuatorHandle>(*this, "actuator", model_.actuator_name, which); }
    auto sensor(const auto& which) { return handle<inner::SensorHandle>(*this, "sensor", model_.sensor_name, which); }
    auto equality(const auto& which) { return handle<inner::EqualityHandle>(*this, "equality", model_.eq_name, which); }
    auto body(const auto& which) const { return handle<inner::BodyHandle>(*this, "body", model_.body_name, which); }
    auto joint(const auto& which) const { return handle<inner::JointHandle>(*this, "joint", model_.jnt_name, which); }
    auto geom(const auto& which) const { return handle<inner::GeomHandle>(*this, "geom", model_.geom_name, which); }
    auto site(const auto& which) const { return handle<inner::SiteHandle>(*this, "site", model_.site_name, which); }
    auto camera(const auto& which) const { return handle<inner::CameraHandle>(*this, "camera", model_.cam_name, which); }
    auto tendon(const auto& which) const { return handle<inner::TendonHandle>(*this, "tendon", model_.tendon_name, which); }
    auto actuator(const auto& which) const { return handle<inner::ActuatorHandle>(*this, "actuator", model_.actuator_name, which); }
    auto sensor(const auto& which) const { return handle<inner::SensorHandle>(*this, "sensor", model_.sensor_name, which); }
    auto equality(const auto& which) const { return handle<inner::EqualityHandle>(*this, "equality", model_.eq_name, which); }

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
    template <template <class, class> class Handle, class Self>
    static auto handle(Self& self, const char* kind, const auto& names, const auto& which) {
        using D = std::conditional_t<std::is_const_v<Self>, const data_type, data_type>;
        return Handle<model_type, D>{self.model_, self.data_, inner::index_among(kind, names, which)};
    }

    static_assert(sizeof(inner::hook_check<Hooks, model_type, data_type>) > 0);
    model_type model_;
    [[no_unique_address]] Hooks hooks_{};
    data_type data_;
    [[no_unique_address]] inner::WarningReports<S> reports_{};

    template <class F>
    void reporting(F&& f) {
        reports_.before(data_.time);
        f();
        reports_.after(model_, data_);
    }
};

// A Simulator of a fixed model, the last type: simulator<Euler, Newton, models::Humanoid>(), with hooks or without.
template <class... Types, class Hooks = no_hooks>
    requires(inner::simulator_types<Types...>::fixed)
auto simulator(Hooks hooks = {}) {
    using T = inner::simulator_types<Types...>;
    using M = typename T::model;
    return Simulator<typename T::template scalar_for<M>, typename T::integrator, typename T::solver, M, Hooks>(std::move(hooks));
}
// A Simulator of the model that is given: simulator<RK4, PGS>(model), with hooks or without.
template <class... Types, class Given, class Hooks = no_hooks>
    requires(!inner::simulator_types<Types...>::fixed)
auto simulator(const Given& given, Hooks hooks = {}) {
    using T = inner::simulator_types<Types...>;
    using M = typename T::template model_for<Given>;
    constexpr bool is_model = requires { M::is_fixed; };
    static_assert(is_model, "mjx::simulator needs a model: mjx::simulator<RK4, Newton>(mjx::load_mjcf(file))");
    if constexpr (is_model)
        return Simulator<typename T::template scalar_for<M>, typename T::integrator, typename T::solver, M, Hooks>(given, std::move(hooks));
}
template <class... Types>
    requires(!inner::simulator_types<Types...>::fixed)
void simulator() {
    static_assert(sizeof...(Types) == 0, "mjx::simulator needs a model: simulator<RK4, PGS>(model), or a fixed one as the last type");
}

}  // namespace mjx
