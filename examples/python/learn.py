"""A cheetah learns to run: augmented random search (Mania, Guy and Recht 2018) with a linear policy, in numpy.

    cmake --preset release && cmake --build --preset release --target cheetah
    PYTHONPATH=build/release/tests/python python3 examples/python/learn.py [--iterations 60] [--plot curve.svg]

In every iteration 32 directions are tried forwards and backwards, all 64 environments at once; the policy moves along those that paid.
Prints the learning curve, and draws it as SVG where asked.
"""
import argparse
import time

import numpy as np

import cheetah
from vector_env import Run, VectorEnv


class Normalizer:
    """Running mean and deviation of what was observed."""

    def __init__(self, size):
        self.count, self.mean, self.square = 1e-4, np.zeros(size), np.ones(size) * 1e-4

    def add(self, x):
        total = self.count + len(x)
        shift = x.mean(axis=0) - self.mean
        self.square += x.var(axis=0) * len(x) + shift**2 * self.count * len(x) / total
        self.mean += shift * len(x) / total
        self.count = total

    def __call__(self, x):
        return (x - self.mean) / np.sqrt(self.square / self.count + 1e-8)


def evaluate(env, weights, normalizer, steps, seed, learn):
    """The return of each environment with its own weights (environment, action, observation)."""
    observations, _ = env.reset(seed=seed)
    returns, alive = np.zeros(env.num_envs), np.ones(env.num_envs, dtype=bool)
    for _ in range(steps):
        if learn:
            normalizer.add(observations[alive])
        actions = np.clip(np.einsum("eao,eo->ea", weights, normalizer(observations)), -1, 1)
        observations, rewards, terminated, _, _ = env.step(actions)
        returns += np.where(alive, rewards, 0)
        alive &= ~terminated
        if not alive.any():
            break
    return returns


def learn(iterations=60, directions=32, best=16, step=0.02, noise=0.03, steps=150, frame_skip=4, seed=1, tell=print):
    batch = cheetah.Batch(2 * directions)
    env = VectorEnv(batch, Run(frame_skip * cheetah.timestep), episode=10 * steps, frame_skip=frame_skip)
    random = np.random.default_rng(seed)
    policy = np.zeros((env.action_size, env.reset(seed=0)[0].shape[1]))
    normalizer = Normalizer(policy.shape[1])
    curve = []
    start = time.time()
    for i in range(iterations):
        deltas = random.standard_normal((directions, *policy.shape))
        weights = np.concatenate([policy + noise * deltas, policy - noise * deltas])
        returns = evaluate(env, weights, normalizer, steps, seed=i, learn=True)
        plus, minus = returns[:directions], returns[directions:]
        chosen = np.argsort(-np.maximum(plus, minus))[:best]
        scale = np.concatenate([plus[chosen], minus[chosen]]).std() + 1e-6
        policy += step / (best * scale) * np.einsum("d,dao->ao", plus[chosen] - minus[chosen], deltas[chosen])
        mean = evaluate(env, np.repeat(policy[None], env.num_envs, axis=0), normalizer, steps, seed=1000 + i, learn=False).mean()
        curve.append(mean)
        if tell and (i % 5 == 4 or i == 0):
            taken = 2 * (i + 1) * steps * frame_skip * env.num_envs
            tell(f"iteration {i + 1:3d}: return {mean:7.1f}, about {mean / steps:5.2f} m/s, "
                 f"{taken / (time.time() - start):.0f} steps of the simulation per second")
    return policy, normalizer, curve


def plot(curve, path):
    width, height, low, high = 640, 320, min(0, min(curve)), max(curve) + 1e-9
    points = " ".join(f"{20 + 600 * i / max(1, len(curve) - 1):.1f},{300 - 280 * (y - low) / (high - low):.1f}" for i, y in enumerate(curve))
    with open(path, "w") as f:
        f.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"><rect width="100%" height="100%" fill="white"/>'
                f'<polyline points="{points}" fill="none" stroke="#2266aa" stroke-width="2"/>'
                f'<text x="24" y="20" font-family="sans-serif" font-size="14">return, {len(curve)} iterations, best {max(curve):.0f}</text></svg>')


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--plot", metavar="FILE.svg")
    options = parser.parse_args()
    *_, curve = learn(options.iterations)
    if options.plot:
        plot(curve, options.plot)
