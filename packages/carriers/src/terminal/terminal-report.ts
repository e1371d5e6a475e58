import { z } from "zod";

const since = z.iso.datetime({ offset: true });
const day = z.iso.date();
const text = z.string().max(500);

const Hold = z.object({
  name: z.string().min(1).max(50),
  status: z.enum(["pending", "hold"]).default("hold"),
  description: text.nullish(),
});

const Fee = z.object({
  type: z.enum(["demurrage", "exam", "extended_dwell_time", "other", "total"]).catch("other"),
  amount: z.number(),
  currencyCode: z.string().max(3).nullish(),
});

const LastFreeDay = z.object({
  since,
  /** Local date of the terminal; null: removed. */
  day: day.nullable(),
});

const GateMove = z.object({
  id: z.string().max(100).nullish(),
  direction: z.enum(["in", "out"]),
  at: z.iso.datetime({ offset: true }),
  since,
  isEmpty: z.boolean(),
  mode: z.enum(["TRUCK", "RAIL", "BARGE"]).default("TRUCK"),
  chassisNumber: z.string().max(20).nullish(),
});

/**
 * A container's stay at a terminal. Each part has the time since which it is reported. An absent part is not reported;
 * an empty or null part means none.
 */
const Visit = z.object({
  facility: z.object({
    UNLocationCode: z.string(),
    facilityCode: z.string().nullish(),
    facilityCodeListProvider: z.string().nullish(),
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
