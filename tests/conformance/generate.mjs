// Makes the references of the conformance test with MuJoCo 3.14, from the npm package @mujoco/mujoco.
//
//     npm install --no-save @mujoco/mujoco@3.14.0      in the directory above this one or further up
//     node generate.mjs [MODEL ...]                    writes refs/MODEL.STATE.state and .ref, for all of models/ by default
//     node generate.mjs --dump MODEL.xml FILE.state    prints the reference of one state, for comparison with other dumps
//
// Models called plugin_* need MuJoCo's plugin libraries, which the package does not have (README.md).
//
// Two states per model: `rand1`, a random one near qpos0, and `rest`, 200 steps later. The random numbers are our own and seeded
// by the model's name, so the same files come out everywhere. How far a state strays from qpos0 is the model's choice:
// <custom><numeric name="spread" data="position velocity"/></custom>, by default 0.2 and 0.5; free bodies shift by a tenth of it.
// Numbers are written with as many digits, at most 17, as it takes to read the same double back.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copy_directory, load, mj } from '../mujoco.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const rest_steps = 200;

// ------------------------------------------------------------------------------------------- random numbers

function seeded(text) {
    let state = 2166136261;
    for (const c of text) state = Math.imul(state ^ c.charCodeAt(0), 16777619) >>> 0;
    const uniform = () => {  // mulberry32
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    // Sums of uniform numbers: bounded, and free of library functions that differ from machine to machine.
    const normal = () => (uniform() + uniform() + uniform() + uniform() - 2) * Math.sqrt(3);
    return { uniform, normal };
}

// ------------------------------------------------------------------------------------------- states

const state_fields = ['qpos', 'qvel', 'act', 'ctrl', 'qfrc_applied', 'xfrc_applied', 'mocap_pos', 'mocap_quat'];

// With the model's directory MuJoCo sees what the model may include.
function load_file(path) {
    if (!mj.FS.analyzePath('/models').exists) copy_directory(dirname(path), '/models');
    return load('/models/' + basename(path));
}

function spread(m) {
    const id = mj.mj_name2id(m, mj.mjtObj.mjOBJ_NUMERIC.value, 'spread');
    if (id < 0) return [0.2, 0.5];
    return [m.numeric_data[m.numeric_adr[id]], m.numeric_data[m.numeric_adr[id] + 1]];
}

function random_state(m, name) {
    const { uniform, normal } = seeded(name);
    const [position, velocity] = spread(m);
    const [body_dofs, free] = [m.body_dofadr, mj.mjtJoint.mjJNT_FREE.value];
    const step = Array.from({ length: m.nv }, () => position * normal());
    for (let j = 0; j < m.njnt; ++j)
        if (m.jnt_type[j] === free) for (let k = 0; k < 3; ++k) step[m.jnt_dofadr[j] + k] *= 0.1;
    const qpos = mj.DoubleBuffer.FromArray(Array.from(m.qpos0));
    mj.mj_integratePos(m, qpos, step, 1);
    const state = { time: [0], qpos: Array.from(qpos.GetView()) };
    qpos.delete();
    state.qvel = Array.from({ length: m.nv }, () => velocity * normal());
    state.act = Array.from({ length: m.na }, () => uniform());
    state.ctrl = Array.from({ length: m.nu }, (_, i) => {
        const [low, high] = m.actuator_ctrlrange.subarray(2 * i, 2 * i + 2);
        return low < high ? low + (high - low) * uniform() : 2 * uniform() - 1;
    });
    state.qfrc_applied = Array.from({ length: m.nv }, () => 0.1 * normal());
    state.xfrc_applied = Array.from({ length: 6 * m.nbody }, (_, i) =>
        body_dofs[Math.floor(i / 6)] >= 0 ? 0.02 * normal() : 0);
    const mocaps = Array.from({ length: m.nbody }, (_, b) => b).filter((b) => m.body_mocapid[b] >= 0);
    state.mocap_pos = mocaps.flatMap((b) => [0, 1, 2].map((k) => m.body_pos[3 * b + k] + 0.1 * position * normal()));
    state.mocap_quat = mocaps.flatMap((b) => {
        const quat = [0, 1, 2, 3].map((k) => m.body_quat[4 * b + k] + 0.5 * position * normal());
        const length = Math.sqrt(quat.reduce((sum, x) => sum + x * x, 0));
        return quat.map((x) => x / length);
    });
    return state;
}

function apply(m, d, state) {
    mj.mj_resetData(m, d);
    for (const name of state_fields) if (state[name]) d[name].set(state[name]);
    d.time = state.time[0];
}

function rest_state(m, d, start) {
    apply(m, d, start);
    for (let i = 0; i < rest_steps; ++i) mj.mj_step(m, d);
    const state = { time: [d.time] };
    for (const name of state_fields) state[name] = Array.from(d[name]);
    return state;
}

// ------------------------------------------------------------------------------------------- dumps

const model_fields = ['body_mass', 'body_inertia', 'body_ipos', 'body_invweight0', 'dof_invweight0', 'actuator_acc0',
    'actuator_lengthrange', 'tendon_invweight0', 'tendon_length0'];
const position_fields = ['qpos', 'qvel', 'act', 'ctrl', 'xpos', 'xquat', 'xipos', 'ximat', 'xanchor', 'xaxis', 'geom_xpos',
    'geom_xmat', 'site_xpos', 'site_xmat', 'subtree_com', 'cinert', 'cdof', 'ten_length', 'ten_velocity', 'actuator_length',
    'actuator_velocity'];
const force_fields = ['cvel', 'qfrc_bias', 'qfrc_spring', 'qfrc_damper', 'qfrc_gravcomp', 'qfrc_fluid', 'qfrc_passive', 'act_dot',
    'actuator_force', 'qfrc_actuator', 'qfrc_smooth', 'qacc_smooth'];
const row_fields = ['efc_type', 'efc_pos', 'efc_vel', 'efc_aref', 'efc_D', 'efc_diagA', 'efc_force'];
const last_fields = ['qfrc_constraint', 'qacc', 'cacc', 'cfrc_int', 'cfrc_ext', 'subtree_linvel', 'subtree_angmom', 'energy',
    'sensordata'];

function inertia(m, d) {
    const buffer = new mj.DoubleBuffer(m.nv * m.nv);
    mj.mj_fullM(m, d, buffer);
    const values = Array.from(buffer.GetView());
    buffer.delete();
    return values;
}

function contacts(d) {
    const list = d.contact, values = [];
    for (let i = 0; i < d.ncon; ++i) {
        const c = list.get(i);
        values.push(...c.geom, c.dim, c.dist, ...c.pos, ...c.frame.subarray(0, 3), ...c.friction);
        c.delete?.();
    }
    list.delete();
    return values;
}

function dump(m, d, state) {
    apply(m, d, state);
    mj.mj_forward(m, d);
    mj.mj_rnePostConstraint(m, d);
    mj.mj_subtreeVel(m, d);
    mj.mj_energyPos(m, d);
    mj.mj_energyVel(m, d);
    const out = { sizes: [m.nq, m.nv, m.nu, m.na, m.nbody, m.njnt, m.ngeom, m.nsite, m.ntendon, m.neq, m.nsensordata, m.nmocap] };
    const take = (from, names) => names.forEach((name) => { out[name] = Array.from(from[name]); });
    take(m, model_fields);
    out.time = [d.time];
    take(d, position_fields);
    out.M = m.nv ? inertia(m, d) : [];
    take(d, force_fields);
    out.ncon = [d.ncon];
    out.contact = contacts(d);
    out.nefc = [d.ne, d.nf, d.nl, d.nefc];
    row_fields.forEach((name) => { out[name] = Array.from(d[name]).slice(0, d.nefc); });
    take(d, last_fields);
    mj.mj_inverse(m, d);  // after the others: it overwrites the constraint forces of the forward pass
    take(d, ['qfrc_inverse']);
    mj.mj_step(m, d);
    for (const name of ['qpos', 'qvel', 'act']) out['next_' + name] = Array.from(d[name]);
    const warnings = d.warning;
    for (let i = 0; i < warnings.size(); ++i)
        if (warnings.get(i).number > 0) throw new Error(`MuJoCo warned: kind ${i}`);
    return out;
}

const text = (fields) => Object.entries(fields).map(([name, v]) => [name, v.length, ...v].join(' ') + '\n').join('');

function read(path) {
    const fields = {};
    for (const line of readFileSync(path, 'utf8').split('\n')) {
        const [name, , ...values] = line.trim().split(/\s+/);
        if (name) fields[name] = values.map(Number);
    }
    return fields;
}

// ------------------------------------------------------------------------------------------- main

const words = process.argv.slice(2);
if (words[0] === '--dump') {
    const m = load_file(words[1]), d = new mj.MjData(m);
    process.stdout.write(text(dump(m, d, read(words[2]))));
} else {
    const all = readdirSync(join(here, 'models')).filter((file) => file.endsWith('.xml') && !file.startsWith('plugin_'))
        .map((file) => basename(file, '.xml'));
    for (const name of words.length ? words : all.sort()) {
        try {
            const m = load_file(join(here, 'models', name + '.xml')), d = new mj.MjData(m);
            const rand1 = random_state(m, name);
            for (const [label, state] of [['rand1', rand1], ['rest', rest_state(m, d, rand1)]]) {
                const base = join(here, 'refs', `${name}.${label}`);
                writeFileSync(base + '.state', text(state));
                writeFileSync(base + '.ref', text(dump(m, d, state)));
            }
            d.delete();
            m.delete();
        } catch (trouble) {
            console.error(`${name}: ${trouble.message ?? trouble}`);
            process.exitCode = 1;
        }
    }
}
