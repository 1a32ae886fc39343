// OwnParameters: parameters of a runtime model of which every environment of a batch has its own.
//
// A model is made of pieces: its tables, its options, its statistics. Those in which an environment differs from the batch's model are kept
// as bytes, in double, and what follows from a change is worked out on a Model<double> with them and rounded once, to what a simulator has
// that is made of that model (duals stay what they are: their derivatives count). The lanes of a block that come from it are kept beside,
// and copied into the model of a thread before it works on the block. All other pieces, and batches without parameters of their own, cost
// nothing.
#pragma once

#include "mjx/batch/parameter_names.hpp"
#include "mjx/batch/threads.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/model/model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace mjx::inner {

// The pieces of a runtime model.
template <class M>
struct ModelPieces {
    struct Piece {
        void* first;
        std::size_t size;
    };
    using Tables = ModelTables<typename M::real>;
    static constexpr int options = static_cast<int>(sizeof(Tables) / sizeof(TableMemory)), statistics = options + 1, count = options + 2;

    static Piece at(const M& model, int piece) {
        M& m = const_cast<M&>(model);  // what comes from a const model is only read
        if (piece == options) return {&m.opt, sizeof(m.opt)};
        if (piece == statistics) return {&m.stat, sizeof(m.stat)};
        TableMemory& table = parts_of<TableMemory>(static_cast<Tables&>(m))[piece];
        return {table.bytes(), table.byte_count()};
    }
    static int of(M& m, const TableMemory& table) {
        return static_cast<int>(&table - parts_of<TableMemory>(static_cast<Tables&>(m)).data());
    }
    static void copy(M& to, const M& from, int piece) { write(to, piece, static_cast<const std::byte*>(at(from, piece).first)); }
    static bool same(const M& a, const M& b, int piece) {
        const Piece x = at(a, piece), y = at(b, piece);
        return x.size == 0 || std::memcmp(x.first, y.first, x.size) == 0;
    }
    // The bytes after those of the piece.
    static const std::byte* write(M& m, int piece, const std::byte* from) {
        const Piece to = at(m, piece);
        if (to.size > 0) std::memcpy(to.first, from, to.size);
        return from + to.size;
    }
    static std::byte* read(const M& m, int piece, std::byte* to) {
        const Piece from = at(m, piece);
        if (from.size > 0) std::memcpy(to, from.first, from.size);
        return to + from.size;
    }
};

template <class M>
class OwnParameters {
    using Lane = lane_t<typename M::real>;
    static constexpr int lanes = lanes_v<typename M::real>;

  public:
    static constexpr bool rounds = std::is_same_v<Lane, float>;
    using Whole = typename M::template rebind<std::conditional_t<rounds, double, Lane>>;

    // What the batch's model was rounded from. Numbers that are changed there later count as they are.
    void adopt(Whole exact) { exact_ = std::make_shared<const Whole>(std::move(exact)); }
    bool empty() const { return kept_.empty(); }
    void clear() {
        own_.clear();
        kept_.clear();
        bytes_.clear();
        models_.clear();
    }

    // The model of a block, in the copy that a thread has.
    M& model(int block, int thread) {
        M& m = *models_[static_cast<std::size_t>(thread)];
        const std::byte* from = bytes_.data() + static_cast<std::size_t>(block) * block_size_;
        for (const int piece : kept_) from = ModelPieces<M>::write(m, piece, from);
        return m;
    }

    // Gives `name` of every environment the numbers item(environment, 0), item(environment, 1), ...; all else is that of `shared` or what
    // it was given before.
    template <class Item>
    void change(const M& shared, int environments, ThreadPool& pool, std::string_view name, const Item& item) {
        Workshop shop{whole_models(shared), std::vector<std::unique_ptr<Worker>>(static_cast<std::size_t>(pool.size()))};
        own_.resize(static_cast<std::size_t>(environments));
        pool.for_each(environments, [&](int e, int thread) {
            Own& own = own_[static_cast<std::size_t>(e)];
            Worker& w = shop.load(e, own, thread);
            give_parameter(w.model, w.data, name, [&](int i) { return item(e, i); });
            store(w, shop.base(e), own);
        });
        keep_lanes(shared, pool, shop);
    }

  private:
    using Pieces = ModelPieces<Whole>;
    struct Own {
        std::vector<int> pieces;  // in which an environment differs
        std::vector<std::byte> bytes;  // these, one after the other
    };
    // One environment at a time, for one thread.
    struct Worker {
        Whole model;
        Data<typename Whole::real, Whole> data;
        const Whole* base;  // in which the model differs by these pieces
        std::vector<int> pieces{};

        explicit Worker(const Whole& given) : model(given), data(given), base(&given) {}
    };
    struct Workshop {
        std::vector<Whole> bases;  // one for all lanes, or one for each
        std::vector<std::unique_ptr<Worker>> workers;

        const Whole& base(int e) const { return bases[static_cast<std::size_t>(e) % bases.size()]; }
        Worker& load(int e, const Own& own, int thread) {
            std::unique_ptr<Worker>& w = workers[static_cast<std::size_t>(thread)];
            if (!w) w = std::make_unique<Worker>(base(e));
            for (int piece = 0; piece < Pieces::count && w->base != &base(e); ++piece) Pieces::copy(w->model, base(e), piece);
            for (const int piece : w->pieces) Pieces::copy(w->model, base(e), piece);
            w->base = &base(e);
            w->pieces = own.pieces;
            const std::byte* from = own.bytes.data();
            for (const int piece : own.pieces) from = Pieces::write(w->model, piece, from);
            return *w;
        }
    };
    std::shared_ptr<const Whole> exact_{};
    std::vector<Own> own_{};  // of each environment
    std::vector<std::unique_ptr<M>> models_{};  // one for each thread
    std::vector<int> kept_{};  // pieces of which each block has its own
    std::vector<std::byte> bytes_{};  // these, block after block
    std::size_t block_size_ = 0;

    static void store(Worker& w, const Whole& base, Own& own) {
        w.pieces.clear();
        std::size_t size = 0;
        for (int piece = 0; piece < Pieces::count; ++piece)
            if (!Pieces::same(w.model, base, piece)) {
                w.pieces.push_back(piece);
                size += Pieces::at(base, piece).size;
            }
        own.pieces = w.pieces;
        own.bytes.resize(size);
        std::byte* to = own.bytes.data();
        for (const int piece : own.pieces) to = Pieces::read(w.model, piece, to);
    }

    // The lanes of every block, of the pieces in which some environment differs.
    void keep_lanes(const M& shared, ThreadPool& pool, Workshop& shop) {
        const int environments = static_cast<int>(own_.size()), blocks = (environments + lanes - 1) / lanes;
        std::vector<char> differs(ModelPieces<M>::count, 0);
        for (const Own& own : own_)
            for (const int piece : own.pieces) differs[static_cast<std::size_t>(piece)] = 1;
        kept_.clear();
        block_size_ = 0;
        for (int piece = 0; piece < ModelPieces<M>::count; ++piece)
            if (differs[static_cast<std::size_t>(piece)] != 0) {
                kept_.push_back(piece);
                block_size_ += ModelPieces<M>::at(shared, piece).size;
            }
        models_.clear();
        for (int t = 0; t < pool.size(); ++t) models_.push_back(std::make_unique<M>(shared));
        bytes_.resize(static_cast<std::size_t>(blocks) * block_size_);
        pool.for_each(blocks, [&](int block, int thread) {
            M& m = *models_[static_cast<std::size_t>(thread)];
            for (int k = 0; k < lanes; ++k) {
                const int e = std::min(block * lanes + k, environments - 1);  // lanes to spare are like the last
                take_lane(m, k, shop.load(e, own_[static_cast<std::size_t>(e)], thread).model, differs);
            }
            std::byte* to = bytes_.data() + static_cast<std::size_t>(block) * block_size_;
            for (const int piece : kept_) to = ModelPieces<M>::read(m, piece, to);
        });
    }
    // A shortcut that not all lanes have is taken in none of them.
    static void take_lane(M& m, int k, const Whole& whole, const std::vector<char>& differs) {
        const auto take = [&](const char* name, auto& to, const auto& from) {
            for_each_number(
                [&](auto& x, const auto& own) {
                    take_number(name, x, k, own);
                    if constexpr (std::is_same_v<std::remove_reference_t<decltype(x)>, int>)
                        if (x < 0 && is_shortcut(name)) x = no_shortcut(name);
                },
                to, from);
        };
        const auto own = [&](int piece) { return differs[static_cast<std::size_t>(piece)] != 0; };
        for_each_table(
            [&](const char* name, auto& to, const auto& from) {
                if (own(ModelPieces<M>::of(m, to))) take(name, to, from);
            },
            m, whole);
        if (own(ModelPieces<M>::options)) for_each_option(take, m.opt, whole.opt);
        if (own(ModelPieces<M>::statistics)) for_each_statistic(take, m.stat, whole.stat);
    }

    // The batch's model as each of its lanes is; one stands for all if they are alike.
    std::vector<Whole> whole_models(const M& shared) const {
        bool alike = true;
        const auto look = [&](const char*, const auto& table) {
            for_each_number(
                [&](const auto& x) {
                    auto first = x;
                    for (int k = 1; k < lanes; ++k) set_lane(first, k, lane(x, 0));
                    alike = alike && std::memcmp(&first, &x, sizeof(x)) == 0;  // derivatives, too
                },
                table);
        };
        if constexpr (lanes > 1) {
            const auto real = [&](const char* name, const auto& x) {
                if constexpr (!std::is_integral_v<typename number_of<std::remove_const_t<item_t<decltype(x)>>>::type>) look(name, x);
            };
            for_each_table(real, shared);
            for_each_option(real, shared.opt);
            for_each_statistic(real, shared.stat);
        }
        std::vector<Whole> models;
        for (int k = 0; k < (alike ? 1 : lanes); ++k) models.push_back(whole_model(shared, k));
        return models;
    }
    Whole whole_model(const M& shared, int k) const {
        Whole whole = cast_lane<typename Whole::real>(shared, k);
        const auto restore = [](const char*, auto& to, const auto& from) {
            for_each_number(
                [](auto& x, const auto& exact) {
                    if constexpr (rounds)
                        if (static_cast<float>(exact) == static_cast<float>(x)) x = exact;
                },
                to, from);
        };
        if (!exact_) return whole;
        for_each_table(restore, whole, *exact_);
        for_each_option(restore, whole.opt, exact_->opt);
        for_each_statistic(restore, whole.stat, exact_->stat);
        return whole;
    }
};

}  // namespace mjx::inner
