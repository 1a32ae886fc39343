// Differential fuzzing against MuJoCo: random models, every field of both answers compared.
//
//     npm install --no-save @mujoco/mujoco@3.14.0      in the directory above this one or further up
//     node fuzz.mjs MJX [FIRST [COUNT]]                seeds FIRST ... FIRST + COUNT - 1 (1, 100) with the `mjx` command MJX
//
// A seed that differs, or that one of the two refuses, is told and its files are kept in fuzz/: SEED.xml, SEED.state. Cut the model down
// to what matters, give it a name that says so, and keep it as models/NAME.xml with the references of generate.mjs.
// Fields are held to 1e-6 of one plus their largest number: two solvers that have converged agree to that. Contacts of curved shapes are
// found by iterations that stop somewhere in a small patch (README.md here): where they differ, what follows is held to 1e-3.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url)), folder = join(here, 'fuzz');
const [mjx, first = '1', count = '100'] = process.argv.slice(2);
const tolerance = 1e-6, patch_tolerance = 1e-3;

// ------------------------------------------------------------------------------------------- random models

function random(seed) {
    let state = (seed * 2654435761) >>> 0;
    const uniform = () => {  // mulberry32
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    const r = {
        uniform,
        number: (low, high) => Number((low + (high - low) * uniform()).toFixed(4)),
        below: (n) => Math.floor(n * uniform()),
        chance: (p) => uniform() < p,
        of: (list) => list[Math.floor(list.length * uniform())],
    };
    r.vector = (n, low, high) => Array.from({ length: n }, () => r.number(low, high)).join(' ');
    return r;
}

// Attributes as text; those of `maybe` appear half of the time.
function attributes(r, always, maybe = {}) {
    const entries = [...Object.entries(always), ...Object.entries(maybe).filter(() => r.chance(0.5))];
    return entries.map(([name, value]) => ` ${name}="${typeof value === 'function' ? value() : value}"`).join('');
}

const sizes = { sphere: 1, capsule: 2, ellipsoid: 3, cylinder: 2, box: 3 };
function geom(r, name) {
    const type = r.of(Object.keys(sizes));
    return `<geom${attributes(r, { name, type, size: r.vector(sizes[type], 0.05, 0.2), pos: r.vector(3, -0.1, 0.1) }, {
        euler: r.vector(3, -90, 90), condim: r.of([1, 3, 4, 6]), friction: r.vector(3, 0.01, 1), margin: r.number(0, 0.05),
        gap: r.number(0, 0.02), solref: `${r.number(0.01, 0.05)} ${r.number(0.5, 2)}`, solmix: r.number(0.1, 2), priority: r.below(2),
        density: r.number(200, 3000), fluidshape: r.of(['none', 'ellipsoid']), surfacevel: r.vector(6, -0.5, 0.5) })}/>`;
}
function joint(r, name, type) {
    const limited = type !== 'free' && r.chance(0.5), scalar = type === 'hinge' || type === 'slide';
    const range = type === 'ball' ? `0 ${r.number(20, 90)}` : type === 'slide' ? `${r.number(-0.5, -0.1)} ${r.number(0.1, 0.5)}`
        : `${r.number(-90, -20)} ${r.number(20, 90)}`;
    return `<joint${attributes(r, { name, type, ...(limited ? { limited: 'true', range } : {}) }, {
        damping: r.number(0, 2), armature: r.number(0, 0.2), ...(scalar ? { axis: r.vector(3, 0.1, 1), pos: r.vector(3, -0.1, 0.1),
            ref: r.number(-0.1, 0.1), springref: r.number(-0.1, 0.1) } : {}),
        ...(type === 'free' ? {} : { stiffness: r.number(0, 20), frictionloss: r.number(0, 1) }),
        solreflimit: `${r.number(0.01, 0.05)} 1`, margin: r.number(0, 0.02) })}/>`;
}

function model(r) {
    const names = { body: [], joint: [], scalar: [], geom: [], site: [], tendon: [], actuator: [] };
    const body = (depth) => {
        const name = `b${names.body.length}`;
        names.body.push(name);
        let text = `<body${attributes(r, { name, pos: r.vector(3, -0.3, 0.3) }, { euler: r.vector(3, -180, 180), gravcomp: r.number(0, 1) })}>`;
        const types = depth === 0 && r.chance(0.4) ? ['free'] : r.chance(0.15) ? [] : r.chance(0.25) ? ['ball']
            : Array.from({ length: 1 + r.below(2) }, () => r.of(['hinge', 'slide', 'hinge']));
        for (const type of types) {
            const id = `j${names.joint.length}`;
            names.joint.push(id);
            if (type === 'hinge' || type === 'slide') names.scalar.push(id);
            text += joint(r, id, type);
        }
        for (let i = 1 + r.below(2); i > 0; --i) {
            names.geom.push(`g${names.geom.length}`);
            text += geom(r, names.geom.at(-1));
        }
        names.site.push(`s${names.site.length}`);
        text += `<site name="${names.site.at(-1)}" pos="${r.vector(3, -0.1, 0.1)}" euler="${r.vector(3, -180, 180)}"/>`;
        for (let i = depth < 3 ? r.below(3) : 0; i > 0; --i) text += body(depth + 1);
        return text + '</body>';
    };
    let bodies = '';
    for (let i = 1 + r.below(3); i > 0; --i) bodies += body(0);
    const option = `<option${attributes(r, { timestep: r.number(0.001, 0.005), integrator: r.of(['Euler', 'RK4', 'implicit', 'implicitfast']),
        cone: r.of(['pyramidal', 'elliptic']) }, { impratio: r.number(0.5, 5), density: r.number(0, 100), viscosity: r.number(0, 1),
        wind: r.vector(3, -1, 1), gravity: r.vector(3, -10, 10) })}>
        <flag${attributes(r, { energy: 'enable' }, { eulerdamp: 'disable', filterparent: r.of(['enable', 'disable']) })}/></option>`;
    const tendons = [], equalities = [], actuators = [], sensors = [];
    const pick = (kind, make) => { if (names[kind].length) make(r.of(names[kind])); };
    const tendon = (path) => {
        names.tendon.push(`t${names.tendon.length}`);
        tendons.push(path(names.tendon.at(-1)) );
    };
    const tendon_extra = () => attributes(r, {}, { stiffness: r.number(0, 20), damping: r.number(0, 1), frictionloss: r.number(0, 0.5),
        limited: 'true', range: `${r.number(-1, 0)} ${r.number(0.1, 1)}`, springlength: r.number(0.1, 0.5) }).replace(/ limited="true"(?!.* range)/, '');
    if (r.chance(0.4)) pick('scalar', (a) => pick('scalar', (b) => tendon((name) =>
        `<fixed name="${name}"${tendon_extra()}><joint joint="${a}" coef="${r.number(0.2, 2)}"/>${a === b ? '' : `<joint joint="${b}" coef="${r.number(-2, -0.2)}"/>`}</fixed>`)));
    if (r.chance(0.4) && names.site.length > 1) tendon((name) =>
        `<spatial name="${name}"${tendon_extra()}><site site="${names.site[0]}"/><site site="${names.site.at(-1)}"/></spatial>`);
    if (r.chance(0.3) && names.body.length > 1) equalities.push(`<${r.of(['connect', 'weld'])} body1="${names.body[0]}" body2="${names.body.at(-1)}" anchor="${r.vector(3, -0.1, 0.1)}"/>`);
    if (r.chance(0.3)) pick('scalar', (a) => equalities.push(`<joint joint1="${a}" polycoef="${r.vector(5, -0.2, 0.2)}"/>`));
    const target = () => names.tendon.length && r.chance(0.3) ? `tendon="${r.of(names.tendon)}"` : names.scalar.length ? `joint="${r.of(names.scalar)}"` : '';
    for (let i = r.below(4); i > 0; --i) {
        const on = target();
        if (!on) break;
        names.actuator.push(`a${names.actuator.length}`);
        const common = `name="${names.actuator.at(-1)}" ${on}${attributes(r, {}, { gear: r.number(0.5, 3), ctrlrange: '-1 1', forcerange: '-2 2' })}`;
        actuators.push(r.of([`<motor ${common}/>`, `<position ${common} kp="${r.number(1, 20)}" kv="${r.number(0, 2)}"/>`,
            `<velocity ${common} kv="${r.number(0.1, 3)}"/>`, `<intvelocity ${common} kp="${r.number(1, 20)}" actrange="-1 1"/>`,
            `<general ${common} dyntype="filter" dynprm="${r.number(0.05, 0.5)}" gainprm="${r.number(0.5, 3)}" biastype="affine" biasprm="${r.vector(3, -1, 1)}"/>`,
            `<general ${common} dyntype="filterexact" dynprm="${r.number(0.05, 0.5)}" gaintype="affine" gainprm="${r.vector(3, -1, 1)}"/>`,
            `<muscle name="${names.actuator.at(-1)}" ${on} lengthrange="-1 1"/>`]));
    }
    const on_site = ['accelerometer', 'gyro', 'velocimeter', 'force', 'torque', 'touch'], on_joint = ['jointpos', 'jointvel', 'jointlimitpos', 'jointlimitfrc', 'jointactuatorfrc'];
    const on_frame = ['framepos', 'framequat', 'framelinvel', 'frameangvel', 'framelinacc', 'frameangacc', 'framexaxis'];
    for (let i = 2 + r.below(6); i > 0; --i) {
        const kind = r.below(4);
        if (kind === 0) sensors.push(`<${r.of(on_site)} site="${r.of(names.site)}"/>`);
        if (kind === 1 && names.scalar.length) sensors.push(`<${r.of(on_joint)} joint="${r.of(names.scalar)}"/>`);
        if (kind === 2) sensors.push(`<${r.of(on_frame)} objtype="${r.of(['body', 'xbody'])}" objname="${r.of(names.body)}"/>`);
        if (kind === 3) sensors.push(`<${r.of(['subtreecom', 'subtreelinvel', 'subtreeangmom'])} body="${r.of(names.body)}"/>`);
    }
    const section = (tag, list) => list.length ? `<${tag}>\n${list.join('\n')}\n</${tag}>\n` : '';
    const floor = r.chance(0.7) ? '<geom name="floor" type="plane" size="5 5 1" pos="0 0 -0.3"/>' : '';
    return { names, text: `<mujoco>\n${option}\n<worldbody>${floor}\n${bodies}\n</worldbody>\n${section('tendon', tendons)}${section('equality', equalities)}` +
        `${section('actuator', actuators)}${section('sensor', sensors)}</mujoco>\n` };
}

// ------------------------------------------------------------------------------------------- both answers

function run(program, words) {
    try {
        return { text: execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28, timeout: 60000 }) };
    } catch (trouble) {
        return { error: (trouble.stderr || String(trouble)).split('\n').find((line) => /error|mjx:/i.test(line)) ?? 'failed' };
    }
}
function fields(text) {
    const found = new Map();
    for (const line of text.split('\n')) {
        const [name, , ...values] = line.trim().split(/\s+/);
        if (name) found.set(name, values.map(Number));
    }
    return found;
}

// The worst field, or nothing.
function error_of(got, expected) {
    const scale = 1 + Math.max(0, ...expected.map(Math.abs));
    return Math.max(0, ...expected.map((x, i) => (Number.isFinite(got[i]) ? Math.abs(x - got[i]) : Infinity))) / scale;
}
function difference(ours, theirs) {
    const contact = theirs.get('contact') ?? [], patches = error_of(ours.get('contact') ?? [], contact) > 1e-9;
    let worst = null;
    for (const [name, expected] of theirs) {
        const got = ours.get(name);
        if (!got) continue;
        if (got.length !== expected.length) return { name, text: `${got.length} numbers, MuJoCo has ${expected.length}` };
        const error = error_of(got, expected);
        if (error > (patches ? patch_tolerance : tolerance) && (!worst || error > worst.error)) worst = { name, error, text: error.toExponential(1) };
    }
    return worst;
}

if (!mjx) throw new Error('node fuzz.mjs MJX [FIRST [COUNT]]');
mkdirSync(folder, { recursive: true });
let agreed = 0;
for (let seed = Number(first); seed < Number(first) + Number(count); ++seed) {
    const r = random(seed), made = model(r), file = join(folder, `${seed}.xml`), state = join(folder, `${seed}.state`);
    writeFileSync(file, made.text);
    const rest = run(mjx, ['dump', file]);
    if (!rest.error) {
        const initial = fields(rest.text);
        const near = (name, spread) => (initial.get(name) ?? []).map((x) => x + spread * (2 * r.uniform() - 1));
        const lines = [['time', [0]], ['qpos', near('qpos', 0.1)], ['qvel', near('qvel', 0.5)], ['act', near('act', 0.2)],
            ['ctrl', made.names.actuator.map(() => 2 * r.uniform() - 1)]];
        writeFileSync(state, lines.map(([name, v]) => [name, v.length, ...v].join(' ') + '\n').join(''));
    } else {
        writeFileSync(state, 'time 1 0\n');
    }
    const ours = run(mjx, ['dump', file, '--state', state, '--solver', 'Newton', '--iterations', '100', '--tolerance', '0']);
    const theirs = run(process.execPath, [join(here, 'generate.mjs'), '--dump', file, state]);
    let verdict = null;
    if (ours.error && theirs.error) verdict = null;
    else if (ours.error || theirs.error) verdict = ours.error ? `only mjx refuses: ${ours.error}` : `only MuJoCo refuses: ${theirs.error}`;
    else {
        const worst = difference(fields(ours.text), fields(theirs.text));
        if (worst) verdict = `${worst.name}: ${worst.text}`;
    }
    if (verdict) console.log(`seed ${seed}: ${verdict}`);
    else {
        ++agreed;
        for (const path of [file, state]) rmSync(path, { force: true });
    }
}
console.log(`${agreed} of ${count} agree`);
process.exitCode = agreed === Number(count) ? 0 : 1;
