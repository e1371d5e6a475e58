import type { IdGenerator } from "@svc/domain";
import { uuidv7 } from "uuidv7";

/** UUID version 7, monotonic within the process (contract-decisions.md 1). */
export const uuidV7: IdGenerator = { next: uuidv7 };
