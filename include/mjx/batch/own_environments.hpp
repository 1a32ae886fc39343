// OwnEnvironments: the tables that every environment of a fixed model has of its own (model/own_model.hpp), and what follows from them.
//
// They are kept in double, as the model's file has them. Constants of an environment are worked out on a Model<double> with its tables
// (robotics/parameters.hpp) and rounded once, to what a simulator has that is made of that model.
#pragma once

#include "mjx/batch/parameter_names.hpp"
#include "mjx/batch/threads.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/model/own_model.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mjx::inner {

// Lane k of the own tables of m becomes the numbers of an environment, which are given one after the other. The first table in which the
// lanes cannot go together, or none.
template <class M>
std::string_view take_own(M& m, int k, const double* numbers) {
    std::string_view apart;
    for_each_own(
        [&](const char* name, auto& table) {
            for_each_number(
                [&](auto& x) {
                    take_number(name, x, k, *numbers);
                    if constexpr (std::is_same_v<std::remove_reference_t<decltype(x)>, int>)
                        if (x < 0 && apart.empty()) apart = name;
                    ++numbers;
                },
                table);
        },
        m);
    return apart;
}

template <class M>
class OwnEnvironments {
  public:
    using Whole = Model<double>;
    // One environment at a time, for one thread.
    struct Worker {
        Whole model, shared;  // shared: what the constants of the fixed model are when they are worked out here
        Data<double, Whole> data;
        std::unique_ptr<const M> own = std::make_unique<const M>();  // says which tables are own

        explicit Worker(const Whole& given) : model(given), shared(given), data(given) { set_constants(shared, data); }
    };

    explicit OwnEnvironments(int environments) : whole_(cast<double>(typename constants_t<M>::template rebind<double>{})) {
        const Worker worker(whole_);
        for_each_own([&](const char*, const auto& table) { count_ += static_cast<std::size_t>(number_count(table)); }, *worker.own);
        numbers_.resize(count_ * static_cast<std::size_t>(environments));
        for (int e = 0; e < environments; ++e) store(worker, numbers(e));
    }
    std::unique_ptr<Worker> make_worker() const { return std::make_unique<Worker>(whole_); }
    double* numbers(int e) { return numbers_.data() + count_ * static_cast<std::size_t>(e); }

    // The tables of environment e become what follows from giving the table or option `name` the numbers item(0), item(1), ... What is
    // wrong with them, if they are refused.
    template <class Item>
    std::string change(Worker& w, int e, std::string_view name, const Item& item) {
        load(w, numbers(e));
        give_parameter(w.model, w.data, name, item);
        std::string refused = stays_zero(name) ? wrong_number(w, name) : "";
        if (refused.empty() && has_consequences(name)) refused = wrong_table(w, name);
        if (refused.empty()) store(w, numbers(e));
        return refused;
    }

  private:
    Whole whole_;
    std::size_t count_ = 0;
    std::vector<double> numbers_{};

    static void load(Worker& w, const double* from) {
        for_each_own([&](const char*, const auto&, auto& table) { for_each_number([&](auto& x) { take_item(x, *from++); }, table); },
                     *w.own, w.model);
    }
    static void store(const Worker& w, double* to) {
        for_each_own([&](const char*, const auto&, const auto& table) { for_each_number([&](const auto& x) { *to++ = x; }, table); },
                     *w.own, w.model);
    }
    // A number that is another than the zero that code goes by.
    static std::string wrong_number(const Worker& w, std::string_view name) {
        std::string refused;
        for_each_table(
            [&](const char* table, const auto& now, const auto& shared) {
                for (int i = 0; i < now.size() && name == table; ++i)
                    for_each_component(
                        [&](const auto& x, const auto& constant) {
                            if (constant == 0 && x != 0)
                                refused =
                                    "item " + std::to_string(i) + " of '" + std::string(name) +
                                    "' is zero in the fixed model, which has no code for another number; expected zero, or a model whose "
                                    "file gives it one";
                        },
                        now[i], shared[i]);
            },
            w.model, w.shared);
        return refused;
    }
    // A table that changes without being own.
    static std::string wrong_table(const Worker& w, std::string_view name) {
        std::string refused;
        for_each_table(
            [&](const char* table, const auto& own, const TableMemory& now, const TableMemory& shared) {
                if constexpr (!is_own_table<std::remove_cvref_t<decltype(own)>>)
                    if (!same_bytes(now, shared))
                        refused = "with these numbers of '" + std::string(name) + "' the table '" + table +
                                  "' changes, which environments share; expected it in WithOwn, too";
            },
            *w.own, w.model, w.shared);
        return refused;
    }
};

// The same for the blocks of a batch: a model of each, with the environments in its lanes.
template <class M>
class OwnBlocks {
  public:
    bool empty() const { return models_.empty(); }
    void clear() {
        models_.clear();
        kept_.reset();
    }
    const M& model(int block, int /*thread*/) const { return models_[static_cast<std::size_t>(block)]; }

    // Gives `name` the numbers item(environment, 0), item(environment, 1), ... All stays as it was if some are refused.
    template <class Item>
    void change(int environments, ThreadPool& pool, std::string_view name, const Item& item) {
        constexpr int lanes = lanes_v<typename M::real>;
        auto next = kept_ ? std::make_unique<OwnEnvironments<M>>(*kept_) : std::make_unique<OwnEnvironments<M>>(environments);
        std::vector<M> models(static_cast<std::size_t>((environments + lanes - 1) / lanes));
        std::vector<std::unique_ptr<typename OwnEnvironments<M>::Worker>> workers(static_cast<std::size_t>(pool.size()));
        std::vector<std::string> trouble(models.size());
        pool.for_each(static_cast<int>(models.size()), [&](int block, int thread) {
            auto& worker = workers[static_cast<std::size_t>(thread)];
            if (!worker) worker = next->make_worker();
            std::string& refused = trouble[static_cast<std::size_t>(block)];
            for (int k = 0; k < lanes && refused.empty(); ++k) {
                const int e = std::min(block * lanes + k, environments - 1);  // lanes to spare are like the last
                if (e == block * lanes + k) refused = next->change(*worker, e, name, [&](int i) { return item(e, i); });
                const std::string_view apart = take_own(models[static_cast<std::size_t>(block)], k, next->numbers(e));
                if (refused.empty() && !apart.empty())
                    refused = "its frames are of another kind than those of environments in the same pack (" + std::string(apart) +
                              "), by numbers that are zero here or there; expected none or all of them to be";
                if (!refused.empty()) refused = "environment " + std::to_string(e) + ": " + refused;
            }
        });
        for (const std::string& refused : trouble)
            if (!refused.empty()) throw std::invalid_argument("Batch: " + refused);
        models_ = std::move(models);
        kept_ = std::move(next);
    }

  private:
    std::vector<M> models_{};
    std::unique_ptr<OwnEnvironments<M>> kept_{};
};

}  // namespace mjx::inner
