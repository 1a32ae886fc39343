"""The learner and the vector of environments of examples/python. Run by ctest with the folder of the modules in PYTHONPATH."""
import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import numpy as np

import cheetah

sys.path.insert(0, os.path.join(os.environ["MJX_SOURCE"], "examples", "python"))
import learn
from vector_env import Box, Run, VectorEnv


class Learner(unittest.TestCase):
    def test_a_few_iterations_of_search_make_the_cheetah_faster(self):
        *_, curve = learn.learn(iterations=12, steps=60, tell=None)
        self.assertGreater(np.mean(curve[-3:]), np.mean(curve[:2]) + 1)

    def test_the_curve_is_drawn_from_left_to_right(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "curve.svg")
            learn.plot([0.0, 1.0, 4.0], path)
            line = xml.etree.ElementTree.parse(path).find("{http://www.w3.org/2000/svg}polyline")
        points = np.array([[float(x) for x in point.split(",")] for point in line.get("points").split()])
        np.testing.assert_allclose(points[:, 0], [20, 320, 620])
        np.testing.assert_allclose(points[:, 1], [300, 230, 20], atol=0.1)  # upwards


class Environments(unittest.TestCase):
    def setUp(self):
        self.env = VectorEnv(cheetah.Batch(6), Run(0.02), episode=3, frame_skip=4)

    def test_they_end_and_begin_again(self):
        env = self.env
        observations, _ = env.reset(seed=1)
        self.assertEqual(observations.shape, (6, 17))
        for k in range(3):
            self.assertTrue((env.ages == k).all())
            observations, rewards, terminated, truncated, info = env.step(np.zeros((6, 6)))
            self.assertEqual("_final_observation" in info, k == 2)
        self.assertTrue(truncated.all() and not terminated.any() and rewards.shape == (6,))
        self.assertTrue((env.ages == 0).all())
        with self.assertRaisesRegex(ValueError, "expected"):
            env.step(np.zeros((6, 5)))

    def test_those_that_ended_are_marked_beside_their_last_observations(self):
        self.env.reset(seed=1)
        self.env.batch.qpos[2, 2] = 3  # on its back
        observations, _, terminated, _, info = self.env.step(np.zeros((6, 6)))
        self.assertEqual(info["_final_observation"].tolist(), [e == 2 for e in range(6)])
        self.assertEqual(terminated.tolist(), [e == 2 for e in range(6)])
        self.assertGreater(info["final_observation"][2, 1], 2.5)
        self.assertLess(abs(observations[2, 1]), 0.5)
        np.testing.assert_array_equal(info["final_observation"][~terminated], observations[~terminated])

    def test_spaces_have_the_shapes_of_actions_and_observations(self):
        env = self.env
        observations, _ = env.reset(seed=1)
        self.assertEqual((env.single_action_space.shape, env.action_space.shape), ((6,), (6, 6)))
        self.assertEqual((env.single_observation_space.shape, env.observation_space.shape), ((17,), (6, 17)))
        self.assertTrue(env.observation_space.contains(observations))
        self.assertEqual(env.observation_space.dtype, observations.dtype)
        actions = env.action_space.sample(np.random.default_rng(1))
        self.assertTrue(env.action_space.contains(actions) and actions.dtype == np.float32)
        self.assertFalse(env.action_space.contains(2 * np.ones((6, 6))) or env.action_space.contains(np.zeros(6)))
        env.step(actions)
        box = Box([0, -np.inf], [1, np.inf], (2,))
        drawn = np.array([box.sample(np.random.default_rng(k)) for k in range(50)])
        self.assertTrue(((drawn[:, 0] >= 0) & (drawn[:, 0] <= 1)).all() and drawn[:, 1].min() < -0.1)

    def test_resets_repeat_with_their_seed_and_may_be_of_some(self):
        first, _ = self.env.reset(seed=7)
        self.env.step(np.ones((6, 6)))
        second, _ = self.env.reset(seed=7)
        np.testing.assert_array_equal(first, second)
        self.env.step(np.ones((6, 6)))
        before, chosen = self.env.task.observe(self.env.batch), np.arange(6) < 2
        after, _ = self.env.reset(options={"reset_mask": chosen})
        self.assertEqual(self.env.ages.tolist(), [0, 0, 1, 1, 1, 1])
        np.testing.assert_array_equal(before[~chosen], after[~chosen])
        self.assertTrue((before[chosen] != after[chosen]).any())
        with self.assertRaisesRegex(ValueError, "reset_mask"):
            self.env.reset(options={"reset_mask": np.ones(5, dtype=bool)})

    def test_what_is_closed_takes_no_steps(self):
        self.env.reset()
        self.env.close()
        self.env.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            self.env.step(np.zeros((6, 6)))


if __name__ == "__main__":
    unittest.main()
