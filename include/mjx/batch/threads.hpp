// ThreadPool: a few threads that wait for work and share it item by item.
//
// The caller is one of them. Which thread takes which item is left to chance, so work whose items are independent gives the same
// results for any number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace mjx {

class ThreadPool {
  public:
    // 0 threads: as many as the machine has cores.
    explicit ThreadPool(int threads = 0) : size_(threads > 0 ? threads : cores()) {
        for (int worker = 1; worker < size_; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
    }
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        wake_.notify_all();
        for (auto& thread : threads_) thread.join();
    }
    int size() const { return size_; }

    // f(item, worker) once for each item below `items`; returns when all are done. f must not throw.
    template <class F>
    void for_each(int items, F&& f) {
        const Job job{[](void* context, int item, int worker) { (*static_cast<std::remove_reference_t<F>*>(context))(item, worker); },
                      const_cast<void*>(static_cast<const void*>(&f)), items};
        {
            const std::lock_guard lock(mutex_);
            job_ = job;
            next_ = 0;
            busy_ = size_ - 1;
            ++round_;
        }
        wake_.notify_all();
        work(job, 0);
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return busy_ == 0; });
    }

  private:
    struct Job {
        void (*run)(void*, int, int) = nullptr;
        void* context = nullptr;
        int items = 0;
    };
    int size_;
    std::vector<std::thread> threads_{};
    std::mutex mutex_{};
    std::condition_variable wake_{}, done_{};
    std::atomic<int> next_ = 0;
    Job job_{};
    int busy_ = 0, round_ = 0;
    bool stopping_ = false;

    static int cores() {
        const auto n = static_cast<int>(std::thread::hardware_concurrency());
        return n > 0 ? n : 1;
    }
    void work(const Job& job, int worker) {
        for (int item = next_++; item < job.items; item = next_++) job.run(job.context, item, worker);
    }
    void serve(int worker) {
        int seen = 0;
        for (;;) {
            Job job;
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, [&] { return stopping_ || round_ != seen; });
                if (stopping_) return;
                seen = round_;
                job = job_;
            }
            work(job, worker);
            const std::lock_guard lock(mutex_);
            if (--busy_ == 0) done_.notify_one();
        }
    }
};

}  // namespace mjx
