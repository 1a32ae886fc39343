// The page in a real browser: node browser.mjs <mjx command> <models folder> <folder with node_modules> <browser>
// Starts `mjx view`, looks at what is drawn, uses the panel and the mouse, then does the same with a recording, and has glTF validated.
import { spawn, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [command, models, packages, browserPath] = process.argv.slice(2);
const require = createRequire(resolve(packages, 'node_modules', 'x.js'));
const { chromium } = require('playwright-core');
const validator = require('gltf-validator');
const humanoid = join(models, 'humanoid.xml');
const folder = mkdtempSync(join(tmpdir(), 'mjx-browser-'));
const patience = 120000;  // milliseconds; a busy machine draws a few frames in a second

let failures = 0;
function check(what, holds, detail = '') {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}${detail !== '' ? ` (${detail})` : ''}`);
  failures += !holds;
}

async function openPage(browser, url) {
  const page = await browser.newPage({ viewport: { width: 800, height: 500 } });
  page.troubles = [];
  page.on('pageerror', trouble => page.troubles.push(trouble.message));
  page.on('console', message => message.type() === 'error' && page.troubles.push(message.text()));
  page.setDefaultTimeout(patience);
  await page.goto(url);
  await page.waitForFunction('window.mjx?.frame && mjx.drawn > 1');
  return page;
}

// How many pixels the geoms that are not floors change.
const pixelsOfBodies = page => page.evaluate(() => {
  const { renderer, picture, eye } = mjx, gl = renderer.getContext();
  const pixels = () => {
    renderer.render(picture.world, eye.camera);
    const data = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, data);
    return data;
  };
  const bodies = picture.geoms.filter(g => g.userData.type !== 0), before = pixels();
  bodies.forEach(g => { g.visible = false; });
  const after = pixels();
  picture.show();
  let changed = 0;
  for (let i = 0; i < before.length; i += 4)
    changed += Math.abs(before[i] - after[i]) + Math.abs(before[i + 1] - after[i + 1]) + Math.abs(before[i + 2] - after[i + 2]) > 30;
  return changed;
});

// Asks for numbers of Data and gives them, with the frame they belong to.
async function probe(page, list) {
  const asked = 500000 + Math.floor(Math.random() * 400000);
  await page.evaluate(([n, text]) => { mjx.plots.asked = -1; mjx.source.send(`probes ${n} ${text}`); }, [asked, list.join(' ')]);
  await page.waitForFunction(n => mjx.source.latest.asked === n, asked);
}
const value = async (page, what) => { await probe(page, [what]); return page.evaluate(() => mjx.source.latest.probes[0]); };
const time = page => page.evaluate(() => mjx.source.latest.time);
const isPaused = page => page.evaluate(() => mjx.source.latest.paused);

async function watchLive(page) {
  check('the humanoid is seen', await pixelsOfBodies(page) > 2000, await pixelsOfBodies(page));

  // the pose of every body in the picture is d.xpos, at several times
  const bodies = await page.evaluate(() => mjx.about.scene.bodies.length), count = Math.min(10, bodies);
  const numbers = Array.from({ length: 3 * count }, (_, i) => `xpos:${i}`);
  let worst = 0;
  const times = new Set();
  await probe(page, numbers);
  for (let i = 0; i < 5; ++i) {
    await page.waitForTimeout(200);
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

  await page.click('#pause');
  await page.waitForFunction('mjx.source.latest.paused');
  const before = await time(page);
  await page.waitForTimeout(500);
  check('pause holds the time', await time(page) === before, before);
  await page.click('#step');
  await page.waitForFunction(t => mjx.source.latest.time > t, before);
  const step = await time(page) - before, timestep = await page.evaluate(() => mjx.about.scene.timestep);
  check('a step is one step', Math.abs(step - timestep) < 1e-9, step);
  await page.click('#reset');
  await page.waitForFunction('mjx.source.latest.time === 0');
  check('reset goes back to the start', Math.abs(await value(page, 'qpos:2') - 1.35) < 1e-6);

  await page.evaluate(() => { document.getElementById('controls').open = true; });
  await page.evaluate(() => { const s = document.getElementById('ctrl_3'); s.value = 0.75; s.dispatchEvent(new Event('input')); });
  await page.waitForFunction('Math.abs(mjx.source.latest.ctrl[3] - 0.75) < 0.01');
  check('a slider sets a control', Math.abs(await value(page, 'ctrl:3') - 0.75) < 0.01);
  await page.evaluate(() => mjx.source.send('ctrl 3 0'));

  // pull the torso up while everything would fall
  await page.waitForTimeout(300);
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
  await page.waitForTimeout(300);
  check('letting go ends the force', await value(page, 'xfrc_applied:8') === 0);

  await page.check('#show_contacts');
  await page.check('#show_forces');
  await page.waitForFunction('mjx.source.latest.contact.length > 0');
  check('contacts are shown on request', true);
  for (const name of ['axes', 'masses', 'inertias', 'collision', 'sites']) await page.check('#show_' + name);
  await page.evaluate(() => { document.getElementById('plot').open = true; });
  await page.click('#plot_add');
  await page.waitForFunction('mjx.plots.plots[0]?.times.length > 2');
  const energy = await page.evaluate(() => mjx.plots.plots[0].values.map(v => v[v.length - 1]));
  check('plots get their numbers', energy.length === 2 && energy[0] > 0, energy.join(' '));
  if (await isPaused(page)) await page.click('#pause');
  await page.waitForTimeout(1500);
  console.log('     frames per second with software rendering:', await page.evaluate(() => mjx.rates.frames),
    ' times real time:', await page.evaluate(() => mjx.source.latest.rate));
  check('no trouble on the page', page.troubles.length === 0, page.troubles.join('; '));
}

async function watchRecording(browser) {
  const file = join(folder, 'run.html'), table = join(folder, 'run.csv');
  execFileSync(command, ['record', humanoid, '--seconds', '1', '-o', file, '--three', packages]);
  execFileSync(command, ['run', humanoid, '--steps', '200', '--csv', table], { stdio: 'ignore' });
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
  check('the humanoid is seen in it', await pixelsOfBodies(page) > 2000);
  check('it is small enough to mail', readFileSync(file).length < 2e6, readFileSync(file).length);
  check('no trouble in the recording', page.troubles.length === 0, page.troubles.join('; '));
}

async function validateGltf() {
  for (const name of ['humanoid', 'workshop', 'meshes']) {
    const model = join(models, name + '.xml'), file = join(folder, name + '.glb');
    try { readFileSync(model); } catch { continue; }
    execFileSync(command, ['record', model, '--seconds', '0.5', '-o', file]);
    const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(file)));
    check(`${name}.glb is valid glTF`, issues.numErrors === 0 && issues.numWarnings === 0,
      issues.messages.filter(m => m.severity < 2).slice(0, 3).map(m => m.code + ' ' + m.pointer).join('; '));
  }
}

const server = spawn(command, ['view', humanoid, '--port', '0', '--three', packages]);
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'] });
try {
  await validateGltf();
  let said = '';
  const url = await new Promise((found, lost) => {
    server.stderr.on('data', text => { said += text; const at = said.match(/http:\S+/); if (at) found(at[0]); });
    server.on('exit', () => lost(new Error('mjx view ended: ' + said)));
  });
  await watchLive(await openPage(browser, url));
  await watchRecording(browser);
} catch (trouble) {
  check('the test came to its end', false, trouble.stack);
} finally {
  await browser.close();
  server.kill('SIGINT');
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures ? 1 : 0);
