import { minuteMs } from "../instant.ts";

/** Delays after failed attempts; after the last one the message fails. */
const delaysMs = [1, 5, 15, 60, 240, 720].map((minutes) => minutes * minuteMs);

/** The delay of the next attempt after a failed one, counted from 1; null: the message has failed permanently. */
export const alertRetryDelayMs = (attempt: number): number | null => delaysMs[attempt - 1] ?? null;
