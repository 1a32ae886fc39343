"""A vector of environments in the manner of gymnasium's VectorEnv, over a Batch of mjx. It needs numpy alone.

    env = VectorEnv(batch, task, episode=500, frame_skip=4)
    observations, info = env.reset(seed=1)
    observations, rewards, terminated, truncated, info = env.step(actions)

An environment that ends starts again in the same call: its observation is the first of the new episode, and info["final_observation"] has
the last of the old one. Whatever a task needs is in the live arrays of the batch.
"""
import numpy as np


class VectorEnv:
    def __init__(self, batch, task, episode=1000, frame_skip=1):
        self.batch, self.task, self.episode, self.frame_skip = batch, task, episode, frame_skip
        self.num_envs = batch.size
        self.action_size = batch.ctrl.shape[1]
        self.ages = np.zeros(self.num_envs, dtype=int)
        self.random = np.random.default_rng()

    def reset(self, seed=None):
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self._begin(np.ones(self.num_envs, dtype=bool))
        return self.task.observe(self.batch), {}

    def step(self, actions):
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs, self.action_size):
            raise ValueError(f"actions have the shape {actions.shape}, expected {(self.num_envs, self.action_size)}")
        self.batch.ctrl[:] = actions
        before = self.task.before(self.batch)
        self.batch.step(self.frame_skip)
        self.ages += 1
        rewards = self.task.reward(self.batch, before, actions)
        broken = np.asarray(self.batch.was_bad())
        rewards = np.where(broken, 0.0, rewards)
        terminated = self.task.fell(self.batch) | broken
        truncated = (self.ages >= self.episode) & ~terminated
        observations, info = self.task.observe(self.batch), {}
        ended = terminated | truncated
        if ended.any():
            info["final_observation"] = observations.copy()
            self._begin(ended)
            observations = self.task.observe(self.batch)
        return observations, rewards, terminated, truncated, info

    def _begin(self, chosen):
        self.batch.reset(chosen)
        self.ages[chosen] = 0
        count = int(chosen.sum())
        for field, scale in (("qpos", self.task.shake), ("qvel", self.task.shake)):
            array = getattr(self.batch, field)
            array[chosen] += scale * self.random.standard_normal((count, array.shape[1]))


class Run:
    """The cheetah of tests/models runs forward: a metre per second is a point, effort costs a little."""

    shake = 0.02

    def __init__(self, seconds):
        self.seconds = seconds  # between two actions

    def observe(self, batch):
        return np.concatenate([batch.qpos[:, 1:], np.clip(batch.qvel, -10, 10)], axis=1)

    def before(self, batch):
        return batch.qpos[:, 0].copy()

    def reward(self, batch, before, actions):
        return (batch.qpos[:, 0] - before) / self.seconds - 0.1 * np.square(actions).sum(axis=1)

    def fell(self, batch):
        return np.abs(batch.qpos[:, 2]) > 2.5  # it lies on its back
