"""What Python can ask of a robot, against closed forms and differences. Run by ctest with the folder of the modules in PYTHONPATH."""
import unittest

import numpy as np

import doubles
import mjx_runtime as mjx

ARM = """<mujoco><worldbody><body name="upper"><joint name="shoulder" axis="0 1 0"/>
  <inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.2 0.2"/><body name="lower" pos="1 0 0"><joint name="elbow" axis="0 1 0"/>
  <inertial pos="0.4 0 0" mass="1" diaginertia="0.1 0.1 0.1"/><site name="tip" pos="0.8 0 0"/></body></body></worldbody></mujoco>"""
SCENE = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>
  <body name="ball" pos="0 0 2"><freejoint/><geom name="ball" type="sphere" size="0.5" density="1000"/></body>
  <body name="post" pos="3 0 2"><geom name="post" type="sphere" size="0.25"/></body></worldbody></mujoco>"""


def arm(*qpos, qvel=(0, 0)):
    sim = mjx.Simulator(mjx.load_string(ARM))
    sim.qpos, sim.qvel = qpos, qvel
    sim.forward()
    return sim


class Pendulum(unittest.TestCase):
    """tests/models/pendulum.xml: 2 kg at half a metre, with an inertia of 0.01, and a damping of 0.1."""

    def setUp(self):
        self.sim = doubles.Simulator()
        self.sim.qpos, self.sim.qvel = [0.7], [1.5]
        self.sim.forward()
        self.inertia, self.weight = 0.01 + 2 * 0.5**2, 2 * 9.81 * 0.5 * np.sin(0.7)

    def test_inertia_and_gravity_are_those_of_the_pendulum_equation(self):
        np.testing.assert_allclose(self.sim.mass_matrix(), [[self.inertia]], rtol=1e-12)
        np.testing.assert_allclose(self.sim.gravity_force(), [self.weight], rtol=1e-12)
        np.testing.assert_allclose(self.sim.bias_force(), [self.weight], rtol=1e-12)  # one dof has no Coriolis force
        potential, kinetic = self.sim.energy()
        self.assertAlmostEqual(kinetic, self.inertia * 1.5**2 / 2)
        self.assertAlmostEqual(potential, -2 * 9.81 * 0.5 * np.cos(0.7))

    def test_inverse_dynamics_leave_the_damping_to_the_motors(self):
        np.testing.assert_allclose(self.sim.inverse_dynamics([3.0]), [self.inertia * 3 + self.weight], rtol=1e-12)
        np.testing.assert_allclose(self.sim.inverse([3.0]), [self.inertia * 3 + self.weight + 0.1 * 1.5], rtol=1e-12)
        with self.assertRaisesRegex(ValueError, "qacc has 2 numbers, expected one for each of the 1 dofs"):
            self.sim.inverse([1, 2])

    def test_the_force_of_equilibrium_holds_it(self):
        force, missing = self.sim.static_equilibrium()
        np.testing.assert_allclose(force, [self.weight], rtol=1e-12)
        self.assertEqual(missing, 0)
        self.sim.qfrc_applied = force
        self.sim.step(100)
        np.testing.assert_allclose(self.sim.qpos, [0.7], atol=1e-12)


class Arm(unittest.TestCase):
    def test_coriolis_forces_are_those_of_the_matrix_whose_symmetric_part_is_the_change_of_inertia(self):
        sim = arm(0.3, 0.9, qvel=(0.7, -1.1))
        C, h = sim.coriolis_matrix(), 1e-6
        np.testing.assert_allclose(C @ sim.qvel + sim.gravity_force(), sim.bias_force(), atol=1e-12)
        rate = (arm(0.3 + 0.7 * h, 0.9 - 1.1 * h).mass_matrix() - arm(0.3 - 0.7 * h, 0.9 + 1.1 * h).mass_matrix()) / (2 * h)
        np.testing.assert_allclose(C + C.T, rate, atol=1e-8)

    def test_velocities_and_jacobians_of_the_centre_of_mass_are_differences(self):
        h, v = 1e-6, np.array([0.7, -1.1])
        sim, before, after = arm(0.3, 0.9, qvel=v), arm(*(np.array([0.3, 0.9]) - h * v)), arm(*(np.array([0.3, 0.9]) + h * v))
        np.testing.assert_allclose(sim.velocity("site", "tip")[3:], (after.site_xpos[0] - before.site_xpos[0]) / (2 * h), atol=1e-8)
        np.testing.assert_allclose(sim.velocity("body", "lower")[:3], [0, 0.7 - 1.1, 0], atol=1e-12)
        moved = (after.subtree_com[0] - before.subtree_com[0]) / (2 * h)
        np.testing.assert_allclose(sim.jacobian("com", 0) @ v, moved, atol=1e-8)
        momentum = sim.momentum("upper")
        np.testing.assert_allclose(momentum[3:], 3 * moved, atol=1e-7)  # 3 kg
        np.testing.assert_allclose(momentum[:3], sim.jacobian("angular_momentum", "upper") @ v, atol=1e-12)

    def test_inverse_kinematics_reach_what_is_in_reach(self):
        sim = arm(0.1, 0.2)
        ik = mjx.InverseKinematics(sim)
        ik.position("site", "tip", [0.9, 0, -0.9])
        qpos, reached, position_error, rotation_error = ik.solve(sim.qpos)
        self.assertTrue(reached and position_error < 1e-9 and rotation_error == 0)
        np.testing.assert_allclose(arm(*qpos).site_xpos[0], [0.9, 0, -0.9], atol=1e-8)
        ik.clear()
        ik.orientation("body", "lower", [np.cos(0.4), 0, np.sin(0.4), 0])  # turned by 0.8 about y
        ik.posture([0.5, 0.5], 1e-9)
        qpos = ik.solve([0, 0])[0]
        np.testing.assert_allclose(qpos, [0.4, 0.4], atol=1e-4)
        ik.clear()
        ik.com("lower", [0, 0, -1.4])  # straight down: 1 m and 0.4 m
        qpos = ik.solve([1.3, 0.3])[0]
        np.testing.assert_allclose(qpos, [np.pi / 2, 0], atol=1e-3)
        with self.assertRaisesRegex(ValueError, "qpos has 3 numbers, expected 2"):
            ik.solve([0, 0, 0])
        with self.assertRaisesRegex(ValueError, "no kind of frame"):
            ik.position("joint", 0, [0, 0, 0])

    def test_frames_that_do_not_exist_are_told(self):
        with self.assertRaisesRegex(ValueError, "no site named 'top' but tip"):
            arm(0, 0).jacobian("site", "top")
        with self.assertRaisesRegex(ValueError, "no body 7"):
            arm(0, 0).velocity("body", 7)


class Scene(unittest.TestCase):
    def setUp(self):
        self.model = mjx.load_string(SCENE)
        self.sim = mjx.Simulator(self.model)
        self.sim.forward()

    def test_momenta_of_a_ball_are_mass_and_inertia_times_velocity(self):
        self.sim.qvel = [1, 2, 3, 0.4, 0.5, 0.6]
        self.sim.forward()
        mass = 1000 * 4 / 3 * np.pi * 0.5**3
        np.testing.assert_allclose(self.sim.momentum("ball"), mass * np.array([0.04, 0.05, 0.06, 1, 2, 3]), rtol=1e-12)  # 2/5 r²

    def test_rays_end_at_the_first_surface(self):
        distance, geom, normal = self.sim.ray([0, 0, 5], [0, 0, -1])
        self.assertEqual((round(distance, 12), geom), (2.5, self.model.geom("ball")))
        np.testing.assert_allclose(normal, [0, 0, 1], atol=1e-12)
        distance, geom, _ = self.sim.ray([0, 0, 5], [0, 0, -2], exclude_body=self.model.body("ball"))
        self.assertEqual((round(distance, 12), geom), (2.5, self.model.geom("floor")))  # lengths of the direction
        self.assertEqual(self.sim.ray([0, 0, 5], [0, 0, 1])[:2], (-1, -1))
        self.assertEqual(self.sim.ray([3, 0, 5], [0, 0, -1], include_static=False)[:2], (-1, -1))
        self.assertEqual(self.sim.ray([0, 0, 5], [0, 0, -1], groups=2)[:2], (-1, -1))  # all are in group 0

    def test_distances_of_balls_are_those_of_their_centres_less_their_radii(self):
        distance, start, end = self.sim.geom_distance("ball", "post")
        self.assertAlmostEqual(distance, 3 - 0.75)
        np.testing.assert_allclose((start, end), ([0.5, 0, 2], [2.75, 0, 2]), atol=1e-12)
        self.assertEqual(self.sim.geom_distance("ball", "post", 1.0)[0], 1.0)

    def test_a_ball_on_the_floor_is_carried_by_its_contact(self):
        self.sim.qpos[2] = 0.499
        self.sim.forward()
        contacts = self.sim.contacts()
        self.assertEqual(contacts["geom"].tolist(), [[self.model.geom("floor"), self.model.geom("ball")]])
        np.testing.assert_allclose(contacts["dist"], [-0.001], atol=1e-12)
        np.testing.assert_allclose(contacts["pos"], [[0, 0, -0.0005]], atol=1e-12)
        np.testing.assert_allclose(contacts["frame"][0, :3], [0, 0, 1], atol=1e-12)
        _, missing = self.sim.static_equilibrium()
        self.assertLess(missing, 1e-6 * 9.81 * self.model.body_mass[1])
        self.sim.step(200)
        np.testing.assert_allclose(self.sim.qvel, np.zeros(6), atol=1e-6)

    def test_a_ball_twice_as_large_has_eight_times_the_mass(self):
        mass, inertia = self.model.body_mass[1], self.model.body_inertia[1].copy()
        self.model.set_size("ball", [1, 0, 0])
        self.model.set_constants()
        self.assertAlmostEqual(self.model.body_mass[1] / mass, 8)
        self.assertAlmostEqual(self.model.body_subtreemass[1] / mass, 8)
        np.testing.assert_allclose(self.model.body_inertia[1] / inertia, [32, 32, 32])
        with self.assertRaisesRegex(ValueError, "no body 9"):
            self.model.set_mass(9, 1.0)


if __name__ == "__main__":
    unittest.main()
