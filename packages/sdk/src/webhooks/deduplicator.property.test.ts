import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { createDeduplicator, NotificationInProgressError } from "./deduplicator.ts";
import { handledIdsInMemory } from "./handled-ids.ts";

const claimMs = 1_000;
const processes = 3;

type Step =
  | { readonly kind: "deliver"; readonly process: number }
  | { readonly kind: "kill"; readonly process: number }
  | { readonly kind: "succeed" | "fail"; readonly handling: number }
  | { readonly kind: "wait"; readonly ms: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("deliver" as const), process: fc.nat(processes - 1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("kill" as const), process: fc.nat(processes - 1) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("succeed" as const, "fail" as const), handling: fc.nat(5) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(claimMs * 2) }) },
);

/** Receivers of one notification that share a store; the store outlives them. */
class Receivers {
  #now = 0;
  readonly #store = handledIdsInMemory({ nowMs: () => this.#now });
  readonly #once = Array.from({ length: processes }, () => this.#started());
  handled = false;
  acknowledgedUnhandled = false;
  besideAnother = false;
  running: { readonly process: number; readonly sinceMs: number; end(error?: Error): void }[] = [];

  #started() {
    return createDeduplicator({ store: this.#store, handlingMaxMs: claimMs });
  }

  async deliver(process: number): Promise<boolean | "again"> {
    const once = this.#once[process] ?? this.#started();
    const result = once("n", () => this.#handle(process)).then(
      (ran) => {
        this.acknowledgedUnhandled ||= !this.handled;
        return ran;
      },
      (error: Error) => {
        if (error.message !== "failed" && !(error instanceof NotificationInProgressError)) throw error;
        return "again" as const;
      },
    );
    await this.settle();
    return result;
  }

  #handle(process: number): Promise<void> {
    this.besideAnother ||= this.handled || this.running.some(({ sinceMs }) => this.#now < sinceMs + claimMs);
    return new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        if (error === undefined) {
          this.handled = true;
          resolve();
        } else reject(error);
      };
      this.running.push({ process, sinceMs: this.#now, end });
    });
  }

  async settle(): Promise<void> {
    for (let tick = 0; tick < 20; tick += 1) await Promise.resolve();
  }

  async take(step: Step): Promise<void> {
    if (step.kind === "wait") this.#now += step.ms;
    else if (step.kind === "deliver") void this.deliver(step.process);
    else if (step.kind === "kill") {
      // Its handlers never end, so no delivery gets a response.
      this.#once[step.process] = this.#started();
      this.running = this.running.filter(({ process }) => process !== step.process);
    } else {
      const [ended] = this.running.splice(step.handling % Math.max(1, this.running.length), 1);
      ended?.end(step.kind === "fail" ? new Error("failed") : undefined);
    }
    await this.settle();
  }
}

test("acknowledges only handled notifications, and handles each in the end, whatever fails or is killed", async () => {
  const story = fc.array(anyStep, { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const receivers = new Receivers();
      for (const step of steps) await receivers.take(step);
      expect(receivers).toMatchObject({ acknowledgedUnhandled: false, besideAnother: false });
      // Every claim ends by itself, so that the next delivery is handled, or was before.
      await receivers.take({ kind: "wait", ms: claimMs });
      const last = receivers.deliver(0);
      await receivers.settle();
      for (const { end } of receivers.running.splice(0)) end();
      expect(typeof (await last)).toBe("boolean");
      expect(receivers).toMatchObject({ handled: true, acknowledgedUnhandled: false, besideAnother: false });
    }),
    { numRuns: 1_000 },
  );
});
