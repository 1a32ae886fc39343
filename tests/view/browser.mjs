// The page in a real browser: node browser.mjs <mjx command> <models folder> <folder with node_modules> <browser>
// Starts `mjx view`, looks at what is drawn, uses the panel and the mouse, then does the same with a recording, and has glTF validated.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeGallery } from './gallery.mjs';
import { openBrowser, openPage, requireFrom, serve } from './page.mjs';

const [command, models, packages, browserPath] = process.argv.slice(2);
const validator = requireFrom(packages)('gltf-validator');
const humanoid = join(models, 'humanoid.xml');
const folder = mkdtempSync(join(tmpdir(), 'mjx-browser-'));
const run = promisify(execFile);

let failures = 0;
function check(what, holds, detail = '') {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}${detail !== '' ? ` (${detail})` : ''}`);
  failures += !holds;
}

// The pixels that an item alone changes, and how many of them are mostly red, green or blue. Without a name: of all but the floors.
const pixelsOf = (page, name) => page.evaluate(wanted => {
  const { renderer, picture, eye } = mjx, gl = renderer.getContext(), { drawingBufferWidth: w, drawingBufferHeight: h } = gl;
  const items = [...picture.geoms, ...picture.sites];
  const pixels = keep => {
    for (const item of items) item.visible = item.userData.floor || keep(item.userData);
    picture.fill();
    renderer.render(picture.world, eye.camera);
    const data = new Uint8Array(4 * w * h);
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data);
    return data;
  };
  const before = pixels(() => false), after = pixels(item => wanted ? item.name === wanted : true);
  picture.show();
  const seen = { all: 0, red: 0, green: 0, blue: 0 };
  for (let i = 0; i < before.length; i += 4) {
    const [r, g, b] = after.subarray(i, i + 3);
    if (Math.abs(before[i] - r) + Math.abs(before[i + 1] - g) + Math.abs(before[i + 2] - b) < 30) continue;
    ++seen.all;
    seen.red += r > 1.5 * Math.max(g, b);
    seen.green += g > 1.5 * Math.max(r, b);
    seen.blue += b > 1.5 * Math.max(r, g);
  }
  return seen;
}, name);

// Asks for numbers of Data; they come with the latest frame.
async function probe(page, list) {
  const asked = 500000 + Math.floor(Math.random() * 400000);
  await page.evaluate(([n, text]) => { mjx.plots.asked = -1; mjx.source.send(`probes ${n} ${text}`); }, [asked, list.join(' ')]);
  await page.waitForFunction(n => mjx.source.latest.asked === n, asked);
}
const value = async (page, what) => { await probe(page, [what]); return page.evaluate(() => mjx.source.latest.probes[0]); };
const time = page => page.evaluate(() => mjx.source.latest.time);

// The pose of every body in the picture is d.xpos, at several times.
async function comparePoses(page) {
  const bodies = await page.evaluate(() => mjx.about.scene.bodies.length), count = Math.min(10, bodies), times = new Set();
  let worst = 0;
  await probe(page, Array.from({ length: 3 * count }, (_, i) => `xpos:${i}`));
  for (let i = 0; i < 5; ++i) {
    await page.waitForTimeout(100);
    const [at, error] = await page.evaluate(n => {
      const frame = mjx.source.latest;
      mjx.picture.apply(frame);
      mjx.picture.world.updateMatrixWorld(true);
      let most = 0;
      for (let b = 0; b < n; ++b) for (let k = 0; k < 3; ++k)
        most = Math.max(most, Math.abs(mjx.picture.bodies[b].matrixWorld.elements[12 + k] - frame.probes[3 * b + k]));
      return [frame.time, most];
    }, count);
    times.add(at);
    worst = Math.max(worst, error);
  }
  check('bodies are where the simulation has them', worst < 1e-5, worst);
  check('and the simulation goes on', times.size > 1, times.size);
}

async function useButtons(page) {
  await page.click('#pause');
  await page.waitForFunction('mjx.source.latest.paused');
  const before = await time(page);
  await page.waitForTimeout(300);
  check('pause holds the time', await time(page) === before, before);
  await page.click('#step');
  await page.waitForFunction(t => mjx.source.latest.time > t, before);
  const step = await time(page) - before, timestep = await page.evaluate(() => mjx.about.scene.timestep);
  check('a step is one step', Math.abs(step - timestep) < 1e-9, step);
  await page.selectOption('#key', { label: 'standing' });
  check('a keyframe is gone to', Math.abs(await value(page, 'qpos:2') - 1.29) < 1e-6);
  await page.click('#reset');
  await page.waitForFunction('mjx.source.latest.time === 0');
  check('reset goes back to the start', Math.abs(await value(page, 'qpos:2') - 1.35) < 1e-6);
}

async function usePanel(page) {
  await page.evaluate(() => { for (const id of ['controls', 'joints', 'plot']) document.getElementById(id).open = true; });
  await page.evaluate(() => { const s = document.getElementById('ctrl_3'); s.value = 0.75; s.dispatchEvent(new Event('input')); });
  await page.waitForFunction('Math.abs(mjx.source.latest.ctrl[3] - 0.75) < 0.01');
  check('a slider sets a control', Math.abs(await value(page, 'ctrl:3') - 0.75) < 0.01);
  await page.evaluate(() => mjx.source.send('ctrl 3 0'));
  const [joints, limits] = await page.evaluate(() => [[...document.querySelectorAll('#joint_list label')].length,
    [...document.querySelectorAll('#joint_list span[title]')].filter(s => s.title.includes('…')).length]);
  check('joints are listed with their limits', joints === 21 && limits === 21, `${joints}, ${limits}`);
}

// Pulls the torso up while everything would fall.
async function pull(page) {
  const spot = await page.evaluate(() => {
    const at = mjx.picture.bodies[1].position.clone().project(mjx.eye.camera), box = mjx.renderer.domElement.getBoundingClientRect();
    return { x: box.left + (at.x + 1) / 2 * box.width, y: box.top + (1 - at.y) / 2 * box.height };
  });
  await page.keyboard.down('Control');
  await page.mouse.move(spot.x, spot.y);
  await page.mouse.down();
  await page.mouse.move(spot.x, spot.y - 60, { steps: 4 });
  await page.evaluate(() => mjx.source.send('run'));
  await page.waitForFunction('mjx.source.latest.time > 0.3');
  await probe(page, ['xfrc_applied:8', 'xpos:5']);
  const [force, height] = await page.evaluate(() => [...mjx.source.latest.probes]);
  await page.mouse.up();
  await page.keyboard.up('Control');
  check('dragging pulls the body up', force > 0 && height > 1.2, `${force} N, ${height} m`);
  await probe(page, ['xfrc_applied:8']);
  await page.waitForFunction('mjx.source.latest.probes[0] === 0');
  check('letting go ends the force', true);
}

async function useView(page) {
  const azimuth = await page.evaluate(() => mjx.eye.azimuth);
  await page.mouse.move(60, 60);
  await page.mouse.down();
  await page.mouse.move(120, 60, { steps: 2 });
  await page.mouse.up();
  check('dragging beside a body turns the view', await page.evaluate(() => mjx.eye.azimuth) !== azimuth);
  await page.selectOption('#follow', '1');
  await page.waitForFunction('mjx.eye.target.distanceTo(mjx.picture.bodies[1].position) < 1e-6');
  check('the camera follows a body', true);
  await page.check('#show_contacts');
  await page.check('#show_forces');
  await page.waitForFunction('mjx.picture.pools.point.used > 0 && mjx.picture.pools.force.used > 0');
  check('contact points and forces are shown on request', true);
  for (const name of ['axes', 'masses', 'inertias', 'collision', 'sites']) await page.check('#show_' + name);
  const marks = await page.evaluate(() => ['axes', 'masses', 'inertias'].map(kind => mjx.picture[kind].filter(m => m.visible).length));
  check('and joint axes, centres of mass, inertia boxes', marks.every(n => n > 10), marks.join(' '));
  await page.click('#plot_add');
  await page.waitForFunction('mjx.plots.plots[0]?.times.length > 2');
  const energy = await page.evaluate(() => mjx.plots.plots[0].values.map(v => v[v.length - 1]));
  check('plots get their numbers', energy.length === 2 && energy[0] > 0, energy.join(' '));
}

async function watchLive(browser, server) {
  const page = await openPage(browser, server.url), seen = await pixelsOf(page);
  check('the humanoid is seen', seen.all > 500, seen.all);
  await comparePoses(page);
  await useButtons(page);
  await usePanel(page);
  await pull(page);
  await useView(page);
  console.log('     frames per second:', await page.evaluate(() => mjx.rates.frames),
    ' times real time:', await page.evaluate(() => mjx.source.latest.rate));
  check('no trouble on the page', page.troubles.length === 0, page.troubles.join('; '));
  await page.close();
}

// Every kind of thing in its colours.
async function watchGallery(browser, server) {
  const page = await openPage(browser, server.url);
  const colors = { sphere: ['red'], capsule: ['green'], ellipsoid: ['blue'], cylinder: ['green'], box: ['red', 'blue'],
    wrapped: ['red', 'green'], slab: ['red', 'blue'], bowl: ['red', 'blue'], hills: ['green'], ring: ['red'], checkers: ['red', 'blue'],
    mark: ['blue'] };
  await page.check('#show_sites');
  // Pixels are counted, so that their number must not follow the speed of the machine.
  await page.evaluate(() => { mjx.quality.automatic = false; mjx.quality.set(3); });
  for (const [name, wanted] of Object.entries(colors)) {
    const seen = await pixelsOf(page, name), parts = ['red', 'green', 'blue'].filter(c => seen[c] > 0.1 * seen.all);
    check(`${name} is seen, ${wanted.join(' and ')}`, seen.all > 100 && wanted.join() === parts.join(), JSON.stringify(seen));
  }
  const rope = await page.evaluate(() => mjx.picture.pools.tendon.used);
  check('a tendon goes around what it is wrapped on', rope >= 3, rope);
  check('no trouble on the page', page.troubles.every(t => t.includes('lost.png')), page.troubles.join('; '));
  await page.close();
}

async function watchRecording(browser, file, table) {
  const page = await openPage(browser, 'file://' + file);
  await page.evaluate(() => { mjx.player.playing = false; });
  const rows = readFileSync(table, 'utf8').trim().split('\n').slice(1).map(row => row.split(',').map(Number));
  let worst = 0;
  for (const index of [40, 100, 160]) {
    const at = await page.evaluate(t => {
      const i = mjx.source.times.findIndex(x => x >= t), frame = mjx.source.frame(mjx.source.times[i]);
      mjx.picture.apply(frame);
      return { time: mjx.source.times[i], pos: mjx.picture.bodies[1].position.toArray() };
    }, rows[index][0]);
    // poses are those a step began with
    const row = rows.find(r => Math.abs(r[0] - (at.time - 0.005)) < 1e-4);
    for (let k = 0; k < 3; ++k) worst = Math.max(worst, Math.abs(at.pos[k] - row[1 + k]));
  }
  check('a recording has the motion of the run', worst < 1e-4, worst);
  const seen = await pixelsOf(page);
  check('the humanoid is seen in it', seen.all > 500, seen.all);
  await page.check('#show_contacts');
  await page.check('#show_forces');
  await page.evaluate(() => { mjx.player.time = mjx.source.duration; });
  await page.waitForFunction('mjx.picture.pools.point.used > 0 && mjx.picture.pools.force.used > 0');
  const [weight, lift] = await page.evaluate(() => {
    const list = mjx.source.frame(mjx.source.duration).contact;
    let sum = 0;
    for (let i = 8; i < list.length; i += 9) sum += list[i];
    return [mjx.picture.weight, sum];
  });
  check('with the contacts that hold it', lift > 0.1 * weight && lift < 20 * weight, `${lift} N under ${weight} N`);
  check('it is small enough to mail', readFileSync(file).length < 2e6, readFileSync(file).length);
  check('no trouble in the recording', page.troubles.length === 0, page.troubles.join('; '));
  await page.close();
}

async function validateGltf(name, file) {
  const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(file)));
  check(`${name}.glb is valid glTF`, issues.numErrors === 0 && issues.numWarnings === 0,
    issues.messages.filter(m => m.severity < 2).slice(0, 3).map(m => m.code + ' ' + m.pointer).join('; '));
}

const gallery = writeGallery(folder), recording = join(folder, 'run.html'), table = join(folder, 'run.csv');
const record = (model, seconds, file) => run(command, ['record', model, '--seconds', seconds, '-o', file, '--three', packages]);
const glb = { humanoid, workshop: join(models, 'workshop.xml'), gallery };
// the browser is busy meanwhile
const files = Promise.all([record(humanoid, '1', recording), run(command, ['run', humanoid, '--steps', '200', '--csv', table]),
  ...Object.entries(glb).map(([name, model]) => record(model, '0.5', join(folder, name + '.glb')))]);
const servers = [];
const browser = await openBrowser(packages, browserPath);
try {
  for (const model of [humanoid, gallery]) servers.push(await serve(command, model, packages));
  await watchLive(browser, servers[0]);
  await watchGallery(browser, servers[1]);
  await files;
  await watchRecording(browser, recording, table);
  for (const name of Object.keys(glb)) await validateGltf(name, join(folder, name + '.glb'));
} catch (trouble) {
  check('the test came to its end', false, trouble.stack);
} finally {
  await browser.close();
  for (const server of servers) server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures ? 1 : 0);
