/// <reference types="node" />
import type { Readable } from "node:stream";
import { EventEmitter, type Listener } from "./events.js";
import legacy = require("legacy");
export type { Readable } from "node:stream";

/** Everything that is measured in the tower. */
export interface Reading<T extends number = number> extends Base, Iterable<T> {
  readonly at: Date;
  value: T; unit?: Unit
  // nested
  // anonymous type
  place: {
    floor: number;
    side: "north" | "south";
  };
  /** Says whether it can be trusted. */
  trusted(margin: number): boolean;
  get half(): number;
  set half(value: number);
  (raw: Buffer): void;
  new (raw: string): Reading<T>;
  [key: `x-${string}`]: unknown;
  [Symbol.iterator](): Iterator<T>;
  optional?(): void;
  callback: (error: Error | null) => void;
}

interface Base {}

export type Unit = "lux" | "metre";
type Handler<E, K extends keyof E = keyof E> = (event: E[K]) => void | Promise<void>;

// A mapped one.
type Frozen<T> = {
  readonly [P in keyof T]: T[P] extends infer U ? U : never;
};
type Point = { x: number; y: number; distance(to: Point): number };

export enum Colour {
  White,
  Red = "red",
  // seen at night
  Green = 1 << 2,
  "Dark Red",
}

const enum Level { Low = 1, High }
declare enum Ambient { One }

export const TOWER = {
  name: "Rödsand",
  height: 42,
  light(): void {},
  dim: async (by: number) => by * 2,
} satisfies Record<string, unknown>;

const sides = ["north", "south"] as const, count = 2;
export let keeper: string | undefined;
var oldKeeper!: string;

/**
 * Says how far the light is seen.
 */
export function range(height: number): number;
export function range(height: string, unit: Unit): string;
export function range(height: number | string, unit: Unit = "metre"): number | string {
  function root<const T extends readonly number[]>(...of: T): T { return of; }
  type Local = { a: 1 };
  const scale = (by: number): number => by * 3.57;
  return typeof height === "number" ? scale(root(height)[0]) : `${height} ${unit}`;
}

export const identity = <T,>(value: T): T => value;
export const isReading = (value: unknown): value is Reading => typeof value === "object";

function assertOpen(lamp: Lamp): asserts lamp is Lamp & { open: true } {
  if (!lamp) throw new TypeError("no lamp");
}

abstract class Lamp<T = unknown> {
  protected abstract readonly power: number;
  abstract turn(by: number): void;
  declare legacy: string;
  static readonly MAX = 100;
  private hours?: number = 0;

  constructor();
  constructor(name: string, parts?: Map<string, string>);
  constructor(public name = "", private readonly parts?: Map<string, T>) {
    this.hours = name.length;
  }

  static { Lamp.register(new Map()); }
  static register(this: void, all: Map<string, Lamp>): void {}

  get age(): number { return this.hours ?? 0; }
  set age(value) { this.hours = value; }
}

@injectable()
@sealed
export default class Lighthouse<T extends Reading>
  extends Lamp<T>
  implements Base, Disposable
{
  @observable override readonly power = 1;
  @Input({ required: true }) label!: string;
  #secret: T[] = [];

  @HostListener("window:resize", [
    "$event",
  ])
  override turn(by: number): void {
    const inside = by;
  }

  // Three overloads
  find(at: number): T;
  find(at: string): T | undefined;
  find(at: number | string): T | undefined {
    return this.#secret.find((r) => r.value === at);
  }

  async *stream<K extends keyof T>(key: K): AsyncGenerator<T[K]> {
    for (const reading of this.#secret) yield reading[key];
  }

  onFog = (density: number) => {
    this.label = `${density}`;
  };

  public readonly handlers: Record<string, Handler<T>> = {
    fog: (event) => undefined,
    rain() {},
  };

  [Symbol.dispose]() {}
  private static "quoted key"(): void {}
}

export namespace Signals {
  export const SHORT = 1;
  let last = 0;

  export interface Signal { length: number }

  export function send(signal: Signal): void {
    const now = Date.now();
    last = now;
  }

  namespace Inner.Deep {
    export class Horn {}
  }
}

module OldStyle {
  export var x = 1;
}

declare module "legacy" {
  export default function open(path: string): Promise<Readable>;
  export const VERSION: string;
  interface Options { quiet?: boolean }
}

declare module "*.svg";

declare global {
  interface Window {
    lighthouse: Lighthouse<Reading>;
  }
  var fog: boolean;
}

declare function external(this: Window, ...args: any[]): asserts args;
declare let injected: unique symbol;
declare class Foreign {
  private constructor();
  method(): void;
}

export abstract class Shape { abstract get area(): number; }

const Mixed = <B extends new (...args: any[]) => {}>(Base: B) =>
  class Mixin extends Base {
    mixed = true;
    tag(): string { return <string>"x"; }
  };

function overloaded(a: string): void
function overloaded(a: any) {}

@decorated class Small { @field x = 1; @method() y() {} }

Lighthouse.prototype.turn = function (this: Lamp, by) {};

describe("range", () => {
  it("grows with the height", async () => {
    expect(range(4)).toBeCloseTo(7.14);
  });
});

export { identity as id, type Point };
export = legacy;
