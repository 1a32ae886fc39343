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
                         mocap_quat = mocap_pos + 3 * M::nmocap,
                         userdata = mocap_quat + 4 * M::nmocap, sleep_qpos = userdata + M::nuserdata, sensordata = sleep_qpos + M::nq,
                         count = sensordata + M::nsensordata;
};

template <class S, class Integrator, class Solver, class M>
class SyclBatch {
    static_assert(std::floating_point<S>, "SyclBatch runs environments of float or double: a work item is what a lane is elsewhere");
    static_assert(M::is_fixed, "SyclBatch needs a fixed model, written by mjx_add_model: kernels cannot follow a model on the heap");

  public:
    using scalar = S;
    using model_type = typename M::template rebind<S>;
    using data_type = Data<S, model_type>;
    using layout = StateLayout<model_type>;

    // work_items = 0: on a CPU as many as there are compute units, elsewhere one for each environment as far as a gigabyte goes.
    explicit SyclBatch(int environments, sycl::queue queue = sycl::queue{}, int work_items = 0)
        : queue_(queue), size_(environments), work_items_(work_items > 0 ? work_items : default_work_items()),
          numbers_(sycl::malloc_shared<S>(count(layout::count), queue_)),
          warnings_(sycl::malloc_shared<int>(count(warning::count), queue_)),
          data_(static_cast<data_type*>(sycl::aligned_alloc_device(
              alignof(data_type), sizeof(data_type) * static_cast<std::size_t>(work_items_), queue_))) {
        queue_.memset(data_, 0, sizeof(data_type) * static_cast<std::size_t>(work_items_)).wait();
        reset();
    }
    SyclBatch(const SyclBatch&) = delete;
    SyclBatch& operator=(const SyclBatch&) = delete;
    ~SyclBatch() {
        sycl::free(numbers_, queue_);
        sycl::free(warnings_, queue_);
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
        inner::reset(model_type{}, *start);
        for (int e = 0; e < size_; ++e)
            if (chosen(e)) store(*start, numbers_, warnings_, e, size_);
        sycl::free(start, queue_);
    }

  private:
    sycl::queue queue_;
    int size_, work_items_;
    S* numbers_;
    int* warnings_;
    data_type* data_;

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
    static void load(data_type& d, const S* numbers, const int* warnings, int e, int size) {
        visit(d, [&](S& c, int i) { c = numbers[i * size + e]; });
        for (int w = 0; w < warning::count; ++w) d.warning[w] = warnings[w * size + e];
        for (int q = 0; q < model_type::neq; ++q) d.eq_active[q] = model_type::eq_active0[q];
        for (int t = 0; t < model_type::ntree; ++t) d.tree_asleep[t] = tree_awake;
    }
    static void store(data_type& d, S* numbers, int* warnings, int e, int size) {
        visit(d, [&](S& c, int i) { numbers[i * size + e] = c; });
        for (int w = 0; w < warning::count; ++w) warnings[w * size + e] = d.warning[w];
    }

    template <class F>
    void for_each_environment(F f) {
        const int size = size_, stride = work_items_;
        S* numbers = numbers_;
        int* warnings = warnings_;
        data_type* data = data_;
        queue_.parallel_for(sycl::range<1>(static_cast<std::size_t>(stride)), [=](sycl::id<1> id) {
            const model_type m{};
            data_type& d = data[id[0]];
            for (int e = static_cast<int>(id[0]); e < size; e += stride) {
                load(d, numbers, warnings, e, size);
                f(m, d);
                store(d, numbers, warnings, e, size);
            }
        }).wait();
    }
};

}  // namespace mjx::inner
