import { observedText } from "@svc/domain/observations";
import { z } from "zod";

const since = z.iso.datetime({ offset: true });
const day = z.iso.date();
/** Text as terminals send it. Null: empty. */
const textUpTo = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .transform((value) => observedText(value, lengthMax));
const text = textUpTo(500);

const Hold = z.object({
  name: textUpTo(50).pipe(z.string()),
  status: z.enum(["pending", "hold"]).default("hold"),
  description: text.nullish(),
});

const Fee = z.object({
  type: z.enum(["demurrage", "exam", "extended_dwell_time", "other", "total"]).catch("other"),
  amount: z.number(),
  currencyCode: textUpTo(3).nullish(),
});

const LastFreeDay = z.object({
  since,
  /** Local date of the terminal; null: removed. */
  day: day.nullable(),
});

const GateMove = z.object({
  id: textUpTo(100).nullish(),
  direction: z.enum(["in", "out"]),
  at: z.iso.datetime({ offset: true }),
  since,
  isEmpty: z.boolean(),
  mode: z.enum(["TRUCK", "RAIL", "BARGE"]).default("TRUCK"),
  chassisNumber: textUpTo(20).nullish(),
});

/**
 * A container's stay at a terminal. Each part has the time since which it is reported. An absent part is not reported;
 * an empty or null part means none.
 */
const Visit = z.object({
  facility: z.object({
    UNLocationCode: z.string(),
    facilityCode: text.nullish(),
    facilityCodeListProvider: text.nullish(),
    facilityTypeCode: z.enum(["POTE", "RAMP", "INTE"]).default("POTE"),
    name: text.nullish(),
    timeZone: z.string(),
  }),
  availability: z.object({ since, isAvailable: z.boolean() }).optional(),
  holds: z.object({ since, list: z.array(Hold).max(50) }).optional(),
  fees: z.object({ since, list: z.array(Fee).max(50) }).optional(),
  lastFreeDay: LastFreeDay.optional(),
  /** The shipping line's last free day, where the terminal enforces it. */
  lineLastFreeDay: LastFreeDay.optional(),
  appointment: z.object({ since, at: z.iso.datetime({ offset: true }).nullable() }).optional(),
  yardLocation: z.object({ since, text: text.nullable() }).optional(),
  vesselBerthed: z.object({ since, at: z.iso.datetime({ offset: true }) }).optional(),
  gateMoves: z.array(GateMove).max(50).default([]),
});
export type Visit = z.output<typeof Visit>;

/** The body of `GET …/terminal/v1/containers/{number}` (docs/terminals.md). Unknown members are ignored. */
export const TerminalReport = z.object({ containerNumber: z.string(), visits: z.array(Visit).max(20) });
export type TerminalReport = z.output<typeof TerminalReport>;
