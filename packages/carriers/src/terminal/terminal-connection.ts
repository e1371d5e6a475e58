import { locodeShape } from "@svc/domain/identifiers";
import { jsonList } from "@svc/domain/json-lists";
import { z } from "zod";
import { CarrierConnection } from "../carrier-connection.ts";

const { baseUrl, headers, timeoutMs, maxBodyBytes } = CarrierConnection.shape;

/** Connection to a terminal or network of terminals. Headers contain credentials, so it must not be logged. */
export const TerminalConnection = z.strictObject({
  /** Identifies the source; unique. */
  code: z.string().regex(/^[A-Z0-9]{2,16}$/, "must be 2 to 16 capital letters and digits"),
  protocol: z.literal("svc-terminal-1"),
  baseUrl,
  headers,
  /** UN/LOCODEs of the covered places; default: all. */
  locodes: z.array(z.string().regex(locodeShape, "must be UN/LOCODEs")).optional(),
  timeoutMs,
  maxBodyBytes: maxBodyBytes.default(1024 * 1024),
});
export type TerminalConnection = z.output<typeof TerminalConnection>;

const list = z.array(TerminalConnection).refine((all) => new Set(all.map(({ code }) => code)).size === all.length, {
  error: "names a code twice",
});

/**
 * The text of `SVC_TERMINALS`: a JSON array of connections. Its messages never show a value: values are credentials.
 */
export const TerminalConnectionList = jsonList(list);
