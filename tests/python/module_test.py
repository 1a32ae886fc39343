"""The Python modules: live arrays, agreement with each other, errors. Run by ctest with the folder of the modules in PYTHONPATH."""
import gc
import inspect
import os
import re
import struct
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import cheetah
import doubles
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

    def test_what_is_assigned_is_copied_in(self):
        model, sim = self.model, mjx.Simulator(self.model)
        model.timestep, model.iterations, model.gravity, model.dof_damping = 0.01, 3, [0, 0, -1.6], np.array([0.5])
        self.assertEqual((model.timestep, model.iterations, model.gravity[2], model.dof_damping[0]), (0.01, 3, -1.6, 0.5))
        self.assertEqual(mjx.Simulator(model).model.timestep, 0.01)
        self.assertEqual(sim.model.timestep, 0.001)  # simulations have a copy
        sim.model.timestep = 0.005
        qpos, given = sim.qpos, np.array([0.4])
        sim.qpos = given
        given[0] = 7
        self.assertEqual(qpos[0], 0.4)  # the same array, and not the one given
        sim.time = 2
        sim.step()
        self.assertEqual(sim.time, 2.005)

    def test_what_cannot_be_assigned_is_told(self):
        sim = mjx.Simulator(self.model)
        for name, value, error, words in (("gravity", [1, 2], ValueError, r"'gravity' has the shape \(3,\), what is given \(2,\)"),
                                          ("timestep", "fast", ValueError, "'timestep' is a number"),
                                          ("iterations", 0.5, ValueError, "'iterations' is a whole number"),
                                          ("nq", 2, AttributeError, "'nq' follows from the file"),
                                          ("weight", 2, AttributeError, "MuJoCo's names")):
            with self.subTest(name), self.assertRaisesRegex(error, words):
                setattr(self.model, name, value)
        for name, value, error, words in (("qpos", [1, 2], ValueError, r"'qpos' has the shape \(1,\), what is given \(2,\)"),
                                          ("ncon", 2, AttributeError, "'ncon' is what steps compute"),
                                          ("position", 2, AttributeError, "MuJoCo's names")):
            with self.subTest(name), self.assertRaisesRegex(error, words):
                setattr(sim, name, value)

    def test_simulations_say_how_they_are(self):
        sim = mjx.Simulator(mjx.load_string(PENDULUM.replace("<mujoco>", "<mujoco model='clock'>")))
        self.assertEqual(sim.model.name, "clock")
        self.assertRegex(sim.summary(), r"model +clock\n")
        self.assertEqual(sim.warnings(), [])
        sim.qpos[0] = np.nan
        sim.step()
        self.assertRegex(sim.warnings()[0], "qpos")
        sim.reset_keyframe(0)
        self.assertEqual(sim.qpos[0], 1)
        with self.assertRaisesRegex(ValueError, "no keyframe named 'home'"):
            sim.reset_keyframe("home")

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


class Files(unittest.TestCase):
    """The options of load()."""

    URDF = """<robot name="arm"><link name="base"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="hand"><inertial><mass value="{mass}"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>{shape}</link>
      <joint name="wrist" type="revolute"><parent link="base"/><child link="hand"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" effort="5" velocity="1"/></joint></robot>"""

    def loaded(self, mass=1, shape="", **options):
        path = os.path.join(self.folder, "arm.urdf")
        with open(path, "w") as f:
            f.write(self.URDF.format(mass=mass, shape=shape))
        return mjx.load(path, **options)

    def test_options_are_those_of_urdf(self):
        with tempfile.TemporaryDirectory() as self.folder:
            self.assertEqual((self.loaded().nq, self.loaded().nu), (1, 0))
            self.assertEqual(self.loaded(floating_base=True).nq, 8)
            self.assertEqual(self.loaded(actuators=True).actuator_name, ["wrist"])
            with self.assertRaisesRegex(mjx.ModelError, "mass"):
                self.loaded(mass=-1)
            self.assertGreater(self.loaded(mass=-1, repair_inertia=True).body_mass[1], 0)

    def test_packages_are_folders_with_meshes(self):
        corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32)
        shape = '<collision><geometry><mesh filename="package://parts/corner.stl"/></geometry></collision>'
        with tempfile.TemporaryDirectory() as self.folder, tempfile.TemporaryDirectory() as parts:
            with open(os.path.join(parts, "corner.stl"), "wb") as f:
                f.write(bytes(80) + struct.pack("<I", 4))
                for triangle in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)):
                    f.write(struct.pack("<3f", 0, 0, 0) + corners[list(triangle)].tobytes() + bytes(2))
            with self.assertRaises(mjx.ModelError):
                self.loaded(shape=shape)
            self.assertEqual(self.loaded(shape=shape, packages={"parts": parts}).nmesh, 1)


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
        with self.assertRaisesRegex(ValueError, "shape"):
            batch.reset(chosen[:3])
        with self.assertRaisesRegex(ValueError, "the mask has 2 dimensions, expected 1"):
            batch.reset(np.ones((5, 1), dtype=bool))
        batch.reset([1, 0, 0, 0, 0])  # whatever is true or not
        self.assertEqual(batch.qvel[0, 0], 0)
        self.assertEqual((batch.size, len(batch), mjx.Batch(self.model, 5, threads=2).threads), (5, 5, 2))

    def test_what_is_assigned_is_copied_into_all_environments(self):
        batch, given = mjx.Batch(self.model, 21), np.linspace(0, 1, 21).reshape(21, 1)
        qpos = batch.qpos
        batch.qpos = given
        np.testing.assert_array_equal(qpos, given.astype(np.float32))
        with self.assertRaisesRegex(ValueError, r"'qpos' has the shape \(21, 1\), what is given \(21,\)"):
            batch.qpos = given[:, 0]
        with self.assertRaisesRegex(AttributeError, "keep no 'positions', expected one of time, qpos"):
            batch.positions = given

    def test_classes_derived_in_python_have_members_of_their_own(self):
        class Named(doubles.Batch):
            pass

        class Watched(doubles.Simulator):
            pass

        for made in (Named(3), Watched()):
            made.title = "some"
            made.qpos = np.ones(made.qpos.shape)
            self.assertEqual((made.title, made.qpos.flat[0]), ("some", 1))
            with self.assertRaises(AttributeError):
                made.subtitle

    def test_others_see_the_same_memory_by_dlpack(self):
        batch, sim = mjx.Batch(self.model, 21), mjx.Simulator(self.model)
        for array in (batch.qpos, sim.qpos, cheetah.Batch(5).ctrl):
            self.assertEqual(array.__dlpack_device__(), (1, 0))  # memory of the CPU
            self.assertEqual(type(array.__dlpack__()).__name__, "PyCapsule")
            seen = np.from_dlpack(array)
            self.assertTrue(np.shares_memory(seen, array))
            array[:] = 0.25
            self.assertTrue((seen == 0.25).all())
        seen = np.from_dlpack(batch.qpos)
        batch.step(50)
        np.testing.assert_array_equal(seen, batch.qpos)
        self.assertTrue((seen != 0.25).all())
        del batch, array
        gc.collect()
        self.assertTrue(np.isfinite(seen).all())  # what is seen stays

    def test_an_environment_goes_on_from_the_state_of_another(self):
        batch = mjx.Batch(self.model, 9)
        batch.qpos = np.linspace(0, 1, 9).reshape(9, 1)
        batch.step(7)
        state = batch.state(8)
        self.assertIs(type(state), mjx.BatchState)
        batch.set_state(2, state)
        batch.step(20)
        self.assertEqual((batch.qpos[2, 0], batch.time[2, 0]), (batch.qpos[8, 0], batch.time[8, 0]))
        self.assertNotEqual(batch.qpos[1, 0], batch.qpos[8, 0])
        with self.assertRaisesRegex(ValueError, "environment"):
            batch.state(9)

    def test_an_environment_that_breaks_is_told(self):
        batch = mjx.Batch(self.model, 9)
        batch.qpos[3] = np.nan
        batch.step()
        broken = [e == 3 for e in range(9)]
        self.assertEqual((batch.was_bad().tolist(), batch.was_reset().tolist()), (broken, broken))
        self.assertEqual([batch.warning(e, "badqpos") for e in (2, 3)], [0, 1])
        self.assertEqual(batch.warning(3, "badqvel"), 0)
        with self.assertRaisesRegex(ValueError, "'rain' is no kind of trouble, expected one of inertia, contactfull"):
            batch.warning(3, "rain")

    def test_parameters_are_shared_again(self):
        shared, own = mjx.Batch(self.model, 9), mjx.Batch(self.model, 9)
        own.set_parameters("dof_damping", np.full((9, 1, 1), 2.0))
        for batch in (shared, own):
            batch.qvel[:] = 1
            batch.step(10)
        self.assertTrue((own.qvel < 0.99 * shared.qvel).all())
        own.share_parameters()
        own.reset()
        own.qvel[:] = 1
        own.step(10)
        np.testing.assert_array_equal(own.qvel, shared.qvel)

    def test_a_module_has_the_scalar_integrator_and_solver_it_was_made_with(self):
        batch, sim = doubles.Batch(5), doubles.Simulator()
        self.assertEqual((batch.qpos.dtype, batch.parameters if hasattr(batch, "parameters") else None), (np.float64, None))
        self.assertIn("RK4 with CG", sim.summary())
        batch.qpos = np.linspace(0.1, 0.5, 5).reshape(5, 1)
        sim.qpos = batch.qpos[4]
        batch.step(100)
        sim.step(100)
        self.assertEqual(batch.qpos[4, 0], sim.qpos[0])  # bit by bit
        sim.set_state(batch.state(2))
        self.assertEqual(sim.qpos[0], batch.qpos[2, 0])

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


class Threads(unittest.TestCase):
    """The interpreter is told never to interrupt a thread, so that another runs when the first lets go of the lock, and only then."""

    def setUp(self):
        self.interval, self.counted, self.done = sys.getswitchinterval(), 0, False
        self.other = threading.Thread(target=self.count)
        self.other.start()
        sys.setswitchinterval(1000)

    def tearDown(self):
        sys.setswitchinterval(self.interval)
        self.done = True
        self.other.join()

    def count(self):
        while not self.done:
            self.counted += 1
            time.sleep(0)

    def lets_others_run(self, f, seconds=20):
        end = time.monotonic() + seconds  # a call may be over before another thread has woken up
        while time.monotonic() < end:
            before = self.counted
            f()
            if self.counted > before:
                return True
        return False

    def test_what_is_short_keeps_the_lock(self):
        sim = mjx.Simulator(mjx.load_string(PENDULUM))
        self.assertFalse(self.lets_others_run(lambda: sim.mass_matrix(), 0.1))

    def test_what_takes_long_lets_other_threads_run(self):
        balls = "".join(f"<body pos='{k} 0 0'><freejoint/><geom size='0.1'/></body>" for k in range(100))
        text = f"<mujoco><worldbody>{balls}</worldbody></mujoco>"
        model = mjx.load_string(text)
        sim, batch, robots = mjx.Simulator(model), mjx.Batch(model, 32, 1), cheetah.Batch(512, 1)
        chosen, mass, path = np.ones(512, dtype=bool), robots.parameters("body_mass"), os.path.join(MODELS, "humanoid.xml")
        ik = mjx.InverseKinematics(sim)
        ik.com(0, [0, 0, 1])
        for name, f in (("load", lambda: mjx.load(path)), ("load_string", lambda: mjx.load_string(text)),
                        ("set_constants", lambda: model.set_constants()), ("Model", lambda: mjx.Model(model)),
                        ("Simulator", lambda: mjx.Simulator(model)), ("Batch", lambda: mjx.Batch(model, 32, 1)),
                        ("Simulator.step", lambda: sim.step(20)), ("Simulator.forward", lambda: sim.forward()),
                        ("solve", lambda: ik.solve(sim.qpos)),
                        ("step", lambda: robots.step(2)), ("reset", lambda: robots.reset()), ("mask", lambda: robots.reset(chosen)),
                        ("observe", lambda: robots.observe(["xpos"])), ("derivatives", lambda: robots.derivatives()),
                        ("rollout", lambda: robots.rollout(np.zeros((512, 2, 6)))), ("parameters", lambda: batch.parameters("body_mass")),
                        ("set_parameters", lambda: robots.set_parameters("body_mass", mass))):
            with self.subTest(name):
                self.assertTrue(self.lets_others_run(f))


class Words(unittest.TestCase):
    def test_every_member_says_what_it_is(self):
        for module in (mjx, cheetah, doubles):
            for owner in (module, *(x for x in vars(module).values() if inspect.isclass(x))):
                for name, member in vars(owner).items():
                    if not (callable(member) or isinstance(member, property)) or (name.startswith("_") and name != "__init__"):
                        continue
                    if inspect.isclass(member) and issubclass(member, Exception):
                        continue
                    with self.subTest(f"{module.__name__}.{owner.__name__}.{name}"):
                        lines = [x for x in (member.__doc__ or "").splitlines() if x.strip() and x != "Overloaded function."]
                        signatures = [x for x in lines if re.match(rf"(\d+\. )?{name}\(.*\)", x)]
                        self.assertGreaterEqual(len(lines), 2 * len(signatures) - ("Overloaded" in (member.__doc__ or "")))
                        self.assertGreater(len(lines), len(signatures))


if __name__ == "__main__":
    unittest.main()
