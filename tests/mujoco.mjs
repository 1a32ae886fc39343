// MuJoCo 3.14 for the scripts that make references, from the npm package @mujoco/mujoco.
//
//     npm install --no-save @mujoco/mujoco@3.14.0      in this directory or one above it
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import loadMujoco from '@mujoco/mujoco';

export const mj = await loadMujoco();

// MuJoCo sees a file system of its own, with the folders that were copied into it.
export function copy_directory(from, to) {
    if (!mj.FS.analyzePath(to).exists) mj.FS.mkdir(to);
    for (const entry of readdirSync(from, { withFileTypes: true })) {
        if (entry.isDirectory()) copy_directory(join(from, entry.name), `${to}/${entry.name}`);
        else if (entry.isFile()) mj.FS.writeFile(`${to}/${entry.name}`, readFileSync(join(from, entry.name)));
    }
}

// A model in that file system, solved to the end.
export function load(path) {
    const m = mj.MjModel.from_xml_path(path);
    m.opt.solver = mj.mjtSolver.mjSOL_NEWTON.value;
    m.opt.iterations = 100;
    m.opt.tolerance = 0;
    return m;
}

// The models in a folder and below it.
export const models_below = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? models_below(join(folder, entry.name)) : entry.name.endsWith('.xml') ? [join(folder, entry.name)] : []).sort();

// Gives d what a file of conformance/refs says of a state.
export function set_state(d, file) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
        const [field, , ...values] = line.trim().split(/\s+/);
        if (field === 'time') d.time = Number(values[0]);
        else if (field && values.length) d[field].set(values.map(Number));
    }
}
