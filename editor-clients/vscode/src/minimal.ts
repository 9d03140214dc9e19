/** A replacement of a text as the smaller ones that make it: what stays the same is not touched. */

/** Offsets in the old text, in UTF-16 units; `end` is exclusive. */
export interface Piece {
  start: number;
  end: number;
  text: string;
}

const CELLS = 1 << 20; // of the table that compares lines; beyond it only the ends are compared

export function minimal(before: string, after: string): Piece[] {
  const [outer] = trimmed({ start: 0, end: before.length, text: after }, before);
  if (!outer) {
    return [];
  }
  // Whole lines, so that equal ones between the ends are found.
  const start = outer.start === 0 ? 0 : before.lastIndexOf("\n", outer.start - 1) + 1;
  const lineEnd = before.indexOf("\n", outer.end);
  const end = lineEnd < 0 ? before.length : lineEnd + 1;
  const text = after.slice(start, after.length - (before.length - end));
  return byLines(before.slice(start, end), text).flatMap((piece) =>
    trimmed({ ...piece, start: piece.start + start, end: piece.end + start }, before),
  );
}

/** Without what both have at their beginning and end; nothing where they are alike. */
function trimmed({ start, end, text }: Piece, before: string): Piece[] {
  let first = 0;
  const shorter = Math.min(end - start, text.length);
  while (first < shorter && before[start + first] === text[first]) {
    first++;
  }
  first -= splits(text, first) || splits(before, start + first) ? 1 : 0;
  let last = 0;
  while (last < shorter - first && before[end - 1 - last] === text[text.length - 1 - last]) {
    last++;
  }
  last -= splits(text, text.length - last) || splits(before, end - last) ? 1 : 0;
  const piece = {
    start: start + first,
    end: end - last,
    text: text.slice(first, text.length - last),
  };
  return piece.start === piece.end && piece.text === "" ? [] : [piece];
}

/** Whether a place is inside of a character or a line end. */
function splits(text: string, at: number): boolean {
  return /^(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|\r\n)$/.test(text.slice(Math.max(0, at - 1), at + 1));
}

function byLines(before: string, after: string): Piece[] {
  const old = linesOf(before);
  const now = linesOf(after);
  if ((old.length + 1) * (now.length + 1) > CELLS) {
    return [{ start: 0, end: before.length, text: after }];
  }
  const common = commonTable(old, now);
  const pieces: Piece[] = [];
  let offset = 0;
  let piece: Piece | undefined;
  for (let i = 0, j = 0; i < old.length || j < now.length;) {
    const [a, b] = [old[i], now[j]];
    if (a !== undefined && a === b) {
      piece = undefined;
      offset += a.length;
      i++;
      j++;
      continue;
    }
    if (!piece) {
      piece = { start: offset, end: offset, text: "" };
      pieces.push(piece);
    }
    if (b !== undefined && (a === undefined || common(i, j + 1) >= common(i + 1, j))) {
      piece.text += b;
      j++;
    } else {
      offset += a?.length ?? 0;
      piece.end = offset;
      i++;
    }
  }
  return pieces;
}

/** How many lines the rests of two lists have in common, in the same order. */
function commonTable(old: string[], now: string[]): (i: number, j: number) => number {
  const width = now.length + 1;
  const table = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      table[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
