// A contest: several ways to do the same work, timed in turns within one run, so that a noisy machine slows all alike.
//
// Uses nanobench when it is found, and a plain clock with the same output otherwise.
#pragma once

#if __has_include(<nanobench.h>)
#define ANKERL_NANOBENCH_IMPLEMENT
#include <nanobench.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace bench {

// Nanoseconds per call of `work`, measured over at least `seconds`.
inline double time_once(const std::function<void()>& work, double seconds) {
#if __has_include(<nanobench.h>)
    ankerl::nanobench::Bench b;
    b.output(nullptr).epochs(1).minEpochTime(std::chrono::nanoseconds(static_cast<long>(1e9 * seconds))).run(work);
    return 1e9 * b.results().front().median(ankerl::nanobench::Result::Measure::elapsed);
#else
    using Clock = std::chrono::steady_clock;
    for (long calls = 1;; calls *= 2) {
        const auto start = Clock::now();
        for (long i = 0; i < calls; ++i) work();
        const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
        if (elapsed >= seconds) return 1e9 * elapsed / static_cast<double>(calls);
    }
#endif
}

struct Entry {
    std::string name;
    double environments;  // how many environments one call advances
    std::function<void()> work;
    std::vector<double> samples;  // ns per call, one per round

    // The fastest round: whatever else the machine does can only add to it.
    double ns() const { return *std::min_element(samples.begin(), samples.end()) / environments; }
};

// Times all entries in turns; ratios are against the first entry, per environment.
class Contest {
  public:
    explicit Contest(std::string title) : title_(std::move(title)) {}

    void add(std::string name, std::function<void()> work, double environments = 1) {
        entries_.push_back({std::move(name), environments, std::move(work), {}});
    }
    // What the entry of that name is to reach, in calls per second and environment.
    void expect(std::string name, double rate) {
        expected_ = std::move(name);
        rate_ = rate;
    }
    void run(int rounds, double seconds) {
        for (int r = 0; r < rounds; ++r)
            for (Entry& e : entries_) e.samples.push_back(time_once(e.work, seconds));
        std::printf("\n%s\n%14s %9s  per environment\n", title_.c_str(), "ns", "ratio");
        for (const Entry& e : entries_) std::printf("%14.1f %8.2fx  %s\n", e.ns(), entries_.front().ns() / e.ns(), e.name.c_str());
        for (const Entry& e : entries_)
            if (e.name == expected_)
                std::printf("%s: %.0f per second, expected %.0f: %s\n", e.name.c_str(), 1e9 / e.ns(), rate_,
                            1e9 / e.ns() >= rate_ ? "met" : "MISSED");
    }
    void write_json(std::FILE* file, bool last) const {
        std::fprintf(file, "  {\"title\": \"%s\", \"results\": [\n", title_.c_str());
        for (std::size_t i = 0; i < entries_.size(); ++i)
            std::fprintf(file, "    {\"name\": \"%s\", \"ns\": %.3f, \"ratio\": %.4f}%s\n", entries_[i].name.c_str(), entries_[i].ns(),
                         entries_.front().ns() / entries_[i].ns(), i + 1 < entries_.size() ? "," : "");
        std::fprintf(file, "  ]}%s\n", last ? "" : ",");
    }

  private:
    std::string title_, expected_;
    double rate_ = 0;
    std::vector<Entry> entries_;
};

// Keeps the compiler from dropping or hoisting work.
inline void clobber() { asm volatile("" ::: "memory"); }

}  // namespace bench
