// OwnParameters: parameters of a model of which every environment of a batch has its own.
//
// A model is made of pieces: its tables, its options, its statistics. Those in which some environment differs from the batch's model are
// kept block by block as bytes, and copied into the model of a thread before it works on a block. All other pieces, and batches without
// parameters of their own, cost nothing.
#pragma once

#include "mjx/batch/threads.hpp"
#include "mjx/model/model.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

namespace mjx::inner {

template <class M>
class OwnParameters {
  public:
    bool empty() const { return kept_.empty(); }
    void clear() {
        kept_.clear();
        bytes_.clear();
        models_.clear();
    }

    // The model of a block, in the copy that a thread has.
    M& model(int block, int thread) {
        M& m = *models_[static_cast<std::size_t>(thread)];
        load(block, m);
        return m;
    }

    // The model of every block becomes what change(m, block, thread) makes of it. It is called twice for each block, first to see which
    // pieces differ from `base` and then to keep them.
    template <class F>
    void change(const M& base, int blocks, ThreadPool& pool, F&& change) {
        const auto threads = static_cast<std::size_t>(pool.size());
        const auto fresh = [&] {
            std::vector<std::unique_ptr<M>> models;
            for (std::size_t t = 0; t < threads; ++t) models.push_back(std::make_unique<M>(base));
            return models;
        };
        std::vector<std::unique_ptr<M>> models = fresh();
        const auto changed = [&](int block, int thread) -> M& {
            M& m = *models[static_cast<std::size_t>(thread)];
            for (int piece = 0; piece < pieces(m); ++piece) copy(at(m, piece), at(base, piece));
            load(block, m);
            change(m, block, thread);
            return m;
        };
        std::vector<std::vector<char>> differs(threads, std::vector<char>(static_cast<std::size_t>(pieces(base)), 0));
        pool.for_each(blocks, [&](int block, int thread) {
            M& m = changed(block, thread);
            for (int piece = 0; piece < pieces(m); ++piece)
                if (!same(at(m, piece), at(base, piece))) differs[static_cast<std::size_t>(thread)][static_cast<std::size_t>(piece)] = 1;
        });
        std::vector<int> kept;
        std::size_t size = 0;
        for (int piece = 0; piece < pieces(base); ++piece) {
            bool any = false;
            for (const auto& found : differs) any = any || found[static_cast<std::size_t>(piece)] != 0;
            if (any) kept.push_back(piece);
            if (any) size += at(base, piece).size;
        }
        std::vector<std::byte> bytes(static_cast<std::size_t>(blocks) * size);
        pool.for_each(blocks, [&](int block, int thread) {
            M& m = changed(block, thread);
            std::byte* to = bytes.data() + static_cast<std::size_t>(block) * size;
            for (const int piece : kept) to = append(to, at(m, piece));
        });
        models_ = fresh();
        kept_ = std::move(kept);
        bytes_ = std::move(bytes);
        block_size_ = size;
    }

  private:
    struct Piece {
        void* first;
        std::size_t size;
    };
    std::vector<std::unique_ptr<M>> models_{};  // one for each thread
    std::vector<int> kept_{};  // pieces of which each block has its own
    std::vector<std::byte> bytes_{};  // these, block after block
    std::size_t block_size_ = 0;

    using Tables = ModelTables<typename M::real>;
    static constexpr int tables = static_cast<int>(sizeof(Tables) / sizeof(TableMemory));
    static constexpr int pieces(const M&) { return tables + 2; }
    static Piece at(const M& model, int piece) {
        M& m = const_cast<M&>(model);  // what comes from a const model is only read
        if (piece == tables) return {&m.opt, sizeof(m.opt)};
        if (piece == tables + 1) return {&m.stat, sizeof(m.stat)};
        TableMemory& table = parts_of<TableMemory>(static_cast<Tables&>(m))[piece];
        return {table.bytes(), table.byte_count()};
    }
    static void copy(const Piece& to, const Piece& from) {
        if (to.size > 0) std::memcpy(to.first, from.first, to.size);
    }
    static bool same(const Piece& a, const Piece& b) { return a.size == 0 || std::memcmp(a.first, b.first, a.size) == 0; }
    static std::byte* append(std::byte* to, const Piece& piece) {
        std::memcpy(to, piece.first, piece.size);
        return to + piece.size;
    }
    void load(int block, M& m) const {
        std::byte* from = const_cast<std::byte*>(bytes_.data()) + static_cast<std::size_t>(block) * block_size_;
        for (const int piece : kept_) {
            const Piece to = at(m, piece);
            copy(to, {from, to.size});
            from += to.size;
        }
    }
};

}  // namespace mjx::inner
