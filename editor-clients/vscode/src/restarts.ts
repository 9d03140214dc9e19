/** How many ends within `WINDOW` are too many. */
const LIMIT = 5;
const WINDOW = 60_000; // ms
const FIRST_DELAY = 100; // ms, doubled each time: 0.1, 0.2, 0.4, 0.8 s

/** What to do about a server that ended unasked. */
export type Verdict =
  /** `first`: of this minute, so the person is to be told. */
  { restart: true; delay: number; first: boolean } | { restart: false; ends: number };

/** Decides whether a server that ended unasked is started again: soon, and a few times only. */
export class Restarts {
  #ends: number[] = [];

  /** @param now in ms, growing */
  ended(now: number): Verdict {
    this.#ends = this.#ends.filter((time) => now - time < WINDOW);
    this.#ends.push(now);
    const ends = this.#ends.length;
    if (ends >= LIMIT) {
      return { restart: false, ends };
    }
    return { restart: true, delay: FIRST_DELAY * 2 ** (ends - 1), first: ends === 1 };
  }

  /** A clean record, because the person wants another try. */
  reset(): void {
    this.#ends = [];
  }
}
