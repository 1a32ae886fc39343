// InverseKinematics: positions of the joints that bring frames and centres of mass where one wants them.
//
// Minimizes Σ weight |error|²/2 over the configuration by damped least squares. The damping follows how well the quadratic model foretold
// the last step (Levenberg and Marquardt, with the rule of Nielsen 1999). A joint at a limit that the step would leave is held there, and
// all others are moved back within theirs. Where the errors do not vanish, a further attempt may start from a random position.
// Every lane of a pack solves a problem of its own: steps are taken and refused lane by lane. Memory is taken when the object is made and
// when targets are added.
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/integrator/work_space.hpp"
#include "mjx/robotics/forward.hpp"
#include "mjx/robotics/jacobian.hpp"
#include "mjx/robotics/momentum.hpp"
#include "mjx/robotics/position.hpp"

#include <cstdint>
#include <vector>

namespace mjx::inner {

struct IkOptions {
    int iterations = 100;  // of one attempt
    int attempts = 1;  // the first from the position given, others from random ones
    double tolerance = 1e-9;  // of the errors, m and rad
    std::uint32_t seed = 1;
};

// What was reached, each lane for itself.
template <class S>
struct IkResult {
    mask_t<S> reached;  // both errors are within the tolerance
    S position_error;  // the largest of all targets, m
    S rotation_error;  // rad
    int iterations;  // of all attempts
};

template <class S, class M>
class InverseKinematics {
  public:
    // The model must outlive it.
    explicit InverseKinematics(const M& model, const IkOptions& options = {})
        : m(model),
          options_(options),
          d(model),
          q_(size(m.nq)),
          tried_(size(m.nq)),
          best_(size(m.nq)),
          posture_(size(m.nq)),
          g_(size(m.nv)),
          dx_(size(m.nv)),
          J_(size(6 * m.nv)),
          H_(size(m.nv * m.nv)),
          L_(size(m.nv * m.nv)) {
        reset(m, d);
    }

    void clear() {
        tasks_.clear();
        posture_weight_ = S(0);
    }
    // A frame's origin is to be at a point of the world, its axes are to be turned so, the centre of mass of a subtree is to be there.
    template <class F>
    void position(const F& frame, const Vec3<S>& target, const S& weight = S(1)) {
        tasks_.push_back(task(Task::position, frame, target, Quat<S>::identity(), weight));
    }
    template <class F>
    void orientation(const F& frame, const Quat<S>& target, const S& weight = S(1)) {
        tasks_.push_back(task(Task::orientation, frame, Vec3<S>::zero(), normalize(target), weight));
    }
    template <class F>
    void com(const ComOf<F>& subtree, const Vec3<S>& target, const S& weight = S(1)) {
        tasks_.push_back({Task::com, FrameKind::body, frame_id(m, subtree.body), Vec3<S>::zero(), target, Quat<S>::identity(), weight});
    }
    // Among positions that are equally good the one near this: give it a small weight.
    template <class Q>
    void posture(const Q& qpos, const S& weight) {
        for (int i = 0; i < m.nq; ++i) posture_[size(i)] = S(qpos[i]);
        posture_weight_ = weight;
    }

    // Moves qpos, from where it is, to where the targets are met best.
    template <class Q>
    IkResult<S> solve(Q&& qpos) {
        for (int i = 0; i < m.nq; ++i) q_[size(i)] = qpos[i];
        IkResult<S> best{mask_t<S>(false), S(0), S(0), 0};
        S best_cost(0);
        std::uint32_t seed = options_.seed;
        for (int attempt = 0; attempt < options_.attempts && !all(best.reached); ++attempt) {
            Generator random{seed += 0x9e3779b9u};
            if (attempt > 0) random_position(m, random, q_);
            clamp_to_limits(q_);
            IkResult<S> now = descend();
            const auto better = attempt == 0 ? mask_t<S>(true) : !best.reached && cost_ < best_cost;
            best_cost = select(better, cost_, best_cost);
            best.reached = best.reached || (better && now.reached);
            best.position_error = select(better, now.position_error, best.position_error);
            best.rotation_error = select(better, now.rotation_error, best.rotation_error);
            best.iterations += now.iterations;
            for (int i = 0; i < m.nq; ++i) best_[size(i)] = select(better, q_[size(i)], best_[size(i)]);
        }
        for (int i = 0; i < m.nq; ++i) qpos[i] = best_[size(i)];
        return best;
    }

  private:
    using V = value_t<S>;
    struct Task {
        enum Kind { position, orientation, com } kind;
        FrameKind frame;
        int id;
        Vec3<S> offset;
        Vec3<S> target;
        Quat<S> turned;
        S weight;
    };
    // Numbers for the attempts, the same everywhere (Marsaglia's xorshift).
    struct Generator {
        std::uint32_t state;
        static constexpr std::uint32_t min() { return 0; }
        static constexpr std::uint32_t max() { return 0xffffffffu; }
        std::uint32_t operator()() {
            state ^= state << 13;
            state ^= state >> 17;
            return state ^= state << 5;
        }
    };
    static constexpr std::size_t size(int n) { return static_cast<std::size_t>(n); }

    const M& m;
    IkOptions options_;
    Data<S, M> d;
    std::vector<Task> tasks_{};
    std::vector<S> q_, tried_, best_, posture_, g_, dx_, J_, H_, L_;
    S posture_weight_{S(0)}, cost_{S(0)}, position_error_{S(0)}, rotation_error_{S(0)};

    template <FrameKind Kind>
    Task task(typename Task::Kind kind, Frame<Kind> frame, const Vec3<S>& target, const Quat<S>& turned, const S& weight) const {
        return {kind, Kind, frame.id, Vec3<S>::zero(), target, turned, weight};
    }
    template <FrameKind Kind>
    Task task(typename Task::Kind kind, NamedFrame<Kind> frame, const Vec3<S>& target, const Quat<S>& turned, const S& weight) const {
        return {kind, Kind, frame_id(m, frame), Vec3<S>::zero(), target, turned, weight};
    }
    template <class F, class R>
    Task task(typename Task::Kind kind, const PointFrame<F, R>& frame, const Vec3<S>& target, const Quat<S>& turned,
              const S& weight) const {
        Task t = task(kind, frame.frame, target, turned, weight);
        for (int k = 0; k < 3; ++k) t.offset[k] = S(static_cast<V>(frame.offset[k]));
        return t;
    }

    template <class F>
    static void with_frame(FrameKind kind, F&& f) {
        switch (kind) {
            case FrameKind::body: return f(std::integral_constant<FrameKind, FrameKind::body>{});
            case FrameKind::inertia: return f(std::integral_constant<FrameKind, FrameKind::inertia>{});
            case FrameKind::geom: return f(std::integral_constant<FrameKind, FrameKind::geom>{});
            case FrameKind::site: return f(std::integral_constant<FrameKind, FrameKind::site>{});
            case FrameKind::camera: return f(std::integral_constant<FrameKind, FrameKind::camera>{});
        }
    }

    // The error of a task at the present frames, world axes, and its rows of J_.
    Vec3<S> task_error(const Task& t) {
        Vec3<S> error;
        MatrixSpan<S> J{J_.data(), 6, m.nv};
        if (t.kind == Task::com) {
            jacobian(m, d, inner::com(t.id), J);
            error = t.target - d.subtree_com[t.id];
        } else {
            with_frame(t.frame, [&](auto kind) {
                Pose<S> at = pose(m, d, Frame<kind.value>{t.id});
                at.pos += at.axes * t.offset;
                clear_matrix(J, 3, m.nv);
                const bool turns = t.kind == Task::orientation;
                for_each_column(m, d, at.body, at.pos, [&](int i, const Vec6<S>& column) {
                    for (int r = 0; r < 3; ++r) J(r, i) = column[turns ? r : 3 + r];
                });
                const Quat<S> quat = frame_quat<kind.value>(m, d, t.id);
                error = turns ? rotate(quat, difference(t.turned, quat)) : Vec3<S>(t.target - at.pos);
            });
        }
        S& largest = t.kind == Task::orientation ? rotation_error_ : position_error_;
        largest = max(largest, norm(error));
        return error;
    }

    // Cost, its downhill slope g and Gauss-Newton matrix H at q.
    void evaluate(const std::vector<S>& q) {
        const int nv = m.nv;
        for (int i = 0; i < m.nq; ++i) d.qpos[i] = q[size(i)];
        kinematics(m, d);
        com_pos(m, d);
        cameras(m, d);
        cost_ = position_error_ = rotation_error_ = S(0);
        for (S& x : H_) x = S(0);
        differentiate_pos(m, g_, posture_, q);
        for (int i = 0; i < nv; ++i) {
            cost_ += posture_weight_ * g_[size(i)] * g_[size(i)] * V(0.5);
            g_[size(i)] = g_[size(i)] * posture_weight_;
            H_[size(i * nv + i)] = posture_weight_;
        }
        for (const Task& t : tasks_) {
            const Vec3<S> error = task_error(t);
            cost_ += t.weight * dot(error, error) * V(0.5);
            for (int i = 0; i < nv; ++i) {
                const Vec3<S> column{{J_[size(i)], J_[size(nv + i)], J_[size(2 * nv + i)]}};
                const Vec3<S> weighted = column * t.weight;
                g_[size(i)] += dot(weighted, error);
                for (int j = 0; j <= i; ++j)
                    H_[size(i * nv + j)] += weighted[0] * J_[size(j)] + weighted[1] * J_[size(nv + j)] + weighted[2] * J_[size(2 * nv + j)];
            }
        }
    }

    // (H + damping) dx = g, by Cholesky.
    void find_step(const S& damping) {
        const int n = m.nv;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j) {
                S sum = H_[size(i * n + j)];
                if (i == j) sum += damping;
                for (int k = 0; k < j; ++k) sum -= L_[size(i * n + k)] * L_[size(j * n + k)];
                L_[size(i * n + j)] = i == j ? S(S(1) / sqrt(max(sum, S(epsilon_v<S> * epsilon_v<S>)))) : S(sum * L_[size(j * n + j)]);
            }
        for (int i = 0; i < n; ++i) {
            S sum = g_[size(i)];
            for (int k = 0; k < i; ++k) sum -= L_[size(i * n + k)] * dx_[size(k)];
            dx_[size(i)] = sum * L_[size(i * n + i)];
        }
        for (int i = n - 1; i >= 0; --i) {
            S sum = dx_[size(i)];
            for (int k = i + 1; k < n; ++k) sum -= L_[size(k * n + i)] * dx_[size(k)];
            dx_[size(i)] = sum * L_[size(i * n + i)];
        }
    }

    // Joints that rest at a limit and are pushed against it do not move across it. The joint says where its limits are.
    void hold_at_limits() {
        for (int j = 0; j < m.njnt; ++j) {
            if (!m.jnt_limited[j]) continue;
            M::joints::visit(m.jnt_type[j], [&](auto joint) {
                joint.limits(m, d, j, [&](const S& distance, auto row) {
                    S slope(0);
                    for (int k = 0; k < row.size; ++k) slope += row[k] * g_[size(m.jnt_dofadr[j] + k)];
                    const auto held = distance <= S(V(64) * epsilon_v<S>) && slope < S(0);
                    if (any(held)) hold(m.jnt_dofadr[j], row * select(held, S(S(1) / norm(row)), S(0)));
                });
            });
        }
    }
    // Takes the direction n of the dofs from `first` on out of the problem: g ← P g, H ← P H P + n nᵀ with P = 1 - n nᵀ.
    template <class Row>
    void hold(int first, const Row& n) {
        const int nv = m.nv;
        const auto entry = [&](int r, int c) -> S& { return H_[size(r < c ? c * nv + r : r * nv + c)]; };  // of the lower triangle
        S slope(0), square(0);
        for (int k = 0; k < n.size; ++k) slope += n[k] * g_[size(first + k)];
        for (int k = 0; k < n.size; ++k) g_[size(first + k)] -= n[k] * slope;
        for (int i = 0; i < nv; ++i) {
            dx_[size(i)] = S(0);  // H n
            for (int k = 0; k < n.size; ++k) dx_[size(i)] += entry(i, first + k) * n[k];
        }
        for (int k = 0; k < n.size; ++k) square += n[k] * dx_[size(first + k)];
        for (int i = 0; i < nv; ++i) {
            const int own = i - first;
            for (int k = 0; k < n.size; ++k) {
                const bool both = own >= 0 && own < n.size;
                if (both && own < k) continue;  // once for a pair of the joint's own dofs
                S& h = entry(i, first + k);
                h -= dx_[size(i)] * n[k];
                if (both) h += n[own] * (n[k] * (square + S(1)) - dx_[size(first + k)]);
            }
        }
    }
    void clamp_to_limits(std::vector<S>& q) {
        for (int i = 0; i < m.nq; ++i) d.qpos[i] = q[size(i)];
        for (int j = 0; j < m.njnt; ++j) move_within_limits(m, d, j);
        for (int i = 0; i < m.nq; ++i) q[size(i)] = d.qpos[i];
    }

    // One attempt from q_ on.
    IkResult<S> descend() {
        evaluate(q_);
        S largest(0);
        for (int i = 0; i < m.nv; ++i) largest = max(largest, H_[size(i * m.nv + i)]);
        S damping = largest * V(1e-3) + S(epsilon_v<S>), growth(2);
        const V tolerance = static_cast<V>(options_.tolerance);
        const auto within = [&] { return position_error_ <= S(tolerance) && rotation_error_ <= S(tolerance); };
        mask_t<S> resting(false);
        int iteration = 0;
        for (; iteration < options_.iterations; ++iteration) {
            const S old_cost = cost_;
            if (all((within() && !(posture_weight_ > S(0))) || resting)) break;
            hold_at_limits();
            find_step(damping);
            S foretold(0), longest(0);
            for (int i = 0; i < m.nv; ++i) {
                foretold += dx_[size(i)] * (damping * dx_[size(i)] + g_[size(i)]) * V(0.5);
                longest = max(longest, abs(dx_[size(i)]));
            }
            tried_ = q_;
            integrate_pos(m, tried_, dx_, V(1));
            clamp_to_limits(tried_);
            evaluate(tried_);
            const S gained = old_cost - cost_;
            const auto good = gained >= S(0);
            resting = resting || longest < S(V(4) * epsilon_v<S>);
            for (int i = 0; i < m.nq; ++i) q_[size(i)] = select(good, tried_[size(i)], q_[size(i)]);
            const S ratio = clamp(S(gained / max(foretold, S(minval_v<S>))), S(-1), S(2)), x = ratio * V(2) - V(1);
            damping = damping * select(good, max(S(V(1) / V(3)), S(S(1) - x * x * x)), growth);
            growth = select(good, S(2), S(growth * V(2)));
            if (!all(good)) evaluate(q_);
        }
        return {within(), position_error_, rotation_error_, iteration};
    }
};

template <class M>
InverseKinematics(const M&) -> InverseKinematics<typename M::real, M>;
template <class M>
InverseKinematics(const M&, const IkOptions&) -> InverseKinematics<typename M::real, M>;

}  // namespace mjx::inner
