interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does at once what many ask for one by one: whatever came while the work before was under way. Who asks alone does not wait, and
 * the busier it is the more share one piece of work.
 */
export class Batcher<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #atMost: number;
  readonly #waiting: Waiting<Item, Result>[] = [];
  #isRunning = false;

  /** `work` gives one result for each item, in their order; when it rejects, so does each of its items. */
  constructor(atMost: number, work: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#atMost = atMost;
    this.#work = work;
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
      // What arrived in the same turn of the event loop goes along.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = this.#waiting.splice(0, this.#atMost);
      try {
        const results = await this.#work(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}
