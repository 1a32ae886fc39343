// Batch<Scalar, Integrator, Solver, Model>: many environments of one model, over the lanes of a pack and over threads.
//
//     mjx::Batch<mjx::pack<float>, mjx::Euler, mjx::Newton, models::Humanoid> batch(4096);
//     batch.set_ctrl(policy(batch.qpos(), batch.qvel()));      // arrays of shape (environment, dimension)
//     batch.step(5);
//     batch.reset(fallen);                                     // or reset(fallen, states), to states that were taken before
// What is kept for an environment is its state alone (blocks.hpp), in blocks of as many environments as the scalar has lanes; every thread
// has one Data, into which it loads a block, steps it and stores it back. The Data stays in the thread's cache and the results do not
// depend on the number of threads, bit by bit.
// Switches are integers that the lanes of a pack share: the environments of a block have their equality constraints on and off together
// (eq_active), and packs never sleep (tree_asleep). get and set know both by name; set refuses other numbers within a block. A reset by
// mask restores them where it takes the whole block. Where environments differ in them, the scalar is a plain one. A functor or a hook that
// throws ends the call for the environments that share its block: they keep the state they had before. All others are served, and then the
// call throws what was thrown for the first such block.
#pragma once

#include "mjx/batch/blocks.hpp"
#include "mjx/batch/environment.hpp"
#include "mjx/batch/own_environments.hpp"
#include "mjx/batch/own_parameters.hpp"
#include "mjx/batch/parameter_names.hpp"
#include "mjx/batch/threads.hpp"
#include "mjx/derivative/exact.hpp"
#include "mjx/simulator.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mjx::inner {

// What happened in a rollout: arrays of shape (environment, step, dimension), the entry of a step being what it ended with.
template <class T>
struct Rollout {
    Tensor3<T> qpos, qvel, act, sensordata;
};

// Derivatives of a step of each environment: arrays of shape (environment, row, column), rows and columns as in derivative/columns.hpp.
template <class T>
struct BatchDerivatives {
    Tensor3<T> A, B;
};

template <class S, class Integrator, class Solver, class M = Model<>, class Hooks = no_hooks>
class Batch {
  public:
    using scalar = S;
    using model_type = typename Simulator<S, Integrator, Solver, M, Hooks>::model_type;  // first: it says what is wrong with a parameter
    using data_type = typename Simulator<S, Integrator, Solver, M, Hooks>::data_type;
    using value_type = lane_t<S>;
    using parameter_type = lane_t<typename model_type::real>;
    static constexpr int lanes = lanes_v<S>;

    // threads = 0: as many as the machine has cores.
    template <class Fixed = M>
    explicit Batch(int environments, int threads = 0, Hooks hooks = {})
        : hooks_(std::move(hooks)), size_(checked(environments)), pool_(threads), data_(made_data()), blocks_(size_, *data_.front()) {
        static_assert(Fixed::is_fixed, "a Batch needs a model: batch(model, environments), unless it is fixed, the fourth parameter");
        prepare();
    }
    template <class Given>
        requires(!std::is_arithmetic_v<Given>)
    Batch(const Given& given, int environments, int threads = 0, Hooks hooks = {})
        : model_(adopted_model<model_type, Integrator, Solver>(given)),
          hooks_(std::move(hooks)),
          size_(checked(environments)),
          pool_(threads),
          data_(made_data()),
          blocks_(size_, *data_.front()) {
        static_assert(!M::is_fixed, "a Batch of a fixed model needs no model as argument: it is the fourth parameter");
        if constexpr (!M::is_fixed && requires { requires std::is_same_v<typename Given::real, double>; })
            if constexpr (std::is_same_v<typename model_type::real, S> && decltype(own_)::rounds)
                own_.adopt(cast<double, typename model_type::joints>(given));
        prepare();
    }

    // One environment as a simulator of plain numbers, with the parameters that all share; state(e) goes into its data.
    using simulator = Simulator<value_type, Integrator, Solver, M, Hooks>;
    simulator environment_simulator() const {
        if constexpr (M::is_fixed)
            return simulator(hooks_);
        else
            return simulator(model_, hooks_);
    }
    int size() const { return size_; }
    int threads() const { return pool_.size(); }
    model_type& model() { return model_; }
    const model_type& model() const { return model_; }

    // Copies of the states, (environment, dimension), by the name of a field or as functions.
    Matrix<value_type> get(std::string_view field) const { return blocks_.read(blocks_.field(field)); }
    void set(std::string_view field, const Matrix<value_type>& x) {
        const auto& f = blocks_.field(field);
        require_shape(field, x, {extent(size_), extent(f.count)});
        blocks_.write(f, x);
    }
    // The field itself, to read and to write, (environment, dimension).
    auto view(std::string_view field) { return blocks_.view(blocks_.field(field)); }
    Matrix<value_type> qpos() const { return get("qpos"); }
    Matrix<value_type> qvel() const { return get("qvel"); }
    Matrix<value_type> act() const { return get("act"); }
    Matrix<value_type> ctrl() const { return get("ctrl"); }
    Matrix<value_type> time() const { return get("time"); }
    Matrix<value_type> userdata() const { return get("userdata"); }
    Matrix<value_type> sensordata() const { return get("sensordata"); }
    void set_qpos(const Matrix<value_type>& x) { set("qpos", x); }
    void set_qvel(const Matrix<value_type>& x) { set("qvel", x); }
    void set_act(const Matrix<value_type>& x) { set("act", x); }
    void set_ctrl(const Matrix<value_type>& x) { set("ctrl", x); }
    void set_userdata(const Matrix<value_type>& x) { set("userdata", x); }
    void set_mocap_pos(const Matrix<value_type>& x) { set("mocap_pos", x); }  // three numbers per body
    void set_mocap_quat(const Matrix<value_type>& x) { set("mocap_quat", x); }
    void set_qfrc_applied(const Matrix<value_type>& x) { set("qfrc_applied", x); }
    void set_xfrc_applied(const Matrix<value_type>& x) { set("xfrc_applied", x); }  // six numbers per body

    // All that an environment continues from. A state whose switches (eq_active, trees asleep) differ from those of the environments that
    // share its pack is refused.
    State<value_type> state(int environment) {
        require_environment(environment);
        data_type& d = *data_.front();
        blocks_.load(environment / lanes, d);
        return lane_state(d, environment % lanes);
    }
    void set_state(int environment, const State<value_type>& state) {
        require_environment(environment);
        data_type& d = *data_.front();
        require_state(d, state);
        blocks_.load(environment / lanes, d);
        place(environment / lanes, d, [&](int e) { return e == environment ? &state : nullptr; });
        blocks_.store(environment / lanes, d);
    }
    // Every environment goes on from this state.
    void set_state(const State<value_type>& state) {
        require_state(*data_.front(), state);
        for_each_block([&](int block, const model_type&, data_type& d) { place(block, d, [&](int) { return &state; }); });
    }

    // How often an environment ran into the trouble `which` (warning::).
    int warning(int environment, int which) const {
        require_environment(environment);
        return blocks_.warning(environment, which);
    }
    // The environments whose state broke during the last step or rollout.
    Vector<bool> was_bad() const {
        auto mask = Vector<bool>::from_shape({extent(size_)});
        for (int e = 0; e < size_; ++e) mask(extent(e)) = broken_[extent(e)] != 0;
        return mask;
    }
    // Those of them that were reset: all, unless the model disables autoreset.
    Vector<bool> was_reset() const {
        auto mask = was_bad();
        if (model_.opt.disabled(disable::autoreset)) mask.fill(false);
        return mask;
    }

    // Parameters of the environments, (environment, item, component): geom_friction, actuator_gainprm, gravity, ... Setting them gives each
    // environment its own, body_mass with the inertia and geom_size with bounds and inertia, and all constants that follow (robotics/
    // parameters.hpp): as a Simulator of a model with these parameters has them, bit by bit. A fixed model says which those are:
    // WithOwn<models::Cheetah, "body_mass">. The numbers of another must be those of the lanes: Batch<P, Euler, Newton, Model<P>>
    // batch(model, 4096), with P for pack<float>, made of a model of double to have its digits in what follows. Frames that coincide in
    // some lanes of a block alone cost it its shortcut, and the last bits with it.
    Tensor3<parameter_type> parameters(std::string_view name) {
        Tensor3<parameter_type> result;
        for (int block = 0; block < blocks_.count(); ++block)
            with_parameter(own_model(block, 0), name, [&](auto& table) {
                const auto items = extent(as_field(table).size()), components = extent(number_count(table)) / std::max(items, extent(1));
                if (block == 0) result.resize({extent(size_), items, components});
                int i = 0;
                for_each_number([&](const auto& x) { scatter_number(block, x, number_count(table), i++, result.data()); }, table);
            });
        return result;
    }
    void set_parameters(std::string_view name, const Tensor3<parameter_type>& x) {
        static_assert(!M::is_fixed || has_own_tables<model_type>,
                      "parameters of a fixed model are constants: give those of your own to WithOwn<models::Name, \"body_mass\">");
        static_assert(M::is_fixed || std::is_same_v<typename model_type::real, S>,
                      "parameters of their own need a model of lanes: Batch<pack<float>, Euler, Newton, Model<pack<float>>>");
        require_shape(name, x, parameters(name).shape());
        const std::size_t items = x.shape(1), components = x.shape(2);
        const auto given = [&](int e, int i) { return x.data()[extent(e) * items * components + extent(i)]; };
        if constexpr (M::is_fixed)
            own_.change(size_, pool_, name, given);
        else
            own_.change(model_, size_, pool_, name, given);
        differentiation_.reset();
    }
    // All environments share the model's parameters again.
    void share_parameters() {
        own_.clear();
        differentiation_.reset();
    }

    // n steps of every environment with the controls they have.
    void step(int n = 1) {
        step_blocks([&](int, const model_type& m, data_type& d) { take_steps(m, d, n); });
    }
    // The same, and the numbers that f(model, data, out) writes to out[0] ... out[dim - 1] after the last of them, as an array
    // (environment, dim). Positions are then those after the step; what was computed on the way, contacts among it, is that before it.
    template <class F>
    Matrix<value_type> step(int n, int dim, F&& f) {
        return map_blocks(dim, f, [&](const auto& serve) {
            step_blocks([&](int block, const model_type& m, data_type& d) {
                take_steps(m, d, n);
                serve(block, m, d);
            });
        });
    }
    // The same for the present states, everything computed.
    template <class F>
    Matrix<value_type> map(int dim, F&& f) {
        return map_blocks(dim, f, [&](const auto& serve) {
            for_each_block([&](int block, const model_type& m, data_type& d) {
                forward<solver_of<Integrator, Solver>>(m, d, hooks_);
                serve(block, m, d);
            });
        });
    }

    void reset() {
        for_each_block([&](int, const model_type& m, data_type& d) { inner::reset(m, d); });
    }
    // Resets the environments chosen, to keyframe `key` or to the state at rest.
    void reset(const Vector<bool>& mask, int key = -1) {
        if (key >= model_.nkey)
            throw std::invalid_argument("Batch: there is no keyframe " + std::to_string(key) + ", the model has " +
                                        std::to_string(model_.nkey));
        require_shape("reset", mask, {extent(size_)});
        for_each_block([&](int block, const model_type& m, data_type& d) { reset_lanes_to_keyframe(m, d, key, chosen(block, mask)); });
    }
    // Resets them, and then f(environment, random) may move each: environment.qpos[i] = random.uniform(-1, 1). The random numbers follow
    // from the seed and the environment's number.
    template <class F>
        requires requires(F f, Environment<S> e, EnvironmentRandom random) { f(e, random); }
    void reset(const Vector<bool>& mask, std::uint64_t seed, F&& f, int key = -1) {
        reset(mask, key);
        for_each_block([&](int block, const model_type&, data_type& d) {
            for_each_lane(chosen(block, mask), lanes, [&](int k) {
                if (block * lanes + k >= size_) return;
                EnvironmentRandom random(seed, block * lanes + k);
                f(environment_of(d, block * lanes + k, k), random);
            });
        });
    }

    // The environments chosen go on from states: one for all of them, or one for each environment, of which others are not looked at.
    void reset(const Vector<bool>& mask, std::span<const State<value_type>> states) {
        require_shape("reset", mask, {extent(size_)});
        if (states.size() != 1 && states.size() != extent(size_))
            throw std::invalid_argument("Batch: reset was given " + std::to_string(states.size()) + " states, expected 1 or " +
                                        std::to_string(size_));
        const auto state_of = [&](int e) { return mask(extent(e)) ? &states[states.size() == 1 ? 0 : extent(e)] : nullptr; };
        for (int e = 0; e < size_; ++e)
            if (mask(extent(e))) require_state(*data_.front(), *state_of(e));
        for_each_block([&](int block, const model_type& m, data_type& d) {
            reset_lanes(m, d, chosen(block, mask));
            place(block, d, state_of);
        });
    }
    void reset(const Vector<bool>& mask, const State<value_type>& state) { reset(mask, std::span(&state, 1)); }

    // Steps with controls (environment, step, nu) from the present states on, and tells what happened.
    Rollout<value_type> rollout(const Tensor3<value_type>& controls) {
        const std::size_t steps = controls.shape(1);
        require_shape("rollout", controls, {extent(size_), steps, extent(model_.nu)});
        const auto shaped = [&](int dim) { return Tensor3<value_type>::from_shape({extent(size_), steps, extent(dim)}); };
        Rollout<value_type> result{shaped(model_.nq), shaped(model_.nv), shaped(model_.na), shaped(model_.nsensordata)};
        step_blocks([&](int block, const model_type& m, data_type& d) {
            for (std::size_t t = 0; t < steps; ++t) {
                const auto at = [&](auto& array) { return array.data() + t * array.shape(2); };
                blocks_.gather(block, d.ctrl.data(), m.nu, at(controls), steps);
                take_steps(m, d, 1);
                blocks_.scatter(block, d.qpos.data(), m.nq, at(result.qpos), steps);
                blocks_.scatter(block, d.qvel.data(), m.nv, at(result.qvel), steps);
                blocks_.scatter(block, d.act.data(), m.na, at(result.act), steps);
                blocks_.scatter(block, d.sensordata.data(), m.nsensordata, at(result.sensordata), steps);
            }
        });
        return result;
    }

    // The same, and calls f(block, step, data) before each step, when all that does not depend on forces has been computed (step1), and
    // once more at the state after the last: lane k of block b is environment b * lanes + k. Blocks are called from several threads.
    template <class F>
    void rollout(const Tensor3<value_type>& controls, F&& f) {
        const int steps = static_cast<int>(controls.shape(1));
        require_shape("rollout", controls, {extent(size_), controls.shape(1), extent(model_.nu)});
        step_blocks([&](int block, const model_type& m, data_type& d) {
            for (int t = 0; t <= steps; ++t) {
                if (t < steps)
                    blocks_.gather(block, d.ctrl.data(), m.nu, controls.data() + static_cast<std::ptrdiff_t>(t) * m.nu, controls.shape(1));
                step1<solver_of<Integrator, Solver>>(m, d, hooks_);
                f(block, t, d);
                if (t < steps) step2<Integrator, Solver>(m, d, hooks_);
            }
        });
    }

    // A and B of the step that each environment would do next, exactly (derivative/exact.hpp); `result` keeps its memory. The shared
    // model is that of the first call; with parameters of their own each block is prepared anew.
    void derivatives(BatchDerivatives<value_type>& result) {
        const int n = state_columns(model_);
        const auto shape = [&](int columns) { return std::array{extent(size_), extent(n), extent(columns)}; };
        if (result.A.shape() != shape(n) || result.B.shape() != shape(model_.nu)) {
            result.A.resize(shape(n));
            result.B.resize(shape(model_.nu));
        }
        auto& workers = differentiation_workers();
        pool_.for_each(blocks_.count(), [&](int block, int thread) {
            std::unique_ptr<Differentiation>& w = workers[extent(thread)];
            if (!own_.empty()) w.reset(new Differentiation{lanes_simulator(own_model(block, thread))});
            blocks_.load(block, w->sim.data());
            const Transition<S>& found = w->transition(w->sim);
            blocks_.scatter(block, found.A.data(), n * n, result.A.data(), 1);
            blocks_.scatter(block, found.B.data(), n * model_.nu, result.B.data(), 1);
        });
    }
    BatchDerivatives<value_type> derivatives() {
        BatchDerivatives<value_type> result;
        derivatives(result);
        return result;
    }

    // Calls f(model, data, lane) with everything computed at the state of one environment, poses and contacts included.
    template <class F>
    void inspect(int environment, F&& f) {
        require_environment(environment);
        data_type& d = *data_.front();
        blocks_.load(environment / lanes, d);
        const model_type& m = own_model(environment / lanes, 0);
        forward<solver_of<Integrator, Solver>>(m, d, hooks_);
        f(m, d, environment % lanes);
    }

  private:
    struct Differentiation {
        Simulator<S, Integrator, Solver, M, Hooks> sim;
        TransitionDerivatives<Simulator<S, Integrator, Solver, M, Hooks>> transition{sim, false};
    };
    using Differentiations = std::vector<std::unique_ptr<Differentiation>>;

    model_type model_{};
    [[no_unique_address]] Hooks hooks_{};
    int size_;
    ThreadPool pool_;
    std::vector<std::unique_ptr<data_type>> data_;  // one for each thread
    Blocks<S, data_type> blocks_;
    std::conditional_t<M::is_fixed, OwnBlocks<model_type>, OwnParameters<model_type>> own_{};
    std::vector<char> broken_{};  // whether each environment broke during the last step or rollout
    std::shared_ptr<void> differentiation_{};  // Differentiations, of each thread, once asked for: few programs compile them

    static std::size_t extent(int n) { return static_cast<std::size_t>(n); }
    static int checked(int environments) {
        if (environments < 1)
            throw std::invalid_argument("Batch: the number of environments is " + std::to_string(environments) + ", expected at least 1");
        return environments;
    }
    std::vector<std::unique_ptr<data_type>> made_data() const {
        std::vector<std::unique_ptr<data_type>> made;
        for (int t = 0; t < pool_.size(); ++t)
            if constexpr (M::is_fixed)
                made.push_back(std::make_unique<data_type>(model_));
            else
                made.push_back(std::make_unique<data_type>(model_, space_for<Integrator, Solver, S>(model_)));
        return made;
    }
    void prepare() {
        broken_.resize(extent(blocks_.count() * lanes), false);
        reset();
    }
    // The model of a block: the batch's own, or the thread's copy with the parameters of the block.
    const model_type& own_model(int block, int thread) {
        if constexpr (!M::is_fixed || has_own_tables<model_type>)
            if (!own_.empty()) return own_.model(block, thread);
        return model_;
    }
    void take_steps(const model_type& m, data_type& d, int n) {
        for (int i = 0; i < n; ++i) inner::step<Integrator, Solver>(m, d, hooks_);
    }
    // f(block, model, data) with each block, in which it is stored again.
    template <class F>
    void for_each_block(F&& f) {
        std::exception_ptr trouble;
        std::mutex telling;
        int first = blocks_.count();
        pool_.for_each(blocks_.count(), [&](int block, int thread) {
            data_type& d = *data_[extent(thread)];
            try {
                blocks_.load(block, d);
                f(block, own_model(block, thread), d);
                blocks_.store(block, d);
            } catch (...) {
                const std::lock_guard<std::mutex> lock(telling);
                if (block < first) trouble = std::current_exception();
                if (block < first) first = block;
            }
        });
        if (trouble) std::rethrow_exception(trouble);
    }
    // The same for steps: notes which environments broke.
    template <class F>
    void step_blocks(F&& f) {
        std::fill(broken_.begin(), broken_.end(), false);
        for_each_block([&](int block, const model_type& m, data_type& d) {
            const auto before = lane_troubles(d);
            f(block, m, d);
            const auto after = lane_troubles(d);
            for (int k = 0; k < lanes; ++k) broken_[extent(block * lanes + k)] = after[extent(k)] > before[extent(k)];
        });
    }
    // The array of what f writes for each environment, when run(serve) has called serve(block, model, data) for each block.
    template <class F, class Run>
    Matrix<value_type> map_blocks(int dim, F&& f, Run&& run) {
        auto result = Matrix<value_type>::from_shape({extent(size_), extent(dim)});
        std::vector<std::vector<S>> rows(extent(pool_.size()), std::vector<S>(extent(dim)));
        run([&](int block, const model_type& m, data_type& d) {
            std::vector<S>& row = rows[extent(row_of(d))];
            for (S& x : row) x = S(0);
            f(m, std::as_const(d), row.data());
            blocks_.scatter(block, row.data(), dim, result.data(), 1);
        });
        return result;
    }
    // The thread whose Data this is.
    int row_of(const data_type& d) const {
        int thread = 0;
        while (data_[extent(thread)].get() != &d) ++thread;
        return thread;
    }
    // Lanes to spare are like the last.
    int environment_in(int block, int k) const { return std::min(block * lanes + k, size_ - 1); }
    mask_t<S> chosen(int block, const Vector<bool>& mask) const {
        return lane_mask<S>([&](int k) { return mask(extent(environment_in(block, k))); });
    }
    // Environments of a block go on from *state_of(environment), where there is one. All together may change what they share.
    template <class StateOf>
    void place(int block, data_type& d, const StateOf& state_of) const {
        const auto at = [&](int k) -> const State<value_type>* { return state_of(environment_in(block, k)); };
        bool together = true;
        for (int k = 0; k < lanes; ++k) together = together && at(k) != nullptr;
        if (together) set_switches(d, *at(0));
        for (int k = 0; k < lanes; ++k) {
            if (at(k) == nullptr) continue;
            const std::string other = other_switch(d, *at(k));
            if (lanes > 1 && !other.empty())
                throw std::invalid_argument("Batch: environment " + std::to_string(environment_in(block, k)) + ": " + other +
                                            ", whose environments share it; expected a state that agrees, or a batch of plain numbers");
            set_lane_state(d, k, *at(k));
        }
    }
    // Number i of `count` in a parameter of a block.
    template <class R>
    void scatter_number(int block, const R& number, int count, int i, parameter_type* array) const {
        for (int k = 0; k < lanes && block * lanes + k < size_; ++k)
            array[extent(block * lanes + k) * extent(count) + extent(i)] = lane(number, k);
    }

    // As many environments as the scalar has lanes.
    Simulator<S, Integrator, Solver, M, Hooks> lanes_simulator(const model_type& m) const {
        if constexpr (M::is_fixed) {
            Simulator<S, Integrator, Solver, M, Hooks> sim(hooks_);
            sim.model() = m;
            return sim;
        } else {
            return Simulator<S, Integrator, Solver, M, Hooks>(m, hooks_);
        }
    }
    Differentiations& differentiation_workers() {
        if (!differentiation_) {
            auto made = std::make_shared<Differentiations>();
            for (int t = 0; t < pool_.size(); ++t) made->emplace_back(new Differentiation{lanes_simulator(model_)});
            differentiation_ = made;
        }
        return *static_cast<Differentiations*>(differentiation_.get());
    }

    void require_environment(int environment) const {
        if (environment < 0 || environment >= size_)
            throw std::invalid_argument("Batch: there is no environment " + std::to_string(environment) + ", expected 0 to " +
                                        std::to_string(size_ - 1));
    }
};

}  // namespace mjx::inner
