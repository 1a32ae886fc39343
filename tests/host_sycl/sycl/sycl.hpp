// The few calls of SYCL that mjx/batch/sycl.hpp makes, on the host: so that it is compiled and run where there is no SYCL compiler.
//
// No SYCL implementation, and no statement about one. What a SYCL may do and a test could overlook is done on purpose: memory is handed out
// full of rubbish, work items run in several threads and in no useful order, and a kernel waits for the events it was given and for nothing
// else. What is freed or ends while a kernel runs is for the sanitizers to find.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <future>
#include <thread>
#include <vector>

namespace sycl {

template <int Dimensions>
struct range {
    static_assert(Dimensions == 1);
    explicit range(std::size_t n) : count(n) {}
    std::size_t count;
};
template <int Dimensions>
struct id {
    std::size_t index;
    std::size_t operator[](int) const { return index; }
};

class event {
  public:
    event() = default;
    explicit event(std::shared_future<void> end) : end_(std::move(end)) {}
    void wait() const {
        if (end_.valid()) end_.get();
    }

  private:
    std::shared_future<void> end_{};
};

namespace info::device {
struct max_compute_units {
    static constexpr unsigned value = 3;
};
struct global_mem_size {
    static constexpr unsigned long value = 1ul << 30;
};
}  // namespace info::device

class device {
  public:
    bool is_cpu() const { return true; }
    template <class Info>
    auto get_info() const {
        return Info::value;
    }
};

class queue {
  public:
    device get_device() const { return {}; }

    template <class Kernel>
    event parallel_for(range<1> items, const std::vector<event>& after, const Kernel& kernel) {
        return event(std::async(std::launch::async, [items, after, kernel] {
                         for (const event& e : after) e.wait();
                         constexpr std::size_t threads = 3;
                         std::vector<std::thread> running;
                         for (std::size_t t = 0; t < threads; ++t)
                             running.emplace_back([&items, &kernel, t] {
                                 for (std::size_t i = items.count; i-- > 0;)
                                     if (i % threads == t) kernel(id<1>{i});
                             });
                         for (std::thread& thread : running) thread.join();
                     }).share());
    }
};

template <class T>
T* malloc_shared(std::size_t count, const queue&) {
    void* memory = std::malloc(count * sizeof(T) + 1);
    std::memset(memory, 0xa5, count * sizeof(T));
    return static_cast<T*>(memory);
}
inline void* aligned_alloc_device(std::size_t alignment, std::size_t bytes, const queue&) {
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    std::memset(memory, 0xa5, bytes);
    return memory;
}
inline void free(void* memory, const queue&) { std::free(memory); }

}  // namespace sycl
