import { isJsonObject, type JsonObject } from "@svc/domain";
import { connectionTestCodes } from "@svc/domain/carrier-connections";
import { z } from "zod";
import { type Facility, TerminalOptions } from "../terminal-operator/terminal-api.ts";
import { CarrierServer } from "./carrier-server.ts";
import { entries } from "./entries.ts";

const text = z.string().min(1).max(300);
const scac = z.string().regex(/^[A-Z]{4}$/);

/** An input of the form, and where to find its value in the carrier's portal. */
const CredentialField = z.strictObject({
  /** A member of the credentials; `headers.<name>` for a header. */
  field: z
    .string()
    .regex(/^(?:clientId|clientSecret|tenant|scope|certificate|privateKey|username|password|headers\.[A-Za-z-]+)$/),
  label: text,
  where: text,
  secret: z.boolean(),
  /** Whether the value has several lines, for example PEM. */
  multiline: z.boolean().default(false),
  /** The field with the same value, so that forms need not ask for it twice. */
  sameAs: z.string().optional(),
});

/** A carrier as described by its documentation: one reviewed file each in `packages/carriers/catalogue`. */
const CatalogueEntry = z.strictObject({
  kind: z.enum(["shipping_line", "terminal_operator"]).default("shipping_line"),
  /** SCAC of the line, or a code of the catalogue for a terminal operator, which has no SCAC. */
  scac,
  name: text,
  /** Other SCACs of the same group. */
  aliases: z.array(scac),
  /** Prefixes of printed bills of lading. */
  billOfLadingPrefixes: z.array(scac),
  portal: z.url(),
  /** Set until a request to the carrier has succeeded: the entry is based on its documentation only. */
  verified: z.literal("from documents, not yet called"),
  credentials: z
    .array(
      z.strictObject({
        kind: z.enum(["api_key", "basic", "oauth2_client_credentials", "oauth2_private_key_jwt"]),
        label: text,
        fields: z.array(CredentialField).min(1),
      }),
    )
    .min(1),
  /** Prices, approval, address allow lists, limits agreed with the carrier. */
  terms: z.array(text),
  notes: z.array(text),
  /** Added to the explanation of a test call; `not_found`: accepted, and the test container is not known. */
  testHints: z.partialRecord(z.enum([...connectionTestCodes, "not_found"]), text),
  /** Members of a CarrierConnection. Without `baseUrl`: the carrier has one URL per customer. */
  connection: z.record(z.string(), z.unknown()),
  server: CarrierServer,
});
export type CatalogueEntry = z.output<typeof CatalogueEntry>;

/** Sorted by SCAC. */
export const catalogue: readonly CatalogueEntry[] = entries.map((entry) => CatalogueEntry.parse(entry));

const byScac = new Map(catalogue.map((entry) => [entry.scac, entry]));

/** The terminals of an operator. Empty: it is a shipping line. */
export function facilitiesOf({ connection: { terminal } }: CatalogueEntry): readonly Facility[] {
  return terminal === undefined ? [] : TerminalOptions.parse(terminal).facilities;
}

/** Requests that the carrier allows each credential in a UTC day; null: not known. */
export function dailyLimitOf({ connection: { limits } }: CatalogueEntry): number | null {
  return isJsonObject(limits) && typeof limits.perDay === "number" ? limits.perDay : null;
}

/**
 * Completes a connection that names a catalogue entry: `{"catalogue": "MAEU", "credentials": …}`. Given members take
 * precedence; `limits`, `profile` and `terminal` are completed member by member. Other connections are returned
 * unchanged.
 * @returns undefined when there is no such entry.
 */
export function withCatalogueEntry(input: unknown): unknown {
  if (!isJsonObject(input) || !("catalogue" in input)) return input;
  const { catalogue: name, ...own } = input;
  const entry = typeof name === "string" ? byScac.get(name) : undefined;
  if (entry === undefined) return undefined;
  const { connection } = entry;
  const completed = (member: "limits" | "profile" | "terminal"): JsonObject => ({
    ...(isJsonObject(connection[member]) && connection[member]),
    ...(isJsonObject(own[member]) && own[member]),
  });
  const prefixes = { billOfLadingPrefixes: entry.billOfLadingPrefixes };
  return {
    scac: entry.scac,
    ...connection,
    ...own,
    limits: completed("limits"),
    profile: { ...prefixes, ...completed("profile") },
    ...(entry.kind === "terminal_operator" && { terminal: completed("terminal") }),
  };
}

/** Path at which the sandbox's imitations of DCSA lines give arrival notices. */
export const imitatedNoticesPath = "/arrival-notices";

/**
 * A connection to the sandbox's imitation of the carrier, whose server has its own paths below `origin`. Accounts
 * connect it with the credentials that the sandbox shows.
 */
export function sandboxConnection({ scac, connection, server }: CatalogueEntry, origin: string): JsonObject {
  const below = (address: unknown): string | null =>
    typeof address === "string" ? address.replace(/^https:\/\/[^/]+/, origin) : null;
  const tokenPath = server.access.find(({ token }) => token !== null)?.token?.path;
  return {
    catalogue: scac,
    ownCredentialsOnly: true,
    baseUrl: below(connection.baseUrl) ?? origin,
    tokenUrl: below(connection.tokenUrl) ?? (tokenPath === undefined ? null : `${origin}${tokenPath}`),
    // No line documents an address yet: the imitations have one of their own.
    ...(server.kind === "dcsa" && { arrivalNoticesUrl: `${origin}${imitatedNoticesPath}` }),
  };
}
