// Frames per second in a browser, and the speed that the simulation keeps meanwhile: bench/view.sh
//
// Prints for each model: frames drawn and received per second, simulated seconds per second (the simulation runs in real time: 1 is
// what it would be without a page), and what the page's script takes for a frame, which does not depend on the graphics card.
import { openBrowser, openPage, serve } from '../tests/view/page.mjs';

const [command, packages, browserPath, seconds, ...models] = process.argv.slice(2);
const browser = await openBrowser(packages, browserPath);
const card = await (async () => {
  const page = await browser.newPage();
  const name = await page.evaluate(() => {
    const gl = document.createElement('canvas').getContext('webgl');
    return gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL);
  });
  await page.close();
  return name;
})();
console.log('drawn by', card);
for (const model of models) {
  const server = await serve(command, model, packages);
  const page = await openPage(browser, server.url, { width: 1280, height: 720 });
  await page.waitForTimeout(7000);  // the page finds out what the machine can draw
  const now = () => page.evaluate(() => ({ at: performance.now(), drawn: mjx.drawn, received: mjx.source.received, time: mjx.frame.time }));
  const from = await now();
  await page.waitForTimeout(1000 * seconds);
  const to = await now(), passed = (to.at - from.at) / 1000, rate = key => ((to[key] - from[key]) / passed).toFixed(1);
  const speed = ((to.time - from.time) / passed).toFixed(3);
  const script = await page.evaluate(() => {
    const start = performance.now(), n = 100;
    for (let i = 0; i < n; ++i) {
      mjx.picture.apply(mjx.frame);
      mjx.panel.update(mjx.frame, mjx.rates);
      mjx.eye.update();
      mjx.picture.fill();
    }
    return ((performance.now() - start) / n).toFixed(2);
  });
  const { calls, triangles, level } = await page.evaluate(() => ({ ...mjx.renderer.info.render, level: mjx.quality.level }));
  console.log(`${model}: ${rate('drawn')} frames/s drawn, ${rate('received')} received, ${speed} of real time; ` +
    `${calls} draw calls, ${triangles} triangles, ${script} ms of script a frame, quality ${level}`);
  await page.close();
  server.stop();
}
await browser.close();
