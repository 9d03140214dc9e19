#!/usr/bin/env node
/**
 * A kiosk sells newspapers: function notAFunction() {}
 */
"use strict";

import fs, { readFile } from "node:fs";
import * as path from "node:path";
export { path as paths };
export * from "./stock.js";

// How many papers fit
// on one shelf.
export const SHELF = 24;
const currency = "€", digits = 2;
let open = false;
var legacy;
const { sep, join: glue } = path;
const pattern = /function fake\(\) \{/g;

/** Prices in cents. */
const PRICES = {
  daily: 180,
  weekly: 450, // on Sundays
  nested: { monthly: 990 },
};

/**
 * Adds up what a customer takes.
 *
 * @param {number[]} items
 */
function total(items) {
  const tax = (sum) => sum * 1.07;
  let sum = 0;
  outer: for (const item of items) {
    for (let i = 0; i < 2; i++) if (item < 0) continue outer;
    sum += item ?? 0;
  }
  function round(value) { return Math.round(value); }
  return round(tax(sum));
}

export async function restock(from, { amount = 10, ...rest } = {}) {
  const text = await readFile(from, "utf8");
  return text.split("\n").map(function (line) { return line.trim(); });
}

export default function* papers() {
  yield* ["daily", "weekly"];
}

const greet = (name) => `Good ${open ? "day" : `night, ${name}`}!`;

export const sell = async ({ paper, coins }) => {
  if (!open) throw new Closed(`sold ${paper}`);
  const change = coins - PRICES[paper];
  return { change, print() { console.log(change); } };
};

const count = function counter(n) {
  return n <= 0 ? 0 : 1 + counter(n - 1);
},
  zero = 0;

const walk = function* () { yield 1; };
let later; later = () => { open = true; };

class Closed extends Error {}

/**
 * A shelf of papers.
 */
export class Shelf extends (Array) {
  static #count = 0;
  static MAX = SHELF;
  // how often it was
  // filled
  #filled = 0;
  label = "shelf"; width
  'quoted name' = 1;
  onClick = (event) => {
    this.#filled += 1;
  };

  static {
    Shelf.#count = 0;
  }

  constructor(label, ...papers) {
    super(...papers);
    this.label = label;
    this.sorted = function () { return [...this].sort(); };
  }

  /** Not counting the last. */
  get size() { return this.length; }
  set size(value) { this.length = value; }

  static of(...papers) { return new Shelf("", ...papers); }
  async *[Symbol.asyncIterator]() {
    for (const paper of this) yield paper;
  }

  #check(paper) {
    return #filled in paper;
  }

  static async load(url,
    again = () => {}) { return url; }

  'quoted method'() {}
  [`computed${1}`]() {}
  delete() { return super.pop?.(); }
}

const Anonymous = class {
  run() {}
};

const Named = class Inner extends Shelf {
  get = 1;
};

// Old ways
function Seller(name) {
  this.name = name;
  this.shout = function (word) {
    return `${word}, says ${this.name}`;
  };
}

Seller.prototype = Object.create(null);

/* Sells one. */
Seller.prototype.sell = function (paper) {
  return paper;
};
Seller.prototype.refund = paper => paper;
Seller.create = function create(name) {
  return new Seller(name);
};

const api = {
  version: 1,
  open() { open = true; },
  // closes, of course
  async close() {
    open = false;
  },
  get state() { return open; },
  lookup: function (name) {
    return PRICES[name];
  },
  price: (name) => PRICES[name],
  "weird-name": async () => {},
  deep: {
    deeper() {},
  },
  count,
};

var Module = (function () {
  var hidden = 1;
  function helper() { return hidden; }
  return { helper };
})();

(function main(global) {
  global.setup = function () {};
  class Private {
    field = 1;
  }
  if (global.process) {
    function conditional() {}
  }
})(globalThis);

(() => {
  const start = () => {};
  start();
})();

if (typeof module !== "undefined") {
  module.exports.total = function () { return total; };
  exports.price = (name) => api.price(name);
}

try {
  var tried = 1;
} catch {
  tried = 0;
} finally { function finished() {} }

describe("Shelf", () => {
  const shelf = new Shelf("a");
  function helperOfTests() {}

  beforeEach(() => { shelf.length = 0; });

  it("holds papers", async () => {
    expect(shelf.length).toBe(0);
  });
  it.only('is "quoted"', function () {});
  it.each([1, 2])("adds %d", (n) => {});
  it("will be written");

  describe(`nested ${SHELF}`, function () {
    test("deep", () => {
      class Fake {}
    });
  });
});

process.on("exit", function onExit(code) {
  const local = code;
  console.log(local);
});
