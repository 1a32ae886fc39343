// What the test of the page and the measurement of its rates share: a browser, `mjx view`, and a page that watches it.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

export const patience = 120000;  // milliseconds; a busy machine without a graphics card draws a few frames in a second

export const requireFrom = packages => createRequire(resolve(packages, 'node_modules', 'x.js'));

// Without the checks of a desktop browser, and with WebGL where there is no graphics card.
export function openBrowser(packages, browserPath, more = []) {
  const { chromium } = requireFrom(packages)('playwright-core');
  return chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', ...more] });
}

// Starts `mjx view`: { url, stop }.
export async function serve(command, model, packages, more = []) {
  const server = spawn(command, ['view', model, '--port', '0', '--three', packages, ...more]);
  let said = '';
  const url = await new Promise((found, lost) => {
    server.stderr.on('data', text => { said += text; const at = said.match(/http:\S+/); if (at) found(at[0]); });
    server.on('exit', () => lost(new Error('mjx view ended: ' + said)));
  });
  return { url, stop: () => server.kill('SIGINT') };
}

export async function openPage(browser, url, viewport = { width: 640, height: 400 }) {
  const page = await browser.newPage({ viewport });
  page.troubles = [];
  page.on('pageerror', trouble => page.troubles.push(trouble.message));
  page.on('console', message => message.type() === 'error' && page.troubles.push(message.text()));
  page.setDefaultTimeout(patience);
  await page.goto(url);
  await page.waitForFunction('window.mjx?.frame && mjx.drawn > 1');
  return page;
}
