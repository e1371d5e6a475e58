import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { z } from "zod";

/** A shipment that was requested at least once. */
export interface Registration {
  /** The bill of lading in its plain form. */
  readonly number: string;
  /** Simulated epoch milliseconds of the first request. */
  readonly bookedAt: number;
}

const Line = z.object({ number: z.string(), bookedAt: z.iso.datetime() });

function readLine(line: string): Registration | null {
  try {
    const { number, bookedAt } = Line.parse(JSON.parse(line));
    return { number, bookedAt: Date.parse(bookedAt) };
  } catch {
    return null;
  }
}

/**
 * Stores which shipments exist and since when: an append-only file with one line per shipment, synced to disk before
 * the first response. A line that a crash cut short belongs to no response and is dropped.
 */
export class ShipmentRegister {
  readonly #file: number;
  readonly #byNumber = new Map<string, Registration>();
  #size = 0;

  constructor(path: string) {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    const completeText = text.slice(0, text.lastIndexOf("\n") + 1);
    for (const [index, line] of completeText.split("\n").slice(0, -1).entries()) {
      const registration = readLine(line);
      if (!registration) {
        throw new Error(`${path}:${index + 1} is not a shipment: repair it, or empty the folder to start over.`);
      }
      this.#byNumber.set(registration.number, registration);
    }
    this.#file = openSync(path, existsSync(path) ? "r+" : "w+");
    this.#size = Buffer.byteLength(completeText);
    ftruncateSync(this.#file, this.#size);
  }

  find(number: string): Registration | undefined {
    return this.#byNumber.get(number);
  }

  /** Oldest first. */
  all(): readonly Registration[] {
    return [...this.#byNumber.values()];
  }

  /** The registration of a number, created on first use. Throws and changes nothing when it cannot be written. */
  findOrAdd(number: string, now: number): Registration {
    const known = this.#byNumber.get(number);
    if (known) return known;
    const registration = { number, bookedAt: now };
    const line = Buffer.from(`${JSON.stringify({ number, bookedAt: new Date(now).toISOString() })}\n`);
    // The position is fixed: the next write overwrites the remains of a failed one.
    let written = 0;
    while (written < line.length) {
      written += writeSync(this.#file, line, written, line.length - written, this.#size + written);
    }
    fsyncSync(this.#file);
    this.#size += line.length;
    this.#byNumber.set(number, registration);
    return registration;
  }

  close(): void {
    closeSync(this.#file);
  }
}
