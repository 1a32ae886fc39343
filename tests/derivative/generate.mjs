// Makes the references of derivatives of accelerations with MuJoCo 3.14, from the npm package @mujoco/mujoco.
//
//     npm install --no-save @mujoco/mujoco@3.14.0      in the directory above this one or further up
//     node generate.mjs [CORPUS]                       writes refs/features.ref and, of a corpus, refs/corpus.ref
//
// Lines for each state of ../conformance: how qacc changes when position, velocity and applied force change along x, x[i] = sin(i + 1),
// each as one number, its product with x, by central differences of mj_forward of fourth order. Where faces of geoms tie, of which rounding
// takes one or the other, at two positions beside the state, STATE+ and STATE-, 3e-3 away along x.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copy_directory, load, mj, models_below, set_state } from '../mujoco.mjs';

const here = dirname(fileURLToPath(import.meta.url));

function load_smooth(path) {
    const m = load(path);
    m.opt.integrator = mj.mjtIntegrator.mjINT_EULER.value;  // with the discrete one qacc is that of its step
    m.opt.enableflags &= ~mj.mjtEnableBit.mjENBL_SLEEP.value;  // what wakes has no derivative
    return m;
}

const ties = ['menagerie__google_barkour_vb__scene.init', 'menagerie__shadow_hand__scene_right.rand2',
    'mujoco__test__engine__testdata__sleep__init_island.init'];

function shift(m, d, x, length) {
    const q = mj.DoubleBuffer.FromArray(Array.from(d.qpos));
    mj.mj_integratePos(m, q, x, length);
    d.qpos.set(Array.from(q.GetView()));
    q.delete();
}

// How the acceleration changes with what `move(d, length)` changes, weighed: one number, or at a kink, where a row changes its zone, that to
// the one side and that to the other. Nothing where that is no number to be held against: where a contact comes or goes or a row changes
// its zone within the differences on one side, and where contacts are found so roughly that they move with the tolerance of their iterations.
function slope(m, file, move) {
    const at = (length, tolerance) => {
        m.opt.ccd_tolerance = tolerance;
        m.opt.ccd_iterations = tolerance < 1e-6 ? 500 : 50;
        const d = new mj.MjData(m);
        set_state(d, file);
        move(d, length);
        for (let turn = 0; turn < 3; ++turn) mj.mj_forward(m, d);  // each starts where the last one ended
        const a = Array.from(d.qacc), contacts = d.ncon;
        d.delete();
        return { a, contacts };
    };
    const weigh = (slopes) => slopes.reduce((sum, s, i) => sum + s * Math.sin(i + 1), 0);
    const middle = at(0, 1e-6), sharp = at(0, 1e-10);
    const difference = (eps, tolerance) => {
        const above = at(eps, tolerance), below = at(-eps, tolerance), centre = (tolerance < 1e-6 ? sharp : middle).a;
        const slopes = above.a.map((a, i) => (a - below.a[i]) / (2 * eps));
        const sides = [above.a.map((a, i) => (a - centre[i]) / eps), below.a.map((a, i) => (centre[i] - a) / eps)];
        const bend = above.a.reduce((sum, a, i) => sum + Math.abs(a - 2 * centre[i] + below.a[i]) / (2 * eps), 0);
        return { slopes, sides, bend, same: above.contacts === middle.contacts && below.contacts === middle.contacts };
    };
    const wide = difference(2e-5, 1e-6), narrow = difference(1e-5, 1e-6), exact = difference(1e-5, 1e-10);
    const size = 1 + narrow.slopes.reduce((sum, s) => sum + Math.abs(s), 0);
    const apart = (one, other) => one.reduce((sum, s, i) => sum + Math.abs(s - other[i]), 0) / size;
    if (!(wide.same && narrow.same)) return undefined;
    if (narrow.bend < 0.7 * wide.bend || narrow.bend < 1e-5 * size) {
        if (!(apart(narrow.slopes, wide.slopes) < 1e-5 && apart(narrow.slopes, exact.slopes) < 1e-6)) return undefined;
        return [weigh(narrow.slopes.map((s, i) => (4 * s - wide.slopes[i]) / 3))];
    }
    if (!narrow.sides.every((side, k) => apart(side, wide.sides[k]) < 1e-4 && apart(side, exact.sides[k]) < 1e-6)) return undefined;
    return narrow.sides.map((side, k) => weigh(side.map((s, i) => 2 * s - wide.sides[k][i])));
}
function slopes(m, file, aside) {
    const x = Array.from({ length: m.nv }, (_, i) => Math.sin(i + 1));
    const along = (move) => slope(m, file, (d, length) => { shift(m, d, x, aside); move(d, length); });
    const add = (field) => along((d, length) => x.forEach((xi, i) => { d[field][i] += length * xi; }));
    return { position: along((d, length) => shift(m, d, x, length)), velocity: add('qvel'), force: add('qfrc_applied') };
}

mkdirSync(join(here, 'refs'), { recursive: true });
for (const [kind, root] of [['features', join(here, '../conformance')], ...(process.argv[2] ? [['corpus', process.argv[2]]] : [])]) {
    const models = join(root, 'models'), lines = [];
    copy_directory(models, `/${kind}`);
    for (const path of models_below(models)) {
        const name = relative(models, path).replace(/\.xml$/, '').replaceAll('/', '__');
        for (const state of ['rest', 'init', 'rand1', 'rand2']) {
            const file = join(root, 'refs', `${name}.${state}.state`);
            if (!existsSync(file)) continue;
            try {
                const m = load_smooth(`/${kind}/${relative(models, path)}`);
                for (const [side, aside] of ties.includes(`${name}.${state}`) ? [['+', 3e-3], ['-', -3e-3]] : [['', 0]])
                    for (const [by, value] of Object.entries(m.nv ? slopes(m, file, aside) : {}))
                        if (value !== undefined) lines.push(`${name}.${state}${side}.${by} ${value.length} ${value.join(' ')}\n`);
                m.delete();
            } catch (trouble) {
                console.error(`${path} is left out: ${trouble}`);
            }
        }
    }
    writeFileSync(join(here, 'refs', `${kind}.ref`), lines.join(''));
}
