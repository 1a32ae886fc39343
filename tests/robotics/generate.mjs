// Makes the references of the robotics tests with MuJoCo 3.14, from the npm package @mujoco/mujoco.
//
//     npm install --no-save @mujoco/mujoco@3.14.0      in the directory above this one or further up
//     node generate.mjs [CORPUS]                       writes refs/MODEL.STATE.ref, refs/constants.ref and, of a corpus, refs/corpus.ref
//
// Models and states are those of ../conformance. A matrix is written as its product with x, x[i] = sin(i + 1), one number per row.
// constants.ref has a line for each model: its derived constants after mj_setConst, when parameters were changed by a rule; corpus.ref one
// for each model of the corpus, in the first random state. There each field is one number, its product with x.
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copy_directory, load, mj, models_below, set_state } from '../mujoco.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const cases = ['actuator_transmission.rand1', 'cameras.rand1', 'equality_weld.rand1', 'contact_elliptic.rest', 'contact_pyramidal.rest'];
const offset = [0.1, -0.2, 0.3];  // a point fixed in each body, in its frame

const numbers = (n, fill) => {
    const buffer = new mj.DoubleBuffer(n);
    fill(buffer);
    const values = Array.from(buffer.GetView());
    buffer.delete();
    return values;
};
const pair = (n, fill) => {
    let second;
    const first = numbers(n, (a) => { second = numbers(n, (b) => fill(a, b)); });
    return [first, second];
};
const times = (matrix, x) => Array.from({ length: matrix.length / x.length }, (_, r) =>
    x.reduce((sum, xi, i) => sum + matrix[r * x.length + i] * xi, 0));

function answers(m, d) {
    const nv = m.nv, x = Array.from({ length: nv }, (_, i) => Math.sin(i + 1)), out = {};
    const frame_jacobian = (fill) => { const [p, r] = pair(3 * nv, fill); return [...times(r, x), ...times(p, x)]; };
    const each = (count, f) => Array.from({ length: count }, (_, i) => f(i)).flat();
    const velocity = (type, id, local) => numbers(6, (b) => mj.mj_objectVelocity(m, d, mj.mjtObj[type].value, id, b, local));
    out.jac_body = each(m.nbody, (b) => frame_jacobian((p, r) => mj.mj_jacBody(m, d, p, r, b)));
    out.jac_bodycom = each(m.nbody, (b) => frame_jacobian((p, r) => mj.mj_jacBodyCom(m, d, p, r, b)));
    out.jac_geom = each(m.ngeom, (g) => frame_jacobian((p, r) => mj.mj_jacGeom(m, d, p, r, g)));
    out.jac_site = each(m.nsite, (s) => frame_jacobian((p, r) => mj.mj_jacSite(m, d, p, r, s)));
    const at = (b) => [0, 1, 2].map((k) => d.xpos[3 * b + k] + offset.reduce((sum, o, c) => sum + d.xmat[9 * b + 3 * k + c] * o, 0));
    out.jac_point = each(m.nbody, (b) => frame_jacobian((p, r) => mj.mj_jac(m, d, p, r, at(b), b)));
    out.jacdot_v = each(m.nbody, (b) => {
        const [p, r] = pair(3 * nv, (p, r) => mj.mj_jacDot(m, d, p, r, at(b), b)), v = Array.from(d.qvel);
        return [...times(r, v), ...times(p, v)];
    });
    // a subtree without mass has no centre: MuJoCo divides by its mass, mjx has zero
    out.jac_subtreecom = each(m.nbody, (b) => m.body_subtreemass[b] > 0 ?
        times(numbers(3 * nv, (p) => mj.mj_jacSubtreeCom(m, d, p, b)), x) : [0, 0, 0]);
    out.angmom = each(m.nbody, (b) => times(numbers(3 * nv, (p) => mj.mj_angmomMat(m, d, p, b)), x));
    out.velocity_body = each(m.nbody, (b) => velocity('mjOBJ_XBODY', b, 0));
    out.velocity_bodycom_local = each(m.nbody, (b) => velocity('mjOBJ_BODY', b, 1));
    out.velocity_site_local = each(m.nsite, (s) => velocity('mjOBJ_SITE', s, 1));
    out.full_M = times(numbers(nv * nv, (b) => mj.mj_fullM(m, d, b)), x);
    out.mul_M = numbers(nv, (b) => mj.mj_mulM(m, d, b, x));
    out.solve_M = numbers(nv, (b) => mj.mj_solveM(m, d, b, x));
    const half = Array.from(d.qLDiagInv).map(Math.sqrt);
    out.solve_M2_square = [numbers(nv, (b) => mj.mj_solveM2(m, d, b, x, half)).reduce((sum, y) => sum + y * y, 0)];
    mj.mj_subtreeVel(m, d);
    out.momentum = each(m.nbody, (b) => [...d.subtree_angmom.subarray(3 * b, 3 * b + 3),
        ...d.subtree_linvel.subarray(3 * b, 3 * b + 3).map((v) => v * m.body_subtreemass[b])]);
    mj.mj_energyPos(m, d);
    mj.mj_energyVel(m, d);
    out.energy = Array.from(d.energy);
    const moved = mj.DoubleBuffer.FromArray(Array.from(d.qpos));
    mj.mj_integratePos(m, moved, x, 0.3);
    out.integrate_pos = Array.from(moved.GetView());
    out.differentiate_pos = numbers(nv, (b) => mj.mj_differentiatePos(m, b, 1, m.qpos0, d.qpos));
    moved.delete();
    out.bias = Array.from(d.qfrc_bias);
    out.rne = numbers(nv, (b) => { d.qacc.set(x); mj.mj_rne(m, d, 1, b); });
    return out;
}

function contact_forces(m, d) {
    const out = [];
    for (let i = 0; i < d.ncon; ++i) {
        const list = d.contact, c = list.get(i);
        out.push(...c.geom, ...numbers(6, (b) => mj.mj_contactForce(m, d, i, b)));
        c.delete?.();
        list.delete();
    }
    return out;
}

function at_state(m, file) {
    const d = new mj.MjData(m);
    set_state(d, file);
    mj.mj_forward(m, d);
    return d;
}

const one_number = (values) => values.reduce((sum, v, i) => sum + v * Math.sin(i + 1), 0);
const line = (name, values) => [name, values.length, ...values].join(' ') + '\n';

// What users change, by the number of the body or dof; then all that follows.
function changed_constants(m) {
    for (let b = 1; b < m.nbody; ++b) {
        const x = 0.01 * (b % 7 + 1);
        m.body_mass[b] *= 1 + x;
        for (let k = 0; k < 3; ++k) m.body_inertia[3 * b + k] *= 1 + x;
        m.body_pos[3 * b] += x;
        m.body_pos[3 * b + 2] += 0.02;
    }
    for (let i = 0; i < m.nv; ++i) m.dof_armature[i] += 0.01 * (i % 5 + 1);
    for (let s = 0; s < m.nsite; ++s) m.site_pos[3 * s + 1] += 0.01 * (s % 3);
    m.opt.enableflags &= ~mj.mjtEnableBit.mjENBL_SLEEP.value;  // it leaves out what sleeps in its MjData
    const d = new mj.MjData(m);
    mj.mj_setConst(m, d);
    d.delete();
    const fields = ['body_subtreemass', 'body_invweight0', 'dof_invweight0', 'dof_M0', 'dof_length', 'tendon_length0', 'tendon_invweight0',
        'tendon_lengthspring', 'actuator_length0', 'actuator_acc0', 'actuator_biasprm', 'eq_data', 'cam_pos0', 'cam_poscom0', 'cam_mat0',
        'light_pos0', 'light_poscom0', 'light_dir0'];
    const stat = m.stat;
    return [...fields.map((name) => one_number(Array.from(m[name]))), stat.meaninertia, stat.meanmass, stat.meansize, stat.extent,
        ...stat.center];
}

// Forces of contacts, in whatever order these are.
function contact_number(m, d) {
    const forces = contact_forces(m, d);
    let sum = 0;
    for (let i = 0; i < forces.length; i += 8)
        sum += one_number(forces.slice(i + 2, i + 8)) * Math.sin(7 * forces[i] + forces[i + 1]);
    return sum;
}

const conformance = join(here, '../conformance');
copy_directory(join(conformance, 'models'), '/features');
for (const name of cases) {
    const m = load(`/features/${name.split('.')[0]}.xml`);
    const d = at_state(m, join(conformance, 'refs', name + '.state'));
    const fields = { contact_force: contact_forces(m, d), ...answers(m, d) };
    writeFileSync(join(here, 'refs', name + '.ref'), Object.entries(fields).map(([field, v]) => line(field, v)).join(''));
    d.delete();
    m.delete();
}

const corpus = process.argv[2], constants = [], states = [];
if (corpus) copy_directory(join(corpus, 'models'), '/corpus');
for (const [folder, kind] of [[join(conformance, 'models'), 'features'], ...(corpus ? [[join(corpus, 'models'), 'corpus']] : [])])
    for (const path of models_below(folder)) {
        const name = relative(folder, path).replace(/\.xml$/, '').replaceAll('/', '__');
        const state = join(corpus ?? '', 'refs', name + '.rand1.state');
        if (kind === 'corpus' && !existsSync(state)) continue;  // a part of a model
        let m;
        try {
            m = load(`/${kind}/${relative(folder, path)}`);
        } catch (trouble) {
            console.error(`${path} is left out: ${trouble}`);
            continue;
        }
        if (kind === 'corpus') {
            const d = at_state(m, state);
            states.push(line(name, [contact_number(m, d), ...Object.values(answers(m, d)).map(one_number)]));
            d.delete();
        }
        constants.push(line(`${kind}/${name}`, changed_constants(m)));
        m.delete();
    }
writeFileSync(join(here, 'refs', 'constants.ref'), constants.join(''));
if (corpus) writeFileSync(join(here, 'refs', 'corpus.ref'), states.join(''));
