// node shot.mjs PANE.ansi OUT.png COLUMNS ROWS: a picture of a terminal's screen.
import { chromium } from 'playwright-core';
import fs from 'node:fs';

const [, , pane, out, columns, rows] = process.argv;
const xterm = new URL('node_modules/@xterm/xterm/', import.meta.url).pathname;
const background = '#14161b';

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ deviceScaleFactor: 2, viewport: { width: 1400, height: 1400 } });
await page.setContent(`<body style="margin:0;background:${background}"><div id=t style="display:inline-block;padding:12px"></div>`);
await page.addStyleTag({ path: xterm + 'css/xterm.css' });
await page.addScriptTag({ path: xterm + 'lib/xterm.js' });
await page.evaluate(
  ([text, cols, rows, background]) =>
    new Promise((done) => {
      const terminal = new Terminal({
        cols: +cols, rows: +rows, convertEol: true, fontSize: 14,
        fontFamily: 'DejaVu Sans Mono, monospace', theme: { background },
      });
      terminal.open(document.getElementById('t'));
      terminal.write('\x1b[?25l' + text.replace(/\n$/, ''), () => setTimeout(done, 200));
    }),
  [fs.readFileSync(pane, 'utf8'), columns, rows, background],
);
await page.locator('#t').screenshot({ path: out });
await browser.close();
