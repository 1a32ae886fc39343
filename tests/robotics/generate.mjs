// Makes the references of the robotics tests with MuJoCo 3.12, from the npm package @mujoco/mujoco.
//
//     npm install --no-save @mujoco/mujoco@3.12.0      in this directory or one above it
//     node generate.mjs                                writes refs/MODEL.STATE.ref
//
// Models and states are those of ../conformance. A matrix is written as its product with x, x[i] = sin(i + 1), one number per row.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import loadMujoco from '@mujoco/mujoco';

const mj = await loadMujoco();
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
    out.jac_subtreecom = each(m.nbody, (b) => times(numbers(3 * nv, (p) => mj.mj_jacSubtreeCom(m, d, p, b)), x));
    out.angmom = each(m.nbody, (b) => times(numbers(3 * nv, (p) => mj.mj_angmomMat(m, d, p, b)), x));
    out.velocity_body = each(m.nbody, (b) => velocity('mjOBJ_XBODY', b, 0));
    out.velocity_bodycom_local = each(m.nbody, (b) => velocity('mjOBJ_BODY', b, 1));
    out.velocity_site_local = each(m.nsite, (s) => velocity('mjOBJ_SITE', s, 1));
    out.full_M = times(numbers(nv * nv, (b) => mj.mj_fullM(m, d, b)), x);
    out.mul_M = numbers(nv, (b) => mj.mj_mulM(m, d, b, x));
    out.solve_M = numbers(nv, (b) => mj.mj_solveM(m, d, b, x));
    const half = Array.from(d.qLDiagInv).map(Math.sqrt);
    out.solve_M2_square = [numbers(nv, (b) => mj.mj_solveM2(m, d, b, x, half)).reduce((sum, y) => sum + y * y, 0)];
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

for (const name of cases) {
    const xml = name.split('.')[0] + '.xml', conformance = join(here, '../conformance');
    if (!mj.FS.analyzePath('/models').exists) mj.FS.mkdir('/models');
    mj.FS.writeFile('/models/' + xml, readFileSync(join(conformance, 'models', xml)));
    const m = mj.MjModel.from_xml_path('/models/' + xml);
    m.opt.solver = mj.mjtSolver.mjSOL_NEWTON.value;
    m.opt.iterations = 100;
    m.opt.tolerance = 0;
    const d = new mj.MjData(m);
    for (const line of readFileSync(join(conformance, 'refs', name + '.state'), 'utf8').split('\n')) {
        const [field, , ...values] = line.trim().split(/\s+/);
        if (field === 'time') d.time = Number(values[0]);
        else if (field && values.length) d[field].set(values.map(Number));
    }
    mj.mj_forward(m, d);
    const fields = { contact_force: contact_forces(m, d), ...answers(m, d) };
    writeFileSync(join(here, 'refs', name + '.ref'),
        Object.entries(fields).map(([field, v]) => [field, v.length, ...v].join(' ') + '\n').join(''));
    d.delete();
    m.delete();
}
