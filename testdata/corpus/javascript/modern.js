import config from "./config.json" with { type: "json" };
import defer * as lazy from "./lazy.js";
import source wasm from "./lib.wasm";

// before stands above what the grammar does not know.
export function before() {
  using file = openFile();
  return file.size;
}

export class Door {
  accessor open = false;
  static accessor #count = 0;

  @logged
  knock() {
    await using lock = acquire();
    return lock;
  }

  @observed.deep() accessor bell = null;
  @bound ring() { return this?.bell?.(); }
}

@registered("gate", { wide: true })
export class Gate extends Door {
  static { this.#count ||= 1; }

  ready() { return 1_000n ** 2n; }
}

export async function after() {
  for await (using entry of entries()) {
    entry.close();
  }
  await using done = finish();
  const text = /[\p{L}--[a-z]]/v.exec("ß")?.[0];
  return text;
}

label: {
  using top = after();
}

export const last = (x) => x?.y ?? 0;

export { last as "a string name" };

class Final {
  #x;
  static isFinal(o) { return #x in o; }
}
