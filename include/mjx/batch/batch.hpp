// Batch<Scalar, Integrator, Solver, Model>: many environments of one model, over the lanes of a pack and over threads.
//
//     mjx::Batch<mjx::pack<float>, mjx::Euler, mjx::Newton, models::Humanoid> batch(4096);
//     batch.set_ctrl(policy(batch.qpos(), batch.qvel()));      // arrays of shape (environment, dimension)
//     batch.step(5);
//     batch.reset(fallen);
// What is kept for an environment is its state (data/state.hpp) alone, in blocks of as many environments as the scalar has lanes; every
// thread has one Data, into which it loads a block, steps it and stores it back. The Data stays in the thread's cache and the results
// do not depend on the number of threads, bit by bit.
// A hook that throws ends the step of the environments that share its block: they keep the state they had before the call. All others
// are stepped, and then the call throws what the hook of the first such block threw.
#pragma once

#include "mjx/batch/lanes.hpp"
#include "mjx/batch/threads.hpp"
#include "mjx/data/state.hpp"
#include "mjx/data/views.hpp"
#include "mjx/derivative/exact.hpp"
#include "mjx/simulator.hpp"

#include <array>
#include <bit>
#include <exception>
#include <memory>
#include <mutex>
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
    static constexpr int lanes = lanes_v<S>;

    // threads = 0: as many as the machine has cores.
    template <class Fixed = M>
    explicit Batch(int environments, int threads = 0, Hooks hooks = {}) : hooks_(std::move(hooks)), size_(environments), pool_(threads) {
        static_assert(Fixed::is_fixed, "a Batch needs a model: batch(model, environments), unless it is fixed, the fourth parameter");
        prepare();
    }
    template <class Given>
        requires(!std::is_arithmetic_v<Given>)
    Batch(const Given& given, int environments, int threads = 0, Hooks hooks = {})
        : model_(adopted_model<model_type, Integrator, Solver>(given)), hooks_(std::move(hooks)), size_(environments), pool_(threads) {
        static_assert(!M::is_fixed, "a Batch of a fixed model needs no model as argument: it is the fourth parameter");
        prepare();
    }

    // One environment as a simulator of plain numbers; state(e) goes into its data.
    using simulator = Simulator<value_type, Integrator, Solver, M, Hooks>;
    simulator environment_simulator() const {
        if constexpr (M::is_fixed)
            return simulator(hooks_);
        else
            return simulator(model_, hooks_);
    }
    State<value_type> state(int environment) const {
        require_environment(environment);
        const int block = environment / lanes, k = environment % lanes;
        State<value_type> state;
        for (int i = 0; i < number_count_ - model_.nsensordata; ++i) state.values.push_back(lane(numbers(block)[i], k));
        for (int i = warning::count * lanes; i < integer_count_; ++i) state.switches.push_back(integers(block)[i]);
        return state;
    }

    // Every environment goes on from this state.
    void set_state(const State<value_type>& state) {
        for (int block = 0; block < blocks(); ++block) {
            for (std::size_t i = 0; i < state.values.size(); ++i) numbers(block)[i] = S(state.values[i]);
            for (std::size_t i = 0; i < state.switches.size(); ++i)
                integers(block)[warning::count * lanes + static_cast<int>(i)] = state.switches[i];
            caches_[static_cast<std::size_t>(block)].clear();
        }
    }

    int size() const { return size_; }
    int threads() const { return pool_.size(); }
    model_type& model() { return model_; }
    const model_type& model() const { return model_; }

    // Copies of the states, (environment, dimension).
    Matrix<value_type> qpos() const { return read("qpos"); }
    Matrix<value_type> qvel() const { return read("qvel"); }
    Matrix<value_type> act() const { return read("act"); }
    Matrix<value_type> ctrl() const { return read("ctrl"); }
    Matrix<value_type> time() const { return read("time"); }
    Matrix<value_type> sensordata() const { return read("sensordata"); }
    void set_qpos(const Matrix<value_type>& x) { write("qpos", x); }
    void set_qvel(const Matrix<value_type>& x) { write("qvel", x); }
    void set_act(const Matrix<value_type>& x) { write("act", x); }
    void set_ctrl(const Matrix<value_type>& x) { write("ctrl", x); }
    void set_qfrc_applied(const Matrix<value_type>& x) { write("qfrc_applied", x); }
    void set_xfrc_applied(const Matrix<value_type>& x) { write("xfrc_applied", x); }  // six numbers per body
    // How often an environment ran into the trouble `which` (warning::).
    int warning(int environment, int which) const {
        require_environment(environment);
        return integers(environment / lanes)[which * lanes + environment % lanes];
    }

    // The environments whose state broke and was reset during the last step or rollout.
    Vector<bool> was_reset() const {
        auto mask = Vector<bool>::from_shape({static_cast<std::size_t>(size_)});
        for (int e = 0; e < size_; ++e) mask(static_cast<std::size_t>(e)) = broken_[static_cast<std::size_t>(e)] != 0;
        return mask;
    }

    // n steps of every environment with the controls they have.
    void step(int n = 1) {
        for_each_block([&](int, data_type& d) {
            for (int i = 0; i < n; ++i) inner::step<Integrator, Solver>(model_, d, hooks_);
        });
    }
    void reset() {
        for_each_block([&](int, data_type& d) { inner::reset(model_, d); });
    }
    // Resets the environments chosen.
    void reset(const Vector<bool>& mask) {
        require_shape("reset", mask, {static_cast<std::size_t>(size_)});
        for_each_block([&](int block, data_type& d) {
            reset_lanes(model_, d, lane_mask<S>([&](int k) {
                            const int e = block * lanes + k;
                            return e < size_ && mask(static_cast<std::size_t>(e));
                        }));
        });
    }

    // Steps with controls (environment, step, nu) from the present states on, and tells what happened.
    Rollout<value_type> rollout(const Tensor3<value_type>& controls) {
        const std::size_t steps = controls.shape(1), environments = static_cast<std::size_t>(size_);
        require_shape("rollout", controls, {environments, steps, static_cast<std::size_t>(model_.nu)});
        const auto shaped = [&](int dim) { return Tensor3<value_type>::from_shape({environments, steps, static_cast<std::size_t>(dim)}); };
        Rollout<value_type> result{shaped(model_.nq), shaped(model_.nv), shaped(model_.na), shaped(model_.nsensordata)};
        for_each_block([&](int block, data_type& d) {
            for (std::size_t t = 0; t < steps; ++t) {
                const auto at = [&](auto& array) { return array.data() + t * array.shape(2); };
                gather(block, d.ctrl.data(), model_.nu, at(controls), steps);
                inner::step<Integrator, Solver>(model_, d, hooks_);
                scatter(block, d.qpos.data(), model_.nq, at(result.qpos), steps);
                scatter(block, d.qvel.data(), model_.nv, at(result.qvel), steps);
                scatter(block, d.act.data(), model_.na, at(result.act), steps);
                scatter(block, d.sensordata.data(), model_.nsensordata, at(result.sensordata), steps);
            }
        });
        return result;
    }

    // The same, and calls f(block, step, data) before each step, when all that does not depend on forces has been computed (step1), and
    // once more at the state after the last: lane k of block b is environment b * lanes + k. Blocks are called from several threads.
    template <class F>
    void rollout(const Tensor3<value_type>& controls, F&& f) {
        const int steps = static_cast<int>(controls.shape(1));
        require_shape("rollout", controls, {static_cast<std::size_t>(size_), controls.shape(1), static_cast<std::size_t>(model_.nu)});
        for_each_block([&](int block, data_type& d) {
            for (int t = 0; t <= steps; ++t) {
                if (t < steps)
                    gather(block, d.ctrl.data(), model_.nu, controls.data() + static_cast<std::ptrdiff_t>(t) * model_.nu,
                           controls.shape(1));
                step1<Solver>(model_, d, hooks_);
                f(block, t, d);
                if (t < steps) step2<Integrator, Solver>(model_, d, hooks_);
            }
        });
    }

    // A and B of the step that each environment would do next, exactly (derivative/exact.hpp); `result` keeps its memory. The model is
    // that of the first call.
    void derivatives(BatchDerivatives<value_type>& result) {
        struct Worker {
            Simulator<S, Integrator, Solver, M, Hooks> sim;
            TransitionDerivatives<Simulator<S, Integrator, Solver, M, Hooks>> transition{sim, false};
        };
        using Workers = std::vector<std::unique_ptr<Worker>>;
        if (!differentiation_) {
            auto made = std::make_shared<Workers>();
            for (int t = 0; t < pool_.size(); ++t) made->emplace_back(new Worker{environments_simulator()});
            differentiation_ = made;
        }
        auto& workers = *static_cast<Workers*>(differentiation_.get());
        const int n = state_columns(model_);
        const auto shape = [&](int columns) {
            return std::array{static_cast<std::size_t>(size_), static_cast<std::size_t>(n), static_cast<std::size_t>(columns)};
        };
        if (result.A.shape() != shape(n) || result.B.shape() != shape(model_.nu)) {
            result.A.resize(shape(n));
            result.B.resize(shape(model_.nu));
        }
        pool_.for_each(blocks(), [&](int block, int thread) {
            Worker& w = *workers[static_cast<std::size_t>(thread)];
            load(block, w.sim.data());
            const Transition<S>& found = w.transition(w.sim);
            scatter(block, found.A.data(), n * n, result.A.data(), 1);
            scatter(block, found.B.data(), n * model_.nu, result.B.data(), 1);
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
        load(environment / lanes, d);
        forward<Solver>(model_, d, hooks_);
        f(model_, d, environment % lanes);
    }

  private:
    // Where a field of numbers is in a block.
    struct Field {
        std::string_view name;
        int first, count;
    };
    model_type model_{};
    [[no_unique_address]] Hooks hooks_{};
    int size_;
    ThreadPool pool_;
    std::vector<std::unique_ptr<data_type>> data_{};  // one for each thread
    std::vector<Field> fields_{};
    int number_count_ = 0, integer_count_ = 0;  // in a block
    std::vector<S> numbers_{};  // state and sensordata, block after block
    std::vector<int> integers_{};  // warnings, then the switches of the state
    std::vector<std::vector<CachedContact<S>>> caches_{};  // contacts that the solver remembers, block by block
    std::vector<int> broken_{};  // resets of each environment during the last call
    std::shared_ptr<void> differentiation_{};  // of each thread, once it is asked for

    // As many environments as the scalar has lanes.
    Simulator<S, Integrator, Solver, M, Hooks> environments_simulator() const {
        if constexpr (M::is_fixed)
            return Simulator<S, Integrator, Solver, M, Hooks>(hooks_);
        else
            return Simulator<S, Integrator, Solver, M, Hooks>(model_, hooks_);
    }
    int blocks() const { return (size_ + lanes - 1) / lanes; }
    S* numbers(int block) { return numbers_.data() + static_cast<std::ptrdiff_t>(block) * number_count_; }
    const S* numbers(int block) const { return numbers_.data() + static_cast<std::ptrdiff_t>(block) * number_count_; }
    int* integers(int block) { return integers_.data() + static_cast<std::ptrdiff_t>(block) * integer_count_; }
    const int* integers(int block) const { return integers_.data() + static_cast<std::ptrdiff_t>(block) * integer_count_; }

    // f(field) for all that a block keeps.
    template <class F, class D>
    static void for_each_kept(F&& f, D& d) {
        f("warning", Section::warning, d.warning);
        for_each_state_field(f, d);
        f("sensordata", Section::post, d.sensordata);
    }

    std::unique_ptr<data_type> made_data() const {
        if constexpr (M::is_fixed)
            return std::make_unique<data_type>(model_);
        else
            return std::make_unique<data_type>(model_, room_for<Integrator, Solver, S>(model_));
    }
    void prepare() {
        if (size_ < 1)
            throw std::invalid_argument("Batch: the number of environments is " + std::to_string(size_) + ", expected at least 1");
        for (int t = 0; t < pool_.size(); ++t) data_.push_back(made_data());
        for_each_kept(
            [&](const char* name, Section, const auto& x) {
                constexpr bool integer = is_switch_v<item_t<decltype(x)>>;
                const int count = number_count(x);
                if constexpr (!integer) fields_.push_back({name, number_count_, count});
                (integer ? integer_count_ : number_count_) += count;
            },
            *data_.front());
        const auto count = static_cast<std::size_t>(blocks());
        try {
            numbers_.resize(count * static_cast<std::size_t>(number_count_), S(0));
            caches_.resize(count);
            integers_.resize(count * static_cast<std::size_t>(integer_count_), 0);
            broken_.resize(count * lanes, 0);
        } catch (const std::exception&) {  // no memory, or more than a vector can be asked for
            throw memory_error(count * static_cast<std::size_t>(number_count_) * sizeof(S));
        }
        reset();
    }

    // Visits the numbers of a block together with their places in Data.
    template <class F>
    void visit(int block, data_type& d, F&& f) {
        S* number = numbers(block);
        int* integer = integers(block);
        for_each_kept(
            [&](const char*, Section, auto& x) {
                for_each_number(
                    [&](auto& c) {
                        if constexpr (is_switch_v<decltype(c)>)
                            f(c, *integer++);
                        else
                            f(c, *number++);
                    },
                    x);
            },
            d);
    }
    void load(int block, data_type& d) {
        visit(block, d, [](auto& in_data, auto& kept) { in_data = kept; });
        restore_cache(d, caches_[static_cast<std::size_t>(block)]);
    }
    template <class F>
    void for_each_block(F&& f) {
        std::exception_ptr trouble;
        std::mutex telling;
        int first = blocks();
        pool_.for_each(blocks(), [&](int block, int thread) {
            data_type& d = *data_[static_cast<std::size_t>(thread)];
            try {
                load(block, d);
                count_resets(block, d, -1);
                f(block, d);
                caches_[static_cast<std::size_t>(block)].assign(d.cache.begin(), d.cache.begin() + d.ncache);
                count_resets(block, d, 1);
                visit(block, d, [](auto& in_data, auto& kept) { kept = in_data; });
            } catch (...) {
                for (int k = 0; k < lanes; ++k) broken_[static_cast<std::size_t>(block * lanes + k)] = 0;
                const std::lock_guard<std::mutex> lock(telling);
                if (block < first) trouble = std::current_exception();
                if (block < first) first = block;
            }
        });
        if (trouble) std::rethrow_exception(trouble);
    }
    // Before a call with sign -1, after it with 1: what is left is what the call brought. A reset of the batch clears all counts.
    void count_resets(int block, const data_type& d, int sign) {
        for (int k = 0; k < lanes; ++k) {
            int count = 0;
            for (const int which : {warning::badqpos, warning::badqvel, warning::badqacc, warning::badact})
                count += lane_warning(d, which, k);
            int& broken = broken_[static_cast<std::size_t>(block * lanes + k)];
            broken = sign < 0 ? -count : count == 0 ? 0 : broken + count;
        }
    }
    // `dim` numbers of each environment of a block, between lanes and an array with `rows` rows for each environment; `array` is the row of
    // environment 0.
    void scatter(int block, const S* numbers, int dim, value_type* array, std::size_t rows) const {
        for (int i = 0; i < dim; ++i) {
            const auto values = std::bit_cast<std::array<value_type, lanes>>(numbers[i]);
            for (int k = 0; k < lanes && block * lanes + k < size_; ++k)
                array[entry(block, k, rows, dim, i)] = values[static_cast<std::size_t>(k)];
        }
    }
    void gather(int block, S* numbers, int dim, const value_type* array, std::size_t rows) const {
        for (int i = 0; i < dim; ++i) {
            auto values = std::bit_cast<std::array<value_type, lanes>>(numbers[i]);
            for (int k = 0; k < lanes && block * lanes + k < size_; ++k)
                values[static_cast<std::size_t>(k)] = array[entry(block, k, rows, dim, i)];
            numbers[i] = std::bit_cast<S>(values);
        }
    }
    static std::size_t entry(int block, int k, std::size_t rows, int dim, int i) {
        return static_cast<std::size_t>(block * lanes + k) * rows * static_cast<std::size_t>(dim) + static_cast<std::size_t>(i);
    }

    const Field& field(std::string_view name) const {
        const Field* found = &fields_.front();
        for (const Field& f : fields_)
            if (f.name == name) found = &f;
        return *found;
    }
    Matrix<value_type> read(std::string_view name) const {
        const Field& f = field(name);
        auto result = Matrix<value_type>::from_shape({static_cast<std::size_t>(size_), static_cast<std::size_t>(f.count)});
        for (int block = 0; block < blocks(); ++block) scatter(block, numbers(block) + f.first, f.count, result.data(), 1);
        return result;
    }
    void write(std::string_view name, const Matrix<value_type>& x) {
        const Field& f = field(name);
        require_shape(name, x, {static_cast<std::size_t>(size_), static_cast<std::size_t>(f.count)});
        for (int block = 0; block < blocks(); ++block) gather(block, numbers(block) + f.first, f.count, x.data(), 1);
    }
    template <class A>
    static void require_shape(std::string_view what, const A& given, const typename A::shape_type& expected) {
        if (given.shape() == expected) return;
        const auto text = [](const auto& shape) {
            std::string list;
            for (const std::size_t n : shape) list += (list.empty() ? "(" : ", ") + std::to_string(n);
            return list + ")";
        };
        throw std::invalid_argument("Batch: " + std::string(what) + " was given an array of shape " + text(given.shape()) + ", expected " +
                                    text(expected));
    }
    void require_environment(int environment) const {
        if (environment < 0 || environment >= size_)
            throw std::invalid_argument("Batch: there is no environment " + std::to_string(environment) + ", expected 0 to " +
                                        std::to_string(size_ - 1));
    }
};

}  // namespace mjx::inner
