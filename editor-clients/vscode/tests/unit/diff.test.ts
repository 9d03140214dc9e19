import assert from "node:assert/strict";
import { test } from "node:test";

import { apply, excerpt, parse, unapply } from "../../src/diff";

/** The only file of a diff. */
function one(diff: string) {
  const [file, ...more] = parse(diff);
  assert.ok(file);
  assert.equal(more.length, 0);
  return file;
}

const change = `--- a/x.txt
+++ b/x.txt
@@ -1,4 +1,4 @@
 one
-two
+TWO
 three
 four
@@ -7 +7,2 @@
-seven
+7
+8
`;

test("a change is applied and taken back", () => {
  const before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
  const after = "one\nTWO\nthree\nfour\nfive\nsix\n7\n8\n";
  const file = one(change);
  assert.equal(file.newName, "x.txt");
  assert.equal(apply(before, file), after);
  assert.equal(unapply(after, file), before);
});

test("a text that is another one is not changed", () => {
  assert.equal(apply("one\n2\nthree\nfour\nfive\nsix\nseven\n", one(change)), undefined);
  assert.equal(apply("", one(change)), undefined);
});

test("the text's own line ends count as those of the diff", () => {
  const file = one("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
  assert.equal(apply("one\r\ntwo\r\n", file), "one\r\n2\n");
});

test("a last line without an end keeps to that", () => {
  const diff =
    "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+two\n\\ No newline at end of file\n";
  assert.equal(apply("one", one(diff)), "two");
  assert.equal(unapply("two", one(diff)), "one");
});

test("files that are created and deleted", () => {
  const created = one("--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+one\n+two\n");
  assert.equal(created.oldName, undefined);
  assert.equal(apply("", created), "one\ntwo\n");
  assert.equal(unapply("one\ntwo\n", created), "");
  const deleted = one("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n");
  assert.equal(apply("one\n", deleted), "");
});

test("lines that look like headers are lines", () => {
  const file = one("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n same\n");
  assert.equal(apply("-- old\nsame\n", file), "++ new\nsame\n");
});

test("several files, and what stands around them", () => {
  const files = parse(
    `diff --git a/x b/x\nindex 1..2\n${change}--- a/y\n+++ b/z\n@@ -1 +1 @@\n-a\n+b\n`,
  );
  assert.deepEqual(
    files.map((f) => [f.oldName, f.newName, f.hunks.length]),
    [
      ["x.txt", "x.txt", 2],
      ["y", "z", 1],
    ],
  );
});

test("an excerpt shows the hunks alone", () => {
  assert.deepEqual(excerpt(one(change)), {
    before: "one\ntwo\nthree\nfour\n…\nseven\n",
    after: "one\nTWO\nthree\nfour\n…\n7\n8\n",
  });
});

test("what is no diff has no files", () => {
  assert.deepEqual(parse("(1 MB of changes)\n"), []);
  assert.deepEqual(parse(""), []);
});

test("made and taken back by chance, a text stays the same", () => {
  let seed = 7;
  const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
  for (let round = 0; round < 300; round++) {
    const old = Array.from({ length: random(12) }, () => `${random(4)}`);
    const now = old.flatMap(
      (line) => [[line], [], [line, `${random(4)}`], ["x"]][random(6)] ?? [line],
    );
    const diff = `--- a/x\n+++ b/x\n@@ -${old.length ? 1 : 0},${old.length} +${now.length ? 1 : 0},${now.length} @@\n${old
      .map((l) => `-${l}\n`)
      .join("")}${now.map((l) => `+${l}\n`).join("")}`;
    const [before, after] = [old, now].map((lines) => lines.map((l) => `${l}\n`).join(""));
    if (old.length + now.length > 0) {
      assert.equal(apply(before ?? "", one(diff)), after);
      assert.equal(unapply(after ?? "", one(diff)), before);
    }
  }
});
