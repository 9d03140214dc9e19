import assert from "node:assert/strict";
import { test } from "node:test";

import { minimal } from "../../src/minimal";
import type { Piece } from "../../src/minimal";

function made(before: string, pieces: Piece[]): string {
  return pieces.reduceRight((t, p) => t.slice(0, p.start) + p.text + t.slice(p.end), before);
}

test("what is put in is nothing else", () => {
  assert.deepEqual(minimal("// mine", "// mine\n// more"), [
    { start: 7, end: 7, text: "\n// more" },
  ]);
  assert.deepEqual(minimal("same", "same"), []);
});

test("lines between two that change stay", () => {
  const pieces = minimal("two\nthree\nfour", "2\nthree\n4");
  assert.deepEqual(pieces, [
    { start: 0, end: 3, text: "2" },
    { start: 10, end: 14, text: "4" },
  ]);
});

test("no character and no line end is cut in two", () => {
  assert.deepEqual(minimal("a😀b", "a😁b"), [{ start: 1, end: 3, text: "😁" }]);
  assert.deepEqual(minimal("a\r\nb", "a\r\n\r\nb"), [{ start: 3, end: 3, text: "\r\n" }]);
});

test("the pieces make the text, 2,000 of 2,000", () => {
  let seed = 7;
  const random = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor(seed / 65536) % n;
  };
  const words = ["a", "b", "\n", "\r\n", "😀", "😁", "line\n", "x"];
  const text = () => Array.from({ length: random(14) }, () => words[random(words.length)]).join("");
  for (let i = 0; i < 2000; i++) {
    const [before, after] = [text(), text()];
    const pieces = minimal(before, after);
    assert.equal(made(before, pieces), after, JSON.stringify({ before, after, pieces }));
    assert.ok(pieces.every((p, n) => p.start >= (pieces[n - 1]?.end ?? 0)));
  }
});
