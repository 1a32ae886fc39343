"""A vector of environments in the manner of gymnasium's VectorEnv, over a Batch of mjx. It needs numpy alone.

    env = VectorEnv(batch, task, episode=500, frame_skip=4)
    observations, info = env.reset(seed=1)
    observations, rewards, terminated, truncated, info = env.step(actions)

An environment that ends starts again in the same call: its observation is the first of the new episode, and info["final_observation"] has
the last of the old one, for those that info["_final_observation"] marks. Whatever a task needs is in the live arrays of the batch.
"""
import numpy as np


class Box:
    """Arrays of one shape with bounds, as gymnasium's space of that name."""

    def __init__(self, low, high, shape, dtype=np.float32):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self.low = np.broadcast_to(np.asarray(low, dtype), self.shape)
        self.high = np.broadcast_to(np.asarray(high, dtype), self.shape)

    def contains(self, x):
        x = np.asarray(x)
        return x.shape == self.shape and bool(((x >= self.low) & (x <= self.high)).all())

    def sample(self, random=None):
        """A random array within the bounds; normal numbers where there are none."""
        random = random or np.random.default_rng()
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(bounded, self.low, 0), np.where(bounded, self.high, 1)
        return np.where(bounded, random.uniform(low, high), random.standard_normal(self.shape)).astype(self.dtype)

    def __repr__(self):
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


class VectorEnv:
    """num_envs environments. single_action_space and single_observation_space are those of one of them, action_space and observation_space
    of all. A task may have action_low and action_high; by default controls are within -1 and 1."""

    def __init__(self, batch, task, episode=1000, frame_skip=1):
        self.batch, self.task, self.episode, self.frame_skip = batch, task, episode, frame_skip
        self.num_envs = batch.size
        self.action_size = batch.ctrl.shape[1]
        self.ages = np.zeros(self.num_envs, dtype=int)
        self.random = np.random.default_rng()
        low, high = getattr(task, "action_low", -1.0), getattr(task, "action_high", 1.0)
        seen = task.observe(batch)
        self.single_action_space = Box(low, high, (self.action_size,), batch.ctrl.dtype)
        self.action_space = Box(low, high, (self.num_envs, self.action_size), batch.ctrl.dtype)
        self.single_observation_space = Box(-np.inf, np.inf, seen.shape[1:], seen.dtype)
        self.observation_space = Box(-np.inf, np.inf, seen.shape, seen.dtype)

    def reset(self, *, seed=None, options=None):
        """Begins all episodes anew, or those of options={"reset_mask": mask}; a seed makes what is random the same each time."""
        self._require_open()
        if seed is not None:
            self.random = np.random.default_rng(seed)
        chosen = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool)))
        if chosen.shape != (self.num_envs,) or chosen.dtype != bool:
            raise ValueError(f"reset_mask is {chosen.dtype} of the shape {chosen.shape}, expected bool of {(self.num_envs,)}")
        self._begin(chosen)
        return self.task.observe(self.batch), {}

    def close(self):
        """Lets go of the batch. What was observed stays; there are no more steps."""
        self.batch = None

    def _require_open(self):
        if self.batch is None:
            raise ValueError("the environments are closed")

    def step(self, actions):
        self._require_open()
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
            info["final_observation"], info["_final_observation"] = observations.copy(), ended
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
