// Blocks: what a batch keeps of its environments, in blocks of as many as the scalar has lanes.
//
// That is the state (data/state.hpp), warnings, sensordata and the contacts that the solver remembers, and nothing else: a Data into which
// a block is loaded goes on where the block was stored. A number of all environments lies in one row, lanes and blocks side by side, so
// that a field is an array (environment, dimension) with strides (view) and loading a block is loading whole registers. Rows have an odd
// number of registers: the numbers of a block spread over the sets of a cache.
#pragma once

#include "mjx/batch/lanes.hpp"
#include "mjx/data/state.hpp"
#include "mjx/data/views.hpp"

#include <array>
#include <bit>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mjx::inner {

// Throws unless an array has the shape expected.
template <class A>
void require_shape(std::string_view what, const A& given, const typename A::shape_type& expected) {
    if (given.shape() == expected) return;
    const auto text = [](const auto& shape) {
        std::string list;
        for (const std::size_t n : shape) list += (list.empty() ? "(" : ", ") + std::to_string(n);
        return list + ")";
    };
    throw std::invalid_argument("Batch: " + std::string(what) + " was given an array of shape " + text(given.shape()) + ", expected " +
                                text(expected));
}

template <class S, class D>
class Blocks {
  public:
    using value_type = lane_t<S>;
    static constexpr int lanes = lanes_v<S>;

    // Where a field is in a block, among its numbers or among its integers: switches, which its environments share.
    struct Field {
        std::string_view name;
        int first, count;
        bool integer;
    };

    Blocks(int environments, D& d);
    int count() const { return (size_ + lanes - 1) / lanes; }

    void load(int block, D& d);
    void store(int block, D& d);
    int warning(int environment, int which) const { return integers(environment / lanes)[which * lanes + environment % lanes]; }

    // The field of this name; none throws, with the choices.
    const Field& field(std::string_view name) const {
        std::string choices;
        for (const Field& f : fields_) {
            if (f.name == name) return f;
            choices += (choices.empty() ? "" : ", ") + std::string(f.name);
        }
        throw std::invalid_argument("Batch: environments keep no '" + std::string(name) + "', expected one of " + choices);
    }
    Matrix<value_type> read(const Field& f) const {
        auto result = Matrix<value_type>::from_shape({static_cast<std::size_t>(size_), static_cast<std::size_t>(f.count)});
        for (int e = 0; e < size_ && f.integer; ++e)
            for (int i = 0; i < f.count; ++i)
                result(static_cast<std::size_t>(e),
                       static_cast<std::size_t>(i)) = scalar_cast<value_type>(static_cast<double>(integers(e / lanes)[f.first + i]));
        if (f.integer) return result;
        const value_type* row = reinterpret_cast<const value_type*>(numbers_.data() + static_cast<std::size_t>(f.first) * stride_);
        for (std::size_t i = 0; i < result.shape(1); ++i, row += stride_ * lanes)
            for (std::size_t e = 0; e < result.shape(0); ++e) result(e, i) = row[e];
        return result;
    }
    void write(const Field& f, const Matrix<value_type>& x) {
        if (f.integer) return write_switches(f, x);
        value_type* row = reinterpret_cast<value_type*>(numbers_.data() + static_cast<std::size_t>(f.first) * stride_);
        for (std::size_t i = 0; i < x.shape(1); ++i, row += stride_ * lanes)
            for (std::size_t e = 0; e < x.shape(0); ++e) row[e] = x(e, i);
    }
    // The field itself, (environment, dimension).
    auto view(const Field& f) {
        if (f.integer)
            throw std::invalid_argument("Batch: '" + std::string(f.name) + "' are switches, which have no view; expected get and set");
        const std::array<std::size_t, 2> shape{static_cast<std::size_t>(size_), static_cast<std::size_t>(f.count)};
        const std::array<std::size_t, 2> strides{1, stride_ * lanes};
        auto* first = reinterpret_cast<value_type*>(numbers_.data() + static_cast<std::size_t>(f.first) * stride_);
        return xt::adapt(first, shape[0] * shape[1], xt::no_ownership(), shape, strides);
    }

    // `dim` numbers of each environment of a block, between lanes and an array with `rows` rows for each environment; `array` is the row of
    // environment 0.
    void scatter(int block, const S* numbers, int dim, value_type* array, std::size_t rows) const {
        for (int i = 0; i < dim; ++i) {
            const auto values = std::bit_cast<std::array<value_type, lanes>>(numbers[i]);
            for (int k = 0; k < lanes && block * lanes + k < size_; ++k)
                array[entry(block, k, rows, dim, i)] = values[static_cast<std::size_t>(k)];
        }
    }
    void gather(int block, S* numbers, int dim, const value_type* array, std::size_t rows) const {
        for (int i = 0; i < dim; ++i) {
            auto values = std::bit_cast<std::array<value_type, lanes>>(numbers[i]);
            for (int k = 0; k < lanes && block * lanes + k < size_; ++k)
                values[static_cast<std::size_t>(k)] = array[entry(block, k, rows, dim, i)];
            numbers[i] = std::bit_cast<S>(values);
        }
    }

  private:
    int size_;
    std::vector<Field> fields_{};
    int number_count_ = 0, integer_count_ = 0;  // in a block
    std::size_t stride_ = 1;
    std::vector<S> numbers_{};  // state and sensordata, number after number
    std::vector<int> integers_{};  // warnings, then the switches of the state, block after block
    std::vector<std::vector<CachedContact<S>>> caches_{};  // contacts that the solver remembers, block by block

    int* integers(int block) { return integers_.data() + static_cast<std::ptrdiff_t>(block) * integer_count_; }
    const int* integers(int block) const { return integers_.data() + static_cast<std::ptrdiff_t>(block) * integer_count_; }

    // Environments of a pack must agree in them: nothing is set unless they do.
    void write_switches(const Field& f, const Matrix<value_type>& x) {
        const auto given = [&](int e, int i) {
            return static_cast<int>(value_of(x(static_cast<std::size_t>(e), static_cast<std::size_t>(i))));
        };
        for (int e = 0; e < size_; ++e)
            for (int i = 0; i < f.count; ++i)
                if (const int first = e - e % lanes; given(e, i) != given(first, i))
                    throw std::invalid_argument("Batch: environments " + std::to_string(first) + " and " + std::to_string(e) +
                                                " share a pack and with it '" + std::string(f.name) + "', but number " + std::to_string(i) +
                                                " of them was given as " + std::to_string(given(first, i)) + " and " +
                                                std::to_string(given(e, i)) + "; expected one for both, or a batch of plain numbers");
        for (int e = 0; e < size_; e += lanes)
            for (int i = 0; i < f.count; ++i) integers(e / lanes)[f.first + i] = given(e, i);
    }

    // f(field) for all that a block keeps.
    template <class F>
    static void for_each_kept(F&& f, D& d) {
        f("warning", Section::warning, d.warning);
        for_each_state_field(f, d);
        f("sensordata", Section::post, d.sensordata);
    }
    // Visits the numbers of a block together with their places in Data.
    template <class F>
    void visit(int block, D& d, F&& f) {
        S* number = numbers_.data() + block;
        int* integer = integers(block);
        for_each_kept(
            [&](const char*, Section, auto& x) {
                for_each_number(
                    [&](auto& c) {
                        if constexpr (is_switch_v<decltype(c)>)
                            f(c, *integer++);
                        else {
                            f(c, *number);
                            number += stride_;
                        }
                    },
                    x);
            },
            d);
    }
    static std::size_t entry(int block, int k, std::size_t rows, int dim, int i) {
        return static_cast<std::size_t>(block * lanes + k) * rows * static_cast<std::size_t>(dim) + static_cast<std::size_t>(i);
    }
};

// Not inside the class, where they would be inline: a library may have them (compiled.hpp).
template <class S, class D>
Blocks<S, D>::Blocks(int environments, D& d) : size_(environments) {
    for_each_kept(
        [&](const char* name, Section, const auto& x) {
            constexpr bool integer = is_switch_v<item_t<decltype(x)>>;
            const int count = number_count(x);
            if (name != std::string_view("warning")) fields_.push_back({name, integer ? integer_count_ : number_count_, count, integer});
            (integer ? integer_count_ : number_count_) += count;
        },
        d);
    const auto blocks = static_cast<std::size_t>(count());
    try {
        stride_ = blocks | 1;
        numbers_.resize(stride_ * static_cast<std::size_t>(number_count_), S(0));
        caches_.resize(blocks);
        integers_.resize(blocks * static_cast<std::size_t>(integer_count_), 0);
    } catch (const std::exception&) {  // no memory, or more than a vector can be asked for
        throw memory_error(blocks * static_cast<std::size_t>(number_count_) * sizeof(S));
    }
}

template <class S, class D>
void Blocks<S, D>::load(int block, D& d) {
    visit(block, d, [](auto& in_data, auto& kept) { in_data = kept; });
    restore_cache(d, caches_[static_cast<std::size_t>(block)]);
}

template <class S, class D>
void Blocks<S, D>::store(int block, D& d) {
    caches_[static_cast<std::size_t>(block)].assign(d.cache.begin(), d.cache.begin() + d.ncache);
    visit(block, d, [](auto& in_data, auto& kept) { kept = in_data; });
}

}  // namespace mjx::inner
