import assert from "node:assert/strict";
import { test } from "node:test";

import { Restarts } from "../../src/restarts";

test("a server that ends is started again, later each time, and told of once", () => {
  const restarts = new Restarts();
  const verdicts = [0, 100, 200, 300].map((now) => restarts.ended(now));
  assert.deepEqual(verdicts, [
    { restart: true, delay: 100, first: true },
    { restart: true, delay: 200, first: false },
    { restart: true, delay: 400, first: false },
    { restart: true, delay: 800, first: false },
  ]);
});

test("after five ends in a minute it stays down", () => {
  const restarts = new Restarts();
  [0, 1, 2, 3].forEach((now) => restarts.ended(now));
  assert.deepEqual(restarts.ended(59_999), { restart: false, ends: 5 });
});

test("old ends do not count", () => {
  const restarts = new Restarts();
  [0, 1, 2, 3].forEach((now) => restarts.ended(now));
  assert.deepEqual(restarts.ended(60_004), { restart: true, delay: 100, first: true });
});

test("the person's restart clears the record", () => {
  const restarts = new Restarts();
  [0, 1, 2, 3].forEach((now) => restarts.ended(now));
  restarts.reset();
  assert.equal(restarts.ended(4).restart, true);
});
