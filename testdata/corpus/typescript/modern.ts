import defer * as lazy from "./lazy.js";
import data from "./data.json" with { type: "json" };

// before stands above what the grammar does not know.
export function before<const T>(value: T): NoInfer<T> {
  using handle = open(value);
  return handle.value;
}

export interface Source<out T> {
  read(): T;
}

interface Both<in out T> extends Source<T> {
  write(value: T): void;
}

type Sink<in T> = (value: T) => void;

export class Valve<in out T> {
  accessor open = false;
  static accessor #count = 0;

  @logged()
  accessor flow: number | undefined;

  async close(): Promise<void> {
    await using lock = acquire();
    for (using part of this.parts()) part.stop();
  }

  get level(): number { return 1; }
  set level(value: string | number) {}
}

export type { Source as S } from "./source.js" with { "resolution-mode": "import" };

type Getters<T> = {
  [K in keyof T as `get${Capitalize<string & K>}`]: () => T[K];
};

function isFirst(this: Valve<1>, x?: unknown): x is [first: string, ...rest: number[]] {
  return Array.isArray(x) && typeof x.at(0)! === "string";
}

export const enum Mode { Fast = `f${1}`.length }

const made = Valve<string>;

export default abstract class<T> {
  abstract make(): T;
}

export class Final {
  declare readonly done: true;
  static #x?: import("./lazy.js", { with: { "resolution-mode": "import" } }).X;
}
