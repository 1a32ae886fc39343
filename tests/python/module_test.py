"""The Python modules: live arrays, agreement with each other, errors. Run by ctest with the folder of the modules in PYTHONPATH."""
import gc
import os
import threading
import unittest

import numpy as np

import cheetah
import mjx_runtime as mjx

MODELS = os.path.join(os.environ["MJX_SOURCE"], "tests", "models")

PENDULUM = """<mujoco><option timestep="0.001"/><worldbody><body name="arm" pos="0 0 2"><joint name="hinge" axis="0 1 0"/>
  <geom name="rod" type="capsule" size="0.02" fromto="0 0 0 0 0 -1" mass="1"/><site name="tip" pos="0 0 -1"/></body></worldbody>
  <actuator><motor joint="hinge"/></actuator><sensor><jointpos joint="hinge"/></sensor>
  <keyframe><key qpos="1"/></keyframe></mujoco>"""


class ModelAndSimulator(unittest.TestCase):
    def setUp(self):
        self.model = mjx.load_string(PENDULUM)

    def test_arrays_are_the_numbers_themselves(self):
        sim = mjx.Simulator(self.model)
        qpos = sim.qpos
        qpos[0] = 0.5
        sim.forward()
        self.assertAlmostEqual(sim.sensordata[0], 0.5)
        sim.step(10)
        self.assertNotEqual(qpos[0], 0.5)  # the array saw the steps
        del sim
        gc.collect()
        self.assertTrue(np.isfinite(qpos[0]))  # and keeps its simulation alive

    def test_a_pendulum_swings_as_the_pendulum_equation_says(self):
        sim = mjx.Simulator(self.model)
        sim.qpos[0] = 0.1
        inertia = self.model.body_inertia[1, 1] + self.model.body_mass[1] * 0.25
        period = 2 * np.pi * np.sqrt(inertia / (self.model.body_mass[1] * 9.81 * 0.5)) * (1 + 0.1**2 / 16)
        sim.step(round(period / 0.001))
        self.assertAlmostEqual(sim.qpos[0], 0.1, delta=1e-3)
        self.assertAlmostEqual(sim.time, round(period / 0.001) * 0.001, places=9)

    def test_parameters_of_a_model_change(self):
        self.model.set_mass(self.model.body("arm"), 3.0)
        self.model.set_constants()
        self.assertEqual(self.model.body_subtreemass[0], 3.0)
        self.model.gravity[2] = -1.0
        sim = mjx.Simulator(self.model)
        sim.forward()
        self.assertEqual(sim.model.gravity[2], -1.0)
        self.assertEqual(self.model.body_name, ["world", "arm"])
        self.assertEqual(self.model.nq, 1)

    def test_robotics_and_derivatives(self):
        sim = mjx.Simulator(self.model)
        sim.qpos[0] = 0.7
        sim.forward()
        J = sim.jacobian("site", self.model.site("tip"))
        self.assertEqual(J.shape, (6, 1))
        tip = sim.site_xpos[0].copy()
        sim.qpos[0] += 1e-6
        sim.forward()
        moved = (sim.site_xpos[0] - tip) / 1e-6
        np.testing.assert_allclose(J[3:, 0], moved, atol=1e-5)  # rotation first
        np.testing.assert_allclose(J[:3, 0], [0, 1, 0], atol=1e-12)
        A, B, C, D = sim.derivatives()
        state = sim.state()
        sim.step()
        first = sim.qvel[0]
        sim.set_state(state)
        sim.ctrl[0] += 1e-5
        sim.step()
        self.assertAlmostEqual(B[1, 0], (sim.qvel[0] - first) / 1e-5, delta=1e-7)
        self.assertEqual(sim.mass_matrix().shape, (1, 1))
        self.assertEqual((A.shape, C.shape, D.shape), ((2, 2), (1, 2), (1, 1)))
        self.assertEqual(len(sim.energy()), 2)

    def test_errors_are_those_of_mjx(self):
        with self.assertRaisesRegex(mjx.ModelError, "expected"):
            mjx.load_string("<mujoco><worldbody><body><geom type='cube'/></body></worldbody></mujoco>")
        with self.assertRaisesRegex(ValueError, "no joint.*'knee'|knee"):
            self.model.joint("knee")
        with self.assertRaisesRegex(AttributeError, "MuJoCo's names"):
            self.model.body_weight
        with self.assertRaises(AttributeError):
            mjx.Simulator(self.model).position


class Batches(unittest.TestCase):
    def setUp(self):
        self.model = mjx.load_string(PENDULUM)

    def test_environments_have_states_and_parameters_of_their_own(self):
        batch = mjx.Batch(self.model, 21, threads=2)
        batch.qpos[:, 0] = np.linspace(0.1, 0.5, 21)
        damping = batch.parameters("dof_damping")
        self.assertEqual(damping.shape, (21, 1, 1))
        damping[:, 0, 0] = np.linspace(0, 2, 21)
        batch.set_parameters("dof_damping", damping)
        batch.step(200)
        for e in (0, 7, 20):
            self.model.dof_damping[0] = damping[e, 0, 0]
            sim = mjx.Simulator(self.model)
            sim.qpos[0] = np.linspace(0.1, 0.5, 21)[e]
            sim.step(200)
            self.assertAlmostEqual(batch.qpos[e, 0], sim.qpos[0], delta=1e-4)  # float against double

    def test_chosen_environments_are_reset(self):
        batch = mjx.Batch(self.model, 5)
        batch.qvel[:] = 1
        batch.step()
        chosen = np.array([False, True, False, False, True])
        batch.reset(chosen, key=0)
        np.testing.assert_allclose(batch.qpos[chosen, 0], 1)
        self.assertTrue((batch.qvel[~chosen] != 0).all())
        with self.assertRaisesRegex(ValueError, "no keyframe 3"):
            batch.reset(chosen, key=3)

    def test_chosen_environments_go_on_from_states(self):
        batch = mjx.Batch(self.model, 5)
        batch.qvel[:, 0] = np.arange(5)
        batch.step(10)
        states, then = [batch.state(e) for e in range(5)], batch.qpos.copy()
        batch.step(10)
        now, chosen = batch.qpos.copy(), np.array([False, True, False, False, True])
        batch.reset(chosen, states)
        np.testing.assert_array_equal(batch.qpos, np.where(chosen[:, None], then, now))
        batch.reset(chosen, [states[2]])
        np.testing.assert_array_equal(batch.qpos[chosen], then[[2, 2]])
        with self.assertRaisesRegex(ValueError, "given 2 states, expected 1 or 5"):
            batch.reset(chosen, states[:2])

    def test_rollouts_derivatives_and_observations(self):
        batch = mjx.Batch(self.model, 3)
        controls = np.zeros((3, 4, 1))
        controls[1] = 1
        seen = batch.rollout(controls)
        self.assertEqual(seen["qpos"].shape, (3, 4, 1))
        self.assertGreater(abs(seen["qpos"][1, -1, 0]), 0)
        self.assertEqual(seen["qpos"][0, -1, 0], 0)
        A, B = batch.derivatives()
        self.assertEqual((A.shape, B.shape), ((3, 2, 2), (3, 2, 1)))
        fields = batch.observe(["site_xpos", "qpos"])
        np.testing.assert_allclose(fields["site_xpos"][:, 2], 2 - np.cos(batch.qpos[:, 0]), atol=1e-6)
        with self.assertRaisesRegex(ValueError, "no field 'nonsense'"):
            batch.observe(["nonsense"])
        with self.assertRaisesRegex(ValueError, "shape"):
            batch.rollout(np.zeros((2, 4, 1)))

    def test_a_robot_compiled_in_moves_as_the_same_file_does(self):
        model = mjx.load(os.path.join(MODELS, "cheetah.xml"))
        fixed, runtime = cheetah.Batch(9), mjx.Batch(model, 9)
        for batch in (fixed, runtime):
            batch.ctrl[:] = 0.3 * np.sin(np.arange(54)).reshape(9, 6)
            batch.step(100)
        np.testing.assert_allclose(fixed.qpos, runtime.qpos, atol=2e-3)
        self.assertEqual(cheetah.joints["back_thigh"], model.joint("back_thigh"))
        self.assertEqual(cheetah.timestep, 0.005)

    def test_environments_of_a_robot_compiled_in_have_masses_of_their_own(self):
        model = mjx.load(os.path.join(MODELS, "cheetah.xml"))
        fixed, runtime = cheetah.Batch(9), mjx.Batch(model, 9)
        for batch in (fixed, runtime):
            mass = batch.parameters("body_mass")
            self.assertEqual(mass.shape, (9, len(cheetah.bodies), 1))
            mass *= np.linspace(0.5, 2, 9).reshape(9, 1, 1)
            batch.set_parameters("body_mass", mass)
            batch.ctrl[:] = 0.3
            batch.step(20)
        np.testing.assert_allclose(fixed.qpos, runtime.qpos, atol=2e-3)
        self.assertGreater(np.ptp(fixed.qpos[:, 1]), 0.001)
        with self.assertRaisesRegex(ValueError, "all environments share 'geom_size'.*it names body_mass, geom_friction"):
            fixed.parameters("geom_size")

    def test_steps_let_other_threads_run(self):
        batch, counted = cheetah.Batch(512, 1), [0]

        def count():
            while not done.is_set():
                counted[0] += 1

        done = threading.Event()
        other = threading.Thread(target=count)
        other.start()
        batch.step(200)
        done.set()
        other.join()
        self.assertGreater(counted[0], 1000)


if __name__ == "__main__":
    unittest.main()
