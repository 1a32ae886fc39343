// SyclBatch<Scalar, Integrator, Solver, Model>: many environments of a fixed model on a SYCL device, one work item for each.
//
//     mjx::SyclBatch<float, mjx::Euler, mjx::Newton, models::Humanoid> batch(4096, queue);
//     batch.ctrl(e, i) = 0.5f;
//     batch.step(10);
//     float height = batch.qpos(e, 2);
// The kernel is mjx::step itself. States are in unified shared memory, structure of arrays: the same number of neighbouring
// environments is next to each other, so that neighbouring work items read neighbouring addresses. A Data is too large for a work
// item's private memory; each work item has one in device memory and takes one environment after the other.
#pragma once

#include "mjx/data/walk.hpp"
#include "mjx/simulator.hpp"

#include <sycl/sycl.hpp>

#include <cstddef>

namespace mjx::inner {

// The numbers of a state in the order of for_each_state_field; eq_active is a constant of the model here, and every
// call finds all trees awake.
template <class M>
struct StateLayout {
    static constexpr int time = 0, qpos = 1, qvel = qpos + M::nq, act = qvel + M::nv, history = act + M::na,
                         qacc_warmstart = history + M::nhistory, ctrl = qacc_warmstart + M::nv, qfrc_applied = ctrl + M::nu,
                         xfrc_applied = qfrc_applied + M::nv, mocap_pos = xfrc_applied + 6 * M::nbody,
                         mocap_quat = mocap_pos + 3 * M::nmocap, userdata = mocap_quat + 4 * M::nmocap,
                         sleep_qpos = userdata + M::nuserdata, sensordata = sleep_qpos + M::nq, count = sensordata + M::nsensordata;
};

template <class S, class Integrator, class Solver, class M>
class SyclBatch {
    static_assert(std::floating_point<S>, "SyclBatch runs environments of float or double: a work item is what a lane is elsewhere");
    static_assert(M::is_fixed, "SyclBatch needs a fixed model, written by mjx_add_model: kernels cannot follow a model on the heap");

  public:
    using scalar = S;
    using model_type = typename M::template rebind<S>;
    using data_type = Data<S, model_type, lean_space<Integrator, Solver>>;
    using layout = StateLayout<model_type>;

    // work_items = 0: on a CPU as many as there are compute units, elsewhere one for each environment as far as a gigabyte goes.
    explicit SyclBatch(int environments, sycl::queue queue = sycl::queue{}, int work_items = 0)
        : queue_(queue),
          size_(environments),
          work_items_(work_items > 0 ? work_items : default_work_items()),
          numbers_(sycl::malloc_shared<S>(count(layout::count), queue_)),
          warnings_(sycl::malloc_shared<int>(count(warning::count), queue_)),
          caches_(sycl::malloc_shared<CachedContact<S>>(count(cached_contacts), queue_)),
          cached_(sycl::malloc_shared<int>(count(1), queue_)),
          data_(static_cast<data_type*>(
              sycl::aligned_alloc_device(alignof(data_type), sizeof(data_type) * static_cast<std::size_t>(work_items_), queue_))) {
        queue_.memset(cached_, 0, sizeof(int) * count(1)).wait();
        queue_.memset(data_, 0, sizeof(data_type) * static_cast<std::size_t>(work_items_)).wait();
        reset();
    }
    SyclBatch(const SyclBatch&) = delete;
    SyclBatch& operator=(const SyclBatch&) = delete;
    ~SyclBatch() {
        sycl::free(numbers_, queue_);
        sycl::free(warnings_, queue_);
        sycl::free(caches_, queue_);
        sycl::free(cached_, queue_);
        sycl::free(data_, queue_);
    }

    int size() const { return size_; }
    sycl::queue& queue() { return queue_; }
    // The numbers themselves, readable by host and device: entry i of environment e is at i * size() + e.
    S* numbers() { return numbers_; }

    // State and inputs of environment e, writable between steps.
    S& time(int e) { return at(layout::time, e); }
    S& qpos(int e, int i) { return at(layout::qpos + i, e); }
    S& qvel(int e, int i) { return at(layout::qvel + i, e); }
    S& act(int e, int i) { return at(layout::act + i, e); }
    S& ctrl(int e, int i) { return at(layout::ctrl + i, e); }
    S& qfrc_applied(int e, int i) { return at(layout::qfrc_applied + i, e); }
    S& sensordata(int e, int i) { return at(layout::sensordata + i, e); }
    int warning(int e, int which) const { return warnings_[which * size_ + e]; }

    // n steps of every environment.
    void step(int n = 1) {
        for_each_environment([n](const model_type& m, data_type& d) {
            for (int k = 0; k < n; ++k) inner::step<Integrator, Solver>(m, d);
        });
    }
    void reset() {
        for_each_environment([](const model_type& m, data_type& d) { inner::reset(m, d); });
    }
    // chosen(e) says which environments start again.
    template <class F>
    void reset(F&& chosen) {
        data_type* start = sycl::malloc_shared<data_type>(1, queue_);
        queue_.memset(start, 0, sizeof(data_type)).wait();
        inner::reset(model_type{}, *start);
        for (int e = 0; e < size_; ++e)
            if (chosen(e)) store(*start, states(), e);
        sycl::free(start, queue_);
    }

  private:
    sycl::queue queue_;
    int size_, work_items_;
    S* numbers_;
    int* warnings_;
    CachedContact<S>* caches_;  // contacts that the solver remembers, environment after environment
    int* cached_;               // their number
    data_type* data_;

    static constexpr int cached_contacts = Solver::remembers_contacts ? extent(model_type{}, Dim::nconmax, 1) : 0;

    // What the kernels take with them.
    struct Store {
        S* numbers;
        int* warnings;
        CachedContact<S>* caches;
        int* cached;
        int size;
    };
    Store states() const { return {numbers_, warnings_, caches_, cached_, size_}; }

    std::size_t count(int each) const { return static_cast<std::size_t>(each) * static_cast<std::size_t>(size_); }
    S& at(int i, int e) { return numbers_[i * size_ + e]; }

    int default_work_items() const {
        constexpr auto budget = std::size_t(1) << 30;
        const auto device = queue_.get_device();
        const auto most = device.is_cpu() ? std::size_t(device.get_info<sycl::info::device::max_compute_units>())
                                          : budget / sizeof(data_type) + 1;
        return most < static_cast<std::size_t>(size_) ? static_cast<int>(most) : size_;
    }

    // f(component of Data, its index in the state).
    template <class F>
    static void visit(data_type& d, F&& f) {
        int i = 0;
        const auto number = [&](auto& x) {
            if constexpr (!is_switch_v<decltype(x)>) f(x, i++);
        };
        for_each_state_number(number, d);
        for_each_number(number, d.sensordata);
    }
    static void load(data_type& d, const Store& from, int e) {
        visit(d, [&](S& c, int i) { c = from.numbers[i * from.size + e]; });
        for (int w = 0; w < warning::count; ++w) d.warning[w] = from.warnings[w * from.size + e];
        for (int q = 0; q < model_type::neq; ++q) d.eq_active[q] = model_type::eq_active0[q];
        for (int t = 0; t < model_type::ntree; ++t) d.tree_asleep[t] = tree_awake;
        d.ncache = cached_contacts > 0 ? from.cached[e] : 0;
        for (int c = 0; c < d.ncache; ++c) d.cache[c] = from.caches[static_cast<std::ptrdiff_t>(e) * cached_contacts + c];
    }
    static void store(data_type& d, const Store& to, int e) {
        visit(d, [&](S& c, int i) { to.numbers[i * to.size + e] = c; });
        for (int w = 0; w < warning::count; ++w) to.warnings[w * to.size + e] = d.warning[w];
        if constexpr (cached_contacts > 0) {
            to.cached[e] = d.ncache;
            for (int c = 0; c < d.ncache; ++c) to.caches[static_cast<std::ptrdiff_t>(e) * cached_contacts + c] = d.cache[c];
        }
    }

    template <class F>
    void for_each_environment(F f) {
        const int stride = work_items_;
        const Store states = this->states();
        data_type* data = data_;
        queue_
            .parallel_for(sycl::range<1>(static_cast<std::size_t>(stride)),
                          [=](sycl::id<1> id) {
                              const model_type m{};
                              data_type& d = data[id[0]];
                              for (int e = static_cast<int>(id[0]); e < states.size; e += stride) {
                                  load(d, states, e);
                                  f(m, d);
                                  store(d, states, e);
                              }
                          })
            .wait();
    }
};

}  // namespace mjx::inner
