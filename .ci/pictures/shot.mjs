// node shot.mjs PANE.ansi OUT.png COLUMNS ROWS: a picture of a terminal's screen.
import fs from 'node:fs';
import { Screen } from './screen.mjs';

const [, , pane, out, columns, rows] = process.argv;
const screen = await Screen.open(+columns, +rows, 2);
await screen.shoot(fs.readFileSync(pane, 'utf8'), out);
await screen.close();
