/** Unified diffs, as the server makes them: read, and applied in both directions. */

export interface FileDiff {
  /** Names as the diff has them, without `a/` and `b/`; absent where it has none. */
  oldName?: string;
  newName?: string;
  hunks: Hunk[];
}

export interface Hunk {
  /** First line of each side, 1-based; of an empty side the line before it. */
  oldStart: number;
  newStart: number;
  lines: Line[];
}

/** `text` is without its line end, `ended` tells whether it has one. */
interface Line {
  kind: " " | "-" | "+";
  text: string;
  ended: boolean;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The files of a diff. What stands around its hunks is skipped. */
export function parse(diff: string): FileDiff[] {
  const files: FileDiff[] = [];
  const lines = diff.split("\n");
  for (let i = 0; i < lines.length;) {
    const line = lines[i] ?? "";
    if (line.startsWith("--- ") && lines[i + 1]?.startsWith("+++ ")) {
      files.push(named(line, lines[i + 1] ?? ""));
      i += 2;
    } else if (HUNK.test(line)) {
      const file = files.at(-1) ?? { hunks: [] };
      if (files.length === 0) {
        files.push(file);
      }
      i = readHunk(lines, i, file);
    } else {
      i++;
    }
  }
  return files;
}

function named(oldLine: string, newLine: string): FileDiff {
  const file: FileDiff = { hunks: [] };
  const oldName = nameOf(oldLine);
  const newName = nameOf(newLine);
  if (oldName !== undefined) {
    file.oldName = oldName;
  }
  if (newName !== undefined) {
    file.newName = newName;
  }
  return file;
}

function nameOf(line: string): string | undefined {
  const name = line.slice(4).replace(/\t.*$/, "").trimEnd();
  return name === "/dev/null" ? undefined : name.replace(/^[ab]\//, "");
}

function readHunk(lines: string[], at: number, file: FileDiff): number {
  const [, oldStart, oldCount, newStart, newCount] = HUNK.exec(lines[at] ?? "") ?? [];
  const hunk: Hunk = { oldStart: Number(oldStart), newStart: Number(newStart), lines: [] };
  let oldLeft = Number(oldCount ?? 1);
  let newLeft = Number(newCount ?? 1);
  for (at++; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const kind = line === "" ? " " : line[0];
    if (kind === "\\") {
      const last = hunk.lines.at(-1);
      if (last) {
        last.ended = false;
      }
      continue;
    }
    if ((oldLeft <= 0 && newLeft <= 0) || (kind !== " " && kind !== "-" && kind !== "+")) {
      break;
    }
    hunk.lines.push({ kind, text: line.slice(1), ended: true });
    oldLeft -= kind === "+" ? 0 : 1;
    newLeft -= kind === "-" ? 0 : 1;
  }
  file.hunks.push(hunk);
  return at;
}

/** The text after the change; undefined when the text is not the one that the diff was made for. */
export function apply(text: string, file: FileDiff): string | undefined {
  return patch(text, file.hunks, "-", "+");
}

/** The text before the change; undefined when the text is not what the change left. */
export function unapply(text: string, file: FileDiff): string | undefined {
  return patch(text, file.hunks, "+", "-");
}

/** Both sides of the hunks alone, for when the whole text is not at hand. */
export function excerpt(file: FileDiff): { before: string; after: string } {
  return { before: side(file, "-"), after: side(file, "+") };
}

function side(file: FileDiff, kind: "-" | "+"): string {
  return file.hunks
    .map((hunk) => {
      const lines = hunk.lines.filter((l) => l.kind === " " || l.kind === kind);
      return lines.map((l) => l.text + (l.ended ? "\n" : "")).join("");
    })
    .join("…\n");
}

function patch(text: string, hunks: Hunk[], gone: "-" | "+", come: "-" | "+"): string | undefined {
  const lines = splitLines(text);
  const out: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = startOf(hunk, gone);
    if (start < at || start > lines.length) {
      return undefined;
    }
    out.push(...lines.slice(at, start));
    at = start;
    for (const line of hunk.lines) {
      if (line.kind !== come) {
        if (body(lines[at]) !== body(line.text)) {
          return undefined;
        }
        if (line.kind === " ") {
          out.push(lines[at] ?? "");
        }
        at++;
      } else {
        out.push(line.text + (line.ended ? "\n" : ""));
      }
    }
  }
  return out.concat(lines.slice(at)).join("");
}

/** 0-based first line of a hunk on the side that is looked for. */
function startOf(hunk: Hunk, gone: "-" | "+"): number {
  const first = gone === "-" ? hunk.oldStart : hunk.newStart;
  const empty = !hunk.lines.some((l) => l.kind === " " || l.kind === gone);
  return empty ? first : first - 1;
}

/** Lines with their ends. */
function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

/** A line without its end: a text in the editor may end its lines in another way than the file. */
function body(line: string | undefined): string | undefined {
  return line?.replace(/[\r\n]+$/, "");
}
