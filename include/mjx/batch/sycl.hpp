// SyclBatch<Scalar, Integrator, Solver, Model, Hooks>: many environments of a fixed model on a SYCL device, one work item for each.
//
//     mjx::SyclBatch<float, mjx::Euler, mjx::Newton, models::Humanoid> batch(4096, queue);
//     batch.ctrl(e, i) = 0.5f;
//     batch.step(10);
//     float height = batch.qpos(e, 2);
// The kernel is mjx::step itself. What is kept of the environments (device_states.hpp) is in unified shared memory, for the host, and for
// a learner's kernels on the same device. A Data of at most private_limit is in the private memory of its work item, which a GPU
// interleaves over the lanes of a warp by itself: what is at the same place for neighbours is moved in one go. CONTACTS and ROWS of
// mjx_add_model make it small. Larger ones are in device memory, as many as a share of it holds, and a work item takes one environment
// after the other. So are the polytopes of EPA (collision/ccd.hpp), of models that need them. Results do not depend on the number of work
// items, bit by bit. Environments may have tables of the model of their own (model/own_model.hpp), and large tables are in the device's
// memory (model/kernel_model.hpp).
//
// step, rollout and reset return when they are done; enqueue does not, and neither do the others' enqueue_ forms. Kernels of a batch run
// one after the other; the host looks at its arrays after wait(), and kernels of others after event().
#pragma once

#include "mjx/batch/device_states.hpp"
#include "mjx/batch/environment.hpp"
#include "mjx/batch/own_environments.hpp"
#include "mjx/collision/distance.hpp"
#include "mjx/data/state.hpp"
#include "mjx/model/kernel_model.hpp"
#include "mjx/simulator.hpp"

#include <sycl/sycl.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mjx::inner {

// The model that kernels have: one for kernels (model/kernel_model.hpp), unless AdaptiveCpp compiles them for the CPU alone, ahead of time.
#if defined(__ACPP_ENABLE_OMPHOST_TARGET__) && !defined(__ACPP_ENABLE_LLVM_SSCP_TARGET__) && !defined(__ACPP_ENABLE_CUDA_TARGET__) && \
    !defined(__ACPP_ENABLE_HIP_TARGET__)
template <class M>
using kernel_model = M;
#else
template <class M>
using kernel_model = InKernel<M>;
#endif

// What happened in a rollout, as arrays (step, dimension, environment) in unified memory; null: not wanted.
template <class S>
struct SyclRollout {
    S *qpos = nullptr, *qvel = nullptr, *act = nullptr, *sensordata = nullptr;
};

template <class S, class Integrator, class Solver, class M, class Hooks = no_hooks>
class SyclBatch {
    static_assert(std::floating_point<S>, "SyclBatch runs environments of float or double: a work item is what a lane is elsewhere");
    static_assert(M::is_fixed, "SyclBatch needs a fixed model, written by mjx_add_model: kernels cannot follow a model on the heap");

  public:
    using scalar = S;
    using model_type = typename Simulator<S, Integrator, Solver, kernel_model<M>, Hooks>::model_type;
    using data_type = typename Simulator<S, Integrator, Solver, kernel_model<M>, Hooks>::data_type;

    static constexpr std::size_t private_limit = std::size_t(128) << 10;
    static constexpr bool is_private = sizeof(data_type) <= private_limit;

    // work_items = 0: one for each environment where all that it works on is private. Where it is not, as many as a quarter of the device's
    // memory has room for, or on a CPU as there are compute units. Hooks are copied to the device.
    explicit SyclBatch(int environments, sycl::queue queue = sycl::queue{}, int work_items = 0, Hooks hooks = {})
        : queue_(queue),
          hooks_(hooks),
          size_(checked(environments)),
          work_items_(work_items > 0 ? work_items : default_work_items()),
          host_(std::make_unique<data_type>(model_type{})),
          rows_(Kept::rows(*host_)),
          kept_{shared<S>(rows_.numbers), shared<int>(rows_.integers), size_},
          own_(own_rows() > 0 ? shared<S>(own_rows()) : nullptr),
          broken_(shared<int>(1)),
          chosen_(shared<int>(1)) {
        place_tables();
        share_parameters();
        if constexpr (!is_private) data_ = for_work_items<data_type>();
        if constexpr (has_polytopes) model_.polytope = polytopes_ = for_work_items<polytope_of<model_type>>();
        int first = 0;
        Kept::for_each_kept(
            [&](const char* name, Section, const auto& x) {
                if constexpr (is_switch_v<item_t<decltype(x)>>) return;
                fields_.push_back({name, first, number_count(x)});
                first += number_count(x);
            },
            *host_);
        place_ = {array("time"), array("qpos"), array("qvel"), array("act"), array("ctrl"), array("qfrc_applied"), array("sensordata")};
        clear();
        reset();
    }
    SyclBatch(const SyclBatch&) = delete;
    SyclBatch& operator=(const SyclBatch&) = delete;
    ~SyclBatch() {
        wait();
        for (void* memory :
             {static_cast<void*>(kept_.numbers), static_cast<void*>(kept_.integers), static_cast<void*>(broken_), static_cast<void*>(own_),
              static_cast<void*>(chosen_), static_cast<void*>(data_), static_cast<void*>(polytopes_), static_cast<void*>(tables_)})
            if (memory != nullptr) sycl::free(memory, queue_);
    }

    int size() const { return size_; }
    int work_items() const { return work_items_; }
    sycl::queue& queue() { return queue_; }

    // A field of the state, or sensordata, where host and device find it: number i of environment e is at [i * size() + e].
    S* array(std::string_view field) const { return kept_.numbers + std::ptrdiff_t(find(field).first) * size_; }
    int array_rows(std::string_view field) const { return find(field).count; }
    // The same by number, writable between steps.
    S& time(int e) { return entry(place_.time, e, 0); }
    S& qpos(int e, int i) { return entry(place_.qpos, e, i); }
    S& qvel(int e, int i) { return entry(place_.qvel, e, i); }
    S& act(int e, int i) { return entry(place_.act, e, i); }
    S& ctrl(int e, int i) { return entry(place_.ctrl, e, i); }
    S& qfrc_applied(int e, int i) { return entry(place_.qfrc_applied, e, i); }
    S& sensordata(int e, int i) { return entry(place_.sensordata, e, i); }

    // A table or option that every environment has its own of (WithOwn): number i of environment e is at [i * size() + e]. What no
    // constants follow from (frictions, gains, damping, gravity) may be written there between steps, by the host or a kernel,
    // as long as zeros that code goes by stay zero (stays_zero, in model/own_model.hpp).
    S* parameters(std::string_view table) const { return own_ + std::ptrdiff_t(find_own(table).first) * size_; }
    int parameter_rows(std::string_view table) const { return find_own(table).count; }
    // Gives each environment its own, in the same order, with all that follows: body_mass with the inertia, geom_size with bounds and
    // inertia. The numbers may be those written to parameters(table).
    void set_parameters(std::string_view table, const S* numbers) {
        static_assert(has_own_tables<model_type>,
                      "parameters of a fixed model are constants: WithOwn<models::Name, \"body_mass\"> has its own");
        const Field field = find_own(table);
        const int rows = own_rows();
        wait();
        OwnEnvironments<model_type> next = kept_own_ ? *kept_own_ : OwnEnvironments<model_type>(size_);
        const auto worker = next.make_worker();
        for (int e = 0; e < size_; ++e) {
            for (int i = 0; i < rows; ++i)
                if ((i < field.first || i >= field.first + field.count) && S(next.numbers(e)[i]) != own_[std::ptrdiff_t(i) * size_ + e])
                    next.numbers(e)[i] = own_[std::ptrdiff_t(i) * size_ + e];  // was written in place
            const std::string refused = next.change(*worker, e, table, [&](int i) { return numbers[std::ptrdiff_t(i) * size_ + e]; });
            if (!refused.empty()) throw std::invalid_argument("SyclBatch: environment " + std::to_string(e) + ": " + refused);
        }
        for (int e = 0; e < size_; ++e)
            for (int i = 0; i < rows; ++i) own_[std::ptrdiff_t(i) * size_ + e] = S(next.numbers(e)[i]);
        kept_own_ = std::make_unique<OwnEnvironments<model_type>>(std::move(next));
    }
    // All environments have the model's again.
    void share_parameters() {
        wait();
        if constexpr (has_own_tables<model_type>) kept_own_.reset();
        visit_own([&](const char*, const auto& table, int first) {
            for (int e = 0; e < size_; ++e) {
                S* number = own_ + std::ptrdiff_t(first) * size_ + e;
                for_each_number([&](const auto& x) { *number = S(x), number += size_; }, table);
            }
        });
    }

    // All that an environment continues from.
    State<S> state(int e) {
        load(e);
        return State<S>(*host_);
    }
    void set_state(int e, const State<S>& state) {
        load(e);
        state.restore(*host_);
        kept_.store(*host_, e);
    }
    // Every environment goes on from this state.
    void set_state(const State<S>& state) {
        for (int e = 0; e < size_; ++e) set_state(e, state);
    }

    // How often an environment ran into the trouble `which` (mjx::warning::), and the last of it in words.
    int warning(int e, int which) const { return kept_.integers[which * size_ + checked_environment(e)]; }
    std::string warning_text(int e, int which) {
        load(e);
        const int count = host_->warning[which];
        return count == 0 ? "" : inner::warning_text(model_type{}, *host_, which, 0, count, " in environment " + std::to_string(e));
    }
    // Whether the state of an environment broke during the last steps or rollout, and was therefore reset.
    bool was_bad(int e) const { return broken_[checked_environment(e)] != 0; }
    bool was_reset(int e) const { return was_bad(e) && !model_type{}.opt.disabled(disable::autoreset); }

    // n steps of every environment.
    void step(int n = 1) { enqueue(n).wait(); }
    sycl::event enqueue(int n = 1, const std::vector<sycl::event>& after = {}) { return enqueue_rollout(n, nullptr, {}, after); }
    // The same, and f(model, data, environment) on the device after the last of them: what it is to remember it writes to memory of the
    // device. Positions are then those after the step; what was computed on the way, contacts among it, is that before it.
    template <class F>
        requires std::invocable<const F&, const model_type&, const data_type&, int>
    void step(int n, const F& f) {
        enqueue(n, f).wait();
    }
    template <class F>
        requires std::invocable<const F&, const model_type&, const data_type&, int>
    sycl::event enqueue(int n, const F& f, const std::vector<sycl::event>& after = {}) {
        return enqueue_steps(n, nullptr, {}, f, after);
    }
    // Steps with controls (step, control, environment) in unified memory from the present states on.
    void rollout(int steps, const S* controls, const SyclRollout<S>& result) { enqueue_rollout(steps, controls, result).wait(); }
    sycl::event enqueue_rollout(int steps, const S* controls, const SyclRollout<S>& result, const std::vector<sycl::event>& after = {}) {
        return enqueue_steps(
            steps, controls, result, [](const model_type&, const data_type&, int) {}, after);
    }
    // f(model, data, environment) on the device, with everything computed at the present states. Changes of the data do not last.
    template <class F>
    void map(F f) {
        for_each_environment(
            [=, hooks = hooks_](const model_type& m, data_type& d, int e) {
                forward<solver_of<Integrator, Solver>>(m, d, hooks);
                f(m, std::as_const(d), e);
            },
            {}, false)
            .wait();
    }

    void reset() {
        wait();
        for (int e = 0; e < size_; ++e) chosen_[e] = 1;
        enqueue_reset(chosen_).wait();
        for (int i = 0; i < 2 * warning::count * size_; ++i) kept_.integers[i] = 0;
    }
    // chosen(e) says which environments start again, at keyframe `key` or at rest. They keep their counts of warnings.
    template <std::predicate<int> F>
    void reset(F&& chosen, int key = -1) {
        choose(chosen, key);
        enqueue_reset(chosen_, key).wait();
    }
    // The same with a mask in unified memory, that a kernel may have written.
    sycl::event enqueue_reset(const int* mask, int key = -1, const std::vector<sycl::event>& after = {}) {
        return for_each_environment(
            [=](const model_type& m, data_type& d, int e) {
                if (mask[e] != 0) reset_lanes_to_keyframe(m, d, key, true);
            },
            after);
    }

    // Resets them, and then f(environment, random) may move each, on the device: environment.qpos[i] = random.uniform(-1, 1). The random
    // numbers follow from the seed and the environment's number, as in Batch.
    template <std::predicate<int> C, class F>
        requires std::invocable<const F&, Environment<S>, EnvironmentRandom&>
    void reset(C&& chosen, std::uint64_t seed, const F& f, int key = -1) {
        choose(chosen, key);
        enqueue_reset(chosen_, seed, f, key).wait();
    }
    template <class F>
        requires std::invocable<const F&, Environment<S>, EnvironmentRandom&>
    sycl::event enqueue_reset(const int* mask, std::uint64_t seed, const F& f, int key = -1, const std::vector<sycl::event>& after = {}) {
        return for_each_environment(
            [=](const model_type& m, data_type& d, int e) {
                if (mask[e] == 0) return;
                reset_lanes_to_keyframe(m, d, key, true);
                EnvironmentRandom random(seed, e);
                f(environment_of(d, e, 0), random);
            },
            after);
    }

    // Until all that was asked for is done.
    void wait() { last_.wait(); }
    // The end of what was asked for last.
    sycl::event event() const { return last_; }

  private:
    using Kept = DeviceStates<S, data_type>;
    static constexpr bool has_polytopes = in_kernel_v<model_type> && uses_epa<model_type>();
    struct Field {
        std::string_view name;
        int first, count;
    };
    sycl::queue queue_;
    [[no_unique_address]] Hooks hooks_;
    int size_, work_items_;
    std::unique_ptr<data_type> host_;  // one environment at a time on the host
    typename Kept::Rows rows_;
    Kept kept_;
    S* own_;  // the environments' own tables
    std::unique_ptr<OwnEnvironments<model_type>> kept_own_{};  // the same on the host, once something follows from them
    int* broken_;  // how often each environment broke during the last steps
    int* chosen_;
    data_type* data_ = nullptr;  // one for each work item, where they are not private
    polytope_of<model_type>* polytopes_ = nullptr;  // one for each work item, where EPA may run
    std::byte* tables_ = nullptr;  // those that are too large for constants
    model_type model_{};
    std::vector<Field> fields_{};
    struct {
        S *time, *qpos, *qvel, *act, *ctrl, *qfrc_applied, *sensordata;
    } place_{};
    sycl::event last_{};

    S& entry(S* field, int e, int i) const { return field[i * size_ + e]; }

    static int checked(int environments) {
        if (environments < 1)
            throw std::invalid_argument("SyclBatch: the number of environments is " + std::to_string(environments) +
                                        ", expected at least 1");
        return environments;
    }
    int checked_environment(int e) const {
        if (e < 0 || e >= size_)
            throw std::invalid_argument("SyclBatch: there is no environment " + std::to_string(e) + ", expected 0 to " +
                                        std::to_string(size_ - 1));
        return e;
    }
    template <class T>
    T* shared(int rows) {
        return sycl::malloc_shared<T>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(size_), queue_);
    }
    // Memory of the device with a T for each work item.
    template <class T>
    T* for_work_items() {
        return static_cast<T*>(sycl::aligned_alloc_device(alignof(T), sizeof(T) * static_cast<std::size_t>(work_items_), queue_));
    }
    void clear() {
        for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(rows_.numbers) * size_; ++i) kept_.numbers[i] = S(0);
        for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(rows_.integers) * size_; ++i) kept_.integers[i] = 0;
        for (int e = 0; e < size_; ++e) broken_[e] = 0;
    }
    int default_work_items() const {
        constexpr std::size_t bytes = (is_private ? 0 : sizeof(data_type)) + (has_polytopes ? sizeof(polytope_of<model_type>) : 0);
        if constexpr (bytes == 0) {
            return size_;
        } else {
            const auto device = queue_.get_device();
            const auto most = device.is_cpu() ? std::size_t(device.get_info<sycl::info::device::max_compute_units>())
                                              : std::size_t(device.get_info<sycl::info::device::global_mem_size>()) / 4 / bytes + 1;
            return most < static_cast<std::size_t>(size_) ? static_cast<int>(most) : size_;
        }
    }
    const Field& find(std::string_view name) const {
        std::string choices;
        for (const Field& f : fields_) {
            if (f.name == name) return f;
            choices += (choices.empty() ? "" : ", ") + std::string(f.name);
        }
        throw std::invalid_argument("SyclBatch: environments keep no '" + std::string(name) + "', expected one of " + choices);
    }
    // f(name, table, how many numbers are before it) for the tables of their own, as the model has them.
    template <class F>
    static void visit_own([[maybe_unused]] F&& f) {
        if constexpr (has_own_tables<model_type>) {
            int first = 0;
            const model_type m{};
            for_each_own(
                [&](const char* name, const auto& table) {
                    f(name, table, first);
                    first += number_count(table);
                },
                m);
        }
    }
    static int own_rows() {
        int rows = 0;
        visit_own([&](const char*, const auto& table, int first) { rows = first + number_count(table); });
        return rows;
    }
    static Field find_own(std::string_view name) {
        Field found{{}, 0, 0};
        visit_own([&](const char* table, const auto& x, int first) {
            if (name == table) found = {table, first, number_count(x)};
        });
        if (found.name.empty())
            throw std::invalid_argument("SyclBatch: environments share '" + std::string(name) + "', expected " +
                                        (has_own_tables<model_type>
                                             ? own_choices<model_type>()
                                             : "WithOwn<Model, \"" + std::string(name) + "\"> in place of the model"));
        return found;
    }
    // The model of an environment.
    static void load_own([[maybe_unused]] model_type& m, [[maybe_unused]] const S* numbers, [[maybe_unused]] int environments) {
        if constexpr (has_own_tables<model_type>)
            for_each_own(
                [&](const char*, auto& table) {
                    for_each_number([&](auto& x) { x = std::remove_reference_t<decltype(x)>(*numbers), numbers += environments; }, table);
                },
                m);
    }
    // Puts large tables where kernels read them.
    void place_tables() {
        if constexpr (has_places<model_type>) {
            tables_ = sycl::malloc_shared<std::byte>(model_type::buffer_bytes(), queue_);
            std::byte* next = tables_;
            model_.for_each_place([&](auto& table) {
                if (table.bytes() > 0) std::memcpy(next, table.first, table.bytes());
                table.first = reinterpret_cast<decltype(table.first)>(next);
                next += (table.bytes() + 15) / 16 * 16;
            });
        }
    }
    void load(int e) {
        checked_environment(e);
        wait();
        kept_.load(*host_, e);
    }
    template <class F>
    void choose(F& chosen, int key) {
        if (key >= model_type::nkey)
            throw std::invalid_argument("SyclBatch: there is no keyframe " + std::to_string(key) + ", the model has " +
                                        std::to_string(model_type::nkey));
        wait();
        for (int e = 0; e < size_; ++e) chosen_[e] = chosen(e) ? 1 : 0;
    }
    // How often an environment broke so far.
    static int breaks(const data_type& d) {
        return d.warning[warning::badqpos] + d.warning[warning::badqvel] + d.warning[warning::badqacc] + d.warning[warning::badact];
    }

    // Steps, with f(model, data, environment) at their end.
    template <class F>
    sycl::event enqueue_steps(int steps, const S* controls, const SyclRollout<S>& result, const F& f,
                              const std::vector<sycl::event>& after) {
        return for_each_environment(
            [=, n = size_, broken = broken_, hooks = hooks_](const model_type& m, data_type& d, int e) {
                const auto row = [=](auto* array, int t, int count, int i) -> auto& {
                    return array[(std::ptrdiff_t(t) * count + i) * n + e];
                };
                const auto tell = [=](S* array, const auto& field, int t) {
                    if (array != nullptr)
                        for (int i = 0; i < field.size(); ++i) row(array, t, field.size(), i) = field[i];
                };
                const int before = breaks(d);
                for (int t = 0; t < steps; ++t) {
                    if (controls != nullptr)
                        for (int i = 0; i < model_type::nu; ++i) d.ctrl[i] = row(controls, t, model_type::nu, i);
                    inner::step<Integrator, Solver>(m, d, hooks);
                    tell(result.qpos, d.qpos, t);
                    tell(result.qvel, d.qvel, t);
                    tell(result.act, d.act, t);
                    tell(result.sensordata, d.sensordata, t);
                }
                broken[e] = breaks(d) - before;
                f(m, std::as_const(d), e);
            },
            after);
    }
    // f(model, data, environment) for each, in one kernel, after what was asked for before and after `others`.
    template <class F>
    sycl::event for_each_environment(F f, std::vector<sycl::event> others, bool keeps = true) {
        others.push_back(last_);
        const int stride = work_items_;
        const auto serve = [=, kept = kept_, own = own_, model = model_](data_type& d, int first) {
            model_type m = model;
            if constexpr (has_polytopes) m.polytope = static_cast<polytope_of<model_type>*>(m.polytope) + first;  // its own
            for (int e = first; e < kept.environments; e += stride) {
                kept.load(d, e);
                load_own(m, own + e, kept.environments);
                f(std::as_const(m), d, e);
                if (keeps) kept.store(d, e);
            }
        };
        const sycl::range<1> items(static_cast<std::size_t>(stride));
        if constexpr (is_private)
            last_ = queue_.parallel_for(items, others, [=](sycl::id<1> id) {
                data_type d;
                serve(d, static_cast<int>(id[0]));
            });
        else
            last_ = queue_.parallel_for(items, others, [=, data = data_](sycl::id<1> id) {
                data_type& d = data[id[0]];
                static_cast<Loans&>(d.work) = {};
                serve(d, static_cast<int>(id[0]));
            });
        return last_;
    }
};

}  // namespace mjx::inner
