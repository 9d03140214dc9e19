// Pictures of terminals: what tmux or a program wrote, drawn by xterm.js in Chromium.
import { chromium } from 'playwright-core';

const xterm = new URL('node_modules/@xterm/xterm/', import.meta.url).pathname;
const background = '#14161b';

export class Screen {
  /** At scale 1 an underscore falls between the rows unless they stand apart; apart, vertical lines are broken. */
  static async open(columns, rows, scale, lineHeight = 1) {
    const s = new Screen();
    s.browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
    s.page = await s.browser.newPage({ deviceScaleFactor: scale, viewport: { width: 1400, height: 1400 } });
    await s.page.setContent(`<body style="margin:0;background:${background}"><div id=t style="display:inline-block;padding:12px"></div>`);
    await s.page.addStyleTag({ path: xterm + 'css/xterm.css' });
    await s.page.addScriptTag({ path: xterm + 'lib/xterm.js' });
    await s.page.evaluate(
      ([cols, rows, background, lineHeight]) => {
        window.terminal = new Terminal({
          cols, rows, convertEol: true, fontSize: 14, lineHeight, cursorInactiveStyle: 'block',
          fontFamily: 'DejaVu Sans Mono, monospace', theme: { background },
        });
        window.terminal.open(document.getElementById('t'));
      },
      [columns, rows, background, lineHeight],
    );
    return s;
  }

  /** Draws the text, and the cursor at its column and row (from 0), else none. */
  async shoot(text, out, cursor) {
    const end = cursor ? `\x1b[?25h\x1b[${cursor[1] + 1};${cursor[0] + 1}H` : '\x1b[?25l';
    await this.page.evaluate(
      (text) =>
        new Promise((done) => {
          window.terminal.reset();
          window.terminal.write(text, () => setTimeout(done, 100));
        }),
      text.replace(/\n$/, '') + end,
    );
    await this.page.locator('#t').screenshot({ path: out });
  }

  close() {
    return this.browser.close();
  }
}
