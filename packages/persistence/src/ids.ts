import type { IdGenerator } from "@svc/domain";
import { UUID, uuidv7 } from "uuidv7";

/** UUID version 7, monotonic within the process (docs/contract/decisions.md 1). */
export const uuidV7: IdGenerator = { next: uuidv7 };

/** Before every id: where reading in the order of ids begins. No record has it. */
export const nilUuid = "00000000-0000-0000-0000-000000000000";

/** The smallest id of this time (epoch milliseconds) or later; a time before 1970 counts as 1970. */
export function smallestIdAt(timeMs: number): string {
  const time = Math.max(timeMs, 0).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** The next id after another one, which may come from a process whose clock is ahead. */
export function idAfter(id: string): string {
  const next = BigInt(`0x${UUID.parse(id).toHex()}`) + 1n;
  return UUID.parse(next.toString(16).padStart(32, "0")).toString();
}
