import { setTimeout as sleep } from "node:timers/promises";

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Processes items in batches, so that many share one statement: those that were added while the previous batch was in
 * progress, or in the same turn of the event loop. Batches grow with the load.
 */
export class Batcher<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #atMost: number;
  readonly #pauseMs: number;
  readonly #waiting: Waiting<Item, Result>[] = [];
  #isRunning = false;

  /**
   * @param work returns one result for each item, in their order; when it rejects, all its items reject.
   * @param pauseMs how long after a batch the next one starts at the earliest.
   */
  constructor(atMost: number, work: (items: readonly Item[]) => Promise<readonly Result[]>, pauseMs = 0) {
    this.#atMost = atMost;
    this.#work = work;
    this.#pauseMs = pauseMs;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // Items added in the same turn of the event loop join the batch.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = this.#waiting.splice(0, this.#atMost);
      try {
        const results = await this.#work(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      if (this.#pauseMs > 0) await sleep(this.#pauseMs, undefined, { ref: false });
    }
    this.#isRunning = false;
  }
}
