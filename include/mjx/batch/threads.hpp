// ThreadPool: a few threads that wait for work and share it item by item.
//
// The caller is one of them. Every thread has a share of the items of its own, the same in every round so that what belongs to them stays
// in its cache, and helps the others when it is through; work whose items are independent gives the same results for any number of threads.
// A step of a batch takes less than a millisecond and waking a sleeping thread a tenth of that: who waits looks again and again for a while
// before it goes to sleep.
#pragma once

#include "mjx/scalar/language.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <type_traits>
#include <vector>

namespace mjx::inner {

class ThreadPool {
  public:
    // 0 threads: as many as the machine has cores.
    explicit ThreadPool(int threads = 0) : size_(threads > 0 ? threads : cores()), shares_(static_cast<std::size_t>(size_)) {
        try {
            for (int worker = 1; worker < size_; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
        } catch (...) {  // the system has no more threads to give
            finish();
            throw;
        }
    }
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool() { finish(); }
    int size() const { return size_; }

    // f(item, worker) once for each item below `items`; returns when all are done. f must not throw.
    template <class F>
    void for_each(int items, F&& f) {
        job_ = {[](void* context, int item, int worker) { (*static_cast<std::remove_reference_t<F>*>(context))(item, worker); },
                const_cast<void*>(static_cast<const void*>(&f)), items};
        for (int worker = 0; worker < size_; ++worker) share(worker).next = first_item(worker);
        busy_ = size_ - 1;
        round_.fetch_add(1);
        round_.notify_all();
        work(0);
        for (int left = busy_; left != 0; left = busy_) wait_while(busy_, left);
    }

  private:
    struct Job {
        void (*run)(void*, int, int) = nullptr;  // nothing to run: the pool is being taken down
        void* context = nullptr;
        int items = 0;
    };
    static constexpr std::size_t cache_line = 64;
    struct alignas(cache_line) Share {
        std::atomic<int> next = 0;
    };
    int size_;
    std::vector<Share> shares_;
    std::vector<std::thread> threads_{};
    Job job_{};  // written while all workers wait for the next round
    alignas(cache_line) std::atomic<int> busy_ = 0;
    alignas(cache_line) std::atomic<int> round_ = 0;

    void finish() {
        job_ = {};
        round_.fetch_add(1);
        round_.notify_all();
        for (auto& thread : threads_) thread.join();
    }
    static int cores() {
        const auto n = static_cast<int>(std::thread::hardware_concurrency());
        return n > 0 ? n : 1;
    }
    // Returns some time after the counter has left the value.
    static void wait_while(const std::atomic<int>& counter, int value) {
        constexpr std::chrono::microseconds patience(100);
        constexpr int looks = 64;  // between two looks at the clock
        const auto start = std::chrono::steady_clock::now();
        do {
            for (int look = 0; look < looks; ++look)
                if (counter != value) return;
            std::this_thread::yield();
        } while (std::chrono::steady_clock::now() - start < patience);
        counter.wait(value);
    }
    Share& share(int worker) { return shares_[static_cast<std::size_t>(worker)]; }
    int first_item(int worker) const { return static_cast<int>(static_cast<long long>(job_.items) * worker / size_); }
    void work(int worker) {
        for (int k = 0; k < size_; ++k) {
            const int owner = (worker + k) % size_, end = first_item(owner + 1);
            for (int item = share(owner).next++; item < end; item = share(owner).next++) job_.run(job_.context, item, worker);
        }
    }
    void serve(int worker) {
        for (int round = 0;; ++round) {
            wait_while(round_, round);
            if (job_.run == nullptr) return;
            work(worker);
            if (--busy_ == 0) busy_.notify_one();
        }
    }
};

}  // namespace mjx::inner
