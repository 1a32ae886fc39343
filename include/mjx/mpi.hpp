// MpiBatch: a Batch over the processes of an MPI program, each of which steps its share of the environments.
//
//     int main(int argc, char** argv) {
//         mjx::Mpi mpi(argc, argv);
//         mjx::MpiBatch<mjx::pack<float>, mjx::Euler, mjx::Newton, models::Cheetah> batch(4096);    // in all
//         batch.set_ctrl(controls);            // (4096, nu), the same on every rank: each takes its rows
//         batch.scatter("ctrl", controls);     // or from rank 0, which alone has them; what others give is not read
//         batch.step(5);
//         const auto qpos = batch.qpos();      // (4096, nq) on every rank
//         const auto gradient = batch.rollout_gradient(controls, cost);    // of the sum over all environments (control.hpp)
//     }
//
// All ranks call the same functions in the same order, as is the way of MPI, and all get the same answers. Environments keep their numbers,
// whoever steps them: results are those of one process bit by bit, sums among them, whatever the number of ranks. A rank that throws, or
// meets an error of MPI, says so and ends the program on all ranks instead of leaving them waiting; one that is killed is told by mpirun,
// which ends the others. The only header that includes MPI.
#pragma once

#include "mjx/batch.hpp"
#include "mjx/control/rollout_gradient.hpp"
#include "mjx/data.hpp"

#include <mpi.h>

#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace mjx {

// MPI for the time of a program. A rank whose main throws ends all of them: use as the first object of main.
class Mpi {
  public:
    Mpi(int& argc, char**& argv) : uncaught_(std::uncaught_exceptions()) { MPI_Init(&argc, &argv); }
    Mpi(const Mpi&) = delete;
    Mpi& operator=(const Mpi&) = delete;
    ~Mpi() {
        if (std::uncaught_exceptions() > uncaught_) MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Finalize();
    }
    static int rank() {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        return rank;
    }
    static int ranks() {
        int ranks = 1;
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        return ranks;
    }
    // Returns when all ranks are here.
    static void meet() { MPI_Barrier(MPI_COMM_WORLD); }
    // f() on every rank. What it throws on one is said there, and ends the program everywhere.
    template <class F>
    static void guarded(F&& f) {
        try {
            f();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "mjx: rank %d of %d: %s\n", rank(), ranks(), error.what());
            std::fflush(stderr);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }

  private:
    int uncaught_;
};

template <class S, class Integrator, class Solver, class M = Model<>, class Hooks = no_hooks>
class MpiBatch {
  public:
    using local_type = Batch<S, Integrator, Solver, M, Hooks>;
    using value_type = typename local_type::value_type;

    // As Batch: environments in all, threads of each rank (1 by default: a rank has a core).
    explicit MpiBatch(int environments, int threads = 1, Hooks hooks = {})
        requires(M::is_fixed)
        : share_(environments), local_(share_.count(), threads, std::move(hooks)) {}
    template <class Given>
    MpiBatch(const Given& model, int environments, int threads = 1, Hooks hooks = {})
        requires(!M::is_fixed)
        : share_(environments), local_(model, share_.count(), threads, std::move(hooks)) {}

    int size() const { return share_.all; }
    int threads() const { return local_.threads(); }  // of this rank
    int first() const { return share_.first(share_.rank); }  // environment of this rank; its next are local().size() - 1
    local_type& local() { return local_; }
    const local_type& local() const { return local_; }

    Matrix<value_type> get(std::string_view field) const { return gathered(local_.get(field)); }
    void set(std::string_view field, const Matrix<value_type>& x) { local_.set(field, own_rows(x)); }
    // The same from one rank, which alone needs the array.
    void scatter(std::string_view field, const Matrix<value_type>& x, int root = 0) { local_.set(field, scattered(x, root)); }
    Matrix<value_type> qpos() const { return get("qpos"); }
    Matrix<value_type> qvel() const { return get("qvel"); }
    Matrix<value_type> act() const { return get("act"); }
    Matrix<value_type> ctrl() const { return get("ctrl"); }
    Matrix<value_type> time() const { return get("time"); }
    Matrix<value_type> userdata() const { return get("userdata"); }
    Matrix<value_type> sensordata() const { return get("sensordata"); }
    void set_qpos(const Matrix<value_type>& x) { set("qpos", x); }
    void set_qvel(const Matrix<value_type>& x) { set("qvel", x); }
    void set_act(const Matrix<value_type>& x) { set("act", x); }
    void set_ctrl(const Matrix<value_type>& x) { set("ctrl", x); }
    void set_userdata(const Matrix<value_type>& x) { set("userdata", x); }
    void set_mocap_pos(const Matrix<value_type>& x) { set("mocap_pos", x); }
    void set_mocap_quat(const Matrix<value_type>& x) { set("mocap_quat", x); }
    void set_qfrc_applied(const Matrix<value_type>& x) { set("qfrc_applied", x); }
    void set_xfrc_applied(const Matrix<value_type>& x) { set("xfrc_applied", x); }

    // All that an environment continues from, told by the rank that has it.
    State<value_type> state(int environment) {
        const int root = share_.owner(environment);
        State<value_type> state;
        if (root == share_.rank) state = local_.state(environment - first());
        told(state.values, root), told(state.switches, root), told(state.cache, root);
        return state;
    }
    void set_state(int environment, const State<value_type>& state) {
        if (share_.owner(environment) == share_.rank) local_.set_state(environment - first(), state);
    }
    void set_state(const State<value_type>& state) { local_.set_state(state); }

    int warning(int environment, int which) const {
        const int root = share_.owner(environment);
        int count = root == share_.rank ? local_.warning(environment - first(), which) : 0;
        MPI_Bcast(&count, 1, MPI_INT, root, MPI_COMM_WORLD);
        return count;
    }
    Vector<bool> was_bad() const { return gathered(local_.was_bad()); }
    Vector<bool> was_reset() const { return gathered(local_.was_reset()); }

    void step(int n = 1) { local_.step(n); }
    template <class F>
    Matrix<value_type> step(int n, int dim, F&& f) {
        return gathered(local_.step(n, dim, f));
    }
    void reset() { local_.reset(); }
    void reset(const Vector<bool>& mask, int key = -1) { local_.reset(own_rows(mask), key); }
    // Random numbers are those of the environment's number among all.
    template <class F>
    void reset(const Vector<bool>& mask, std::uint64_t seed, F&& f, int key = -1) {
        const int first = this->first();
        local_.reset(
            own_rows(mask), seed,
            [&](auto environment, EnvironmentRandom&) {
                environment.index += first;
                EnvironmentRandom random(seed, environment.index);
                f(environment, random);
            },
            key);
    }
    void reset(const Vector<bool>& mask, std::span<const State<value_type>> states) {
        const bool one = states.size() == 1;
        if (!one && static_cast<int>(states.size()) != size())
            throw std::invalid_argument("MpiBatch: reset was given " + std::to_string(states.size()) + " states, expected 1 or " +
                                        std::to_string(size()));
        local_.reset(own_rows(mask),
                     one ? states : states.subspan(static_cast<std::size_t>(first()), static_cast<std::size_t>(local_.size())));
    }
    void reset(const Vector<bool>& mask, const State<value_type>& state) { reset(mask, std::span(&state, 1)); }
    Rollout<value_type> rollout(const Tensor3<value_type>& controls) {
        const Rollout<value_type> own = local_.rollout(own_rows(controls));
        return {gathered(own.qpos), gathered(own.qvel), gathered(own.act), gathered(own.sensordata)};
    }
    // Every rank calls f(block, step, data) for its own blocks, by their numbers among all.
    template <class F>
    void rollout(const Tensor3<value_type>& controls, F&& f) {
        local_.rollout(own_rows(controls), [&](int block, int t, auto& d) { f(first() / local_type::lanes + block, t, d); });
    }
    template <class F>
    Matrix<value_type> map(int dim, F&& f) {
        return gathered(local_.map(dim, f));
    }
    using parameter_type = typename local_type::parameter_type;
    Tensor3<parameter_type> parameters(std::string_view name) { return gathered(local_.parameters(name)); }
    void set_parameters(std::string_view name, const Tensor3<parameter_type>& x) { local_.set_parameters(name, own_rows(x)); }
    void share_parameters() { local_.share_parameters(); }
    BatchDerivatives<value_type> derivatives() {
        const BatchDerivatives<value_type> own = local_.derivatives();
        return {gathered(own.A), gathered(own.B)};
    }

    // The cost of controls that all environments share, (step, nu), each from its own state, summed over all of them, and its gradient.
    // Of the model with the parameters that all share.
    struct Gradient {
        value_type cost;
        Matrix<value_type> by_controls;
    };
    template <class Cost>
    Gradient rollout_gradient(const Matrix<value_type>& controls, const Cost& cost) {
        auto sim = local_.environment_simulator();
        inner::RolloutDifferentiation<decltype(sim)> differentiate(sim);
        const auto environments = static_cast<std::size_t>(local_.size());
        auto own = Matrix<value_type>::from_shape({environments, 1 + controls.size()});
        for (std::size_t e = 0; e < environments; ++e) {
            local_.state(static_cast<int>(e)).restore(sim.data());
            const auto found = differentiate(sim, controls, cost);
            own(e, 0) = found.cost;
            std::copy(found.by_controls.begin(), found.by_controls.end(), &own(e, 0) + 1);
        }
        const auto total = sum(own);
        Gradient result{total(0), Matrix<value_type>::from_shape(controls.shape())};
        std::copy(total.begin() + 1, total.end(), result.by_controls.begin());
        return result;
    }

    // The rows of this rank in an array that has one for each environment, and the other way round.
    template <class A>
    A own_rows(const A& all) const {
        auto shape = all.shape();
        require_rows(shape[0]);
        const std::size_t row = all.size() / std::max<std::size_t>(1, shape[0]);
        shape[0] = static_cast<std::size_t>(local_.size());
        A own = A::from_shape(shape);
        std::copy_n(all.data() + static_cast<std::size_t>(first()) * row, own.size(), own.data());
        return own;
    }
    template <class A>
    A gathered(const A& own) const {
        auto shape = own.shape();
        shape[0] = static_cast<std::size_t>(share_.all);
        A all = A::from_shape(shape);
        share_.with_rows(all, [&](MPI_Datatype row, const std::vector<int>& counts, const std::vector<int>& firsts) {
            MPI_Allgatherv(own.data(), local_.size(), row, all.data(), counts.data(), firsts.data(), row, MPI_COMM_WORLD);
        });
        return all;
    }
    // The rows of this rank in the array of the rank `root`, whose shape is told to all.
    template <class A>
    A scattered(const A& all, int root = 0) const {
        auto shape = all.shape();
        MPI_Bcast(shape.data(), static_cast<int>(sizeof shape), MPI_BYTE, root, MPI_COMM_WORLD);
        require_rows(shape[0]);
        shape[0] = static_cast<std::size_t>(local_.size());
        A own = A::from_shape(shape);
        share_.with_rows(own, [&](MPI_Datatype row, const std::vector<int>& counts, const std::vector<int>& firsts) {
            MPI_Scatterv(all.data(), counts.data(), firsts.data(), row, own.data(), local_.size(), row, root, MPI_COMM_WORLD);
        });
        return own;
    }
    // The sum over all environments of rows that this rank has for its own, in the order of the environments.
    Vector<value_type> sum(const Matrix<value_type>& own) const {
        const Matrix<value_type> all = gathered(own);
        auto total = Vector<value_type>::from_shape({all.shape(1)});
        total.fill(value_type(0));
        for (std::size_t e = 0; e < all.shape(0); ++e)
            for (std::size_t i = 0; i < all.shape(1); ++i) total(i) += all(e, i);
        return total;
    }

  private:
    // Whole blocks for each rank, as even as they go.
    struct Share {
        int all, rank = Mpi::rank(), ranks = Mpi::ranks();
        explicit Share(int environments) : all(environments) {
            if (blocks() < ranks)
                throw std::invalid_argument("MpiBatch: " + std::to_string(all) + " environments are " + std::to_string(blocks()) +
                                            " blocks of lanes, expected at least one for each of the " + std::to_string(ranks) + " ranks");
        }
        int blocks() const { return (all + local_type::lanes - 1) / local_type::lanes; }
        int first(int r) const {
            const auto block = static_cast<int>(static_cast<long long>(blocks()) * r / ranks);
            return std::min(block * local_type::lanes, all);
        }
        int count() const { return first(rank + 1) - first(rank); }
        // The rank that has an environment.
        int owner(int environment) const {
            if (environment < 0 || environment >= all)
                throw std::invalid_argument("MpiBatch: there is no environment " + std::to_string(environment) + ", expected 0 to " +
                                            std::to_string(all - 1));
            int r = 0;
            while (first(r + 1) <= environment) ++r;
            return r;
        }
        // f(row, counts, firsts) with the type of an array's row, since counts of bytes would end at 2 GB, and how many each rank has.
        template <class A, class F>
        void with_rows(const A& array, F&& f) const {
            std::size_t bytes = sizeof(typename A::value_type);
            for (std::size_t i = 1; i < array.shape().size(); ++i) bytes *= array.shape(i);
            std::vector<int> counts, firsts;
            for (int r = 0; r < ranks; ++r) {
                counts.push_back(first(r + 1) - first(r));
                firsts.push_back(first(r));
            }
            MPI_Datatype row;
            MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &row);
            MPI_Type_commit(&row);
            f(row, counts, firsts);
            MPI_Type_free(&row);
        }
    };
    void require_rows(std::size_t rows) const {
        if (rows != static_cast<std::size_t>(share_.all))
            throw std::invalid_argument("MpiBatch: an array has " + std::to_string(rows) + " rows, expected one for each of the " +
                                        std::to_string(share_.all) + " environments");
    }
    // The list of the rank `root`, on every rank.
    template <class T>
    static void told(std::vector<T>& list, int root) {
        static_assert(std::is_trivially_copyable_v<T>);
        auto count = static_cast<unsigned long long>(list.size());
        MPI_Bcast(&count, 1, MPI_UNSIGNED_LONG_LONG, root, MPI_COMM_WORLD);
        list.resize(count);
        MPI_Bcast(list.data(), static_cast<int>(count * sizeof(T)), MPI_BYTE, root, MPI_COMM_WORLD);
    }
    Share share_;
    local_type local_;
};

}  // namespace mjx
