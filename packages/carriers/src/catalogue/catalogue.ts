import { z } from "zod";
import cmdu from "../../catalogue/cmdu.json" with { type: "json" };
import eglv from "../../catalogue/eglv.json" with { type: "json" };
import hlcu from "../../catalogue/hlcu.json" with { type: "json" };
import maeu from "../../catalogue/maeu.json" with { type: "json" };
import zimu from "../../catalogue/zimu.json" with { type: "json" };

const text = z.string().min(1).max(300);
const scac = z.string().regex(/^[A-Z]{4}$/);

/** What a person pastes, and where in the carrier's portal it is found. */
const CredentialField = z.strictObject({
  /** A member of the credentials; `headers.<name>` for a header. */
  field: z.string().regex(/^(?:clientId|clientSecret|username|password|headers\.[A-Za-z-]+)$/),
  label: text,
  where: text,
  secret: z.boolean(),
});

/** A carrier as its documents describe it: one reviewed file each in `packages/carriers/catalogue`. */
const CatalogueEntry = z.strictObject({
  scac,
  name: text,
  /** Other SCACs of the same group. */
  aliases: z.array(scac),
  /** In front of bills of lading as printed. */
  billOfLadingPrefixes: z.array(scac),
  portal: z.url(),
  /** Until a call to the carrier succeeded: the facts are from its documents. */
  verified: z.literal("from documents, not yet called"),
  credentials: z
    .array(
      z.strictObject({
        kind: z.enum(["api_key", "basic", "oauth2_client_credentials"]),
        label: text,
        fields: z.array(CredentialField).min(1),
      }),
    )
    .min(1),
  /** Prices, approval, listed addresses, limits that are agreed with the carrier. */
  terms: z.array(text),
  notes: z.array(text),
  /** Members of a CarrierConnection. Without `baseUrl` the carrier gives each customer one. */
  connection: z.record(z.string(), z.unknown()),
});
export type CatalogueEntry = z.output<typeof CatalogueEntry>;

/** In order of SCAC. */
export const catalogue: readonly CatalogueEntry[] = [cmdu, eglv, hlcu, maeu, zimu].map((entry) =>
  CatalogueEntry.parse(entry),
);

const byScac = new Map(catalogue.map((entry) => [entry.scac, entry]));

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * A connection that names a catalogue entry, with what the entry knows: `{"catalogue": "MAEU", "credentials": …}`. Members that are
 * given come first; `limits` and `profile` are completed member by member. Anything else is left as it is.
 * @returns undefined when there is no such entry.
 */
export function withCatalogueEntry(given: unknown): unknown {
  if (!isObject(given) || !("catalogue" in given)) return given;
  const { catalogue: name, ...own } = given;
  const entry = typeof name === "string" ? byScac.get(name) : undefined;
  if (entry === undefined) return undefined;
  const { connection } = entry;
  const completed = (member: "limits" | "profile"): Members => ({
    ...(isObject(connection[member]) && connection[member]),
    ...(isObject(own[member]) && own[member]),
  });
  const prefixes = { billOfLadingPrefixes: entry.billOfLadingPrefixes };
  return {
    scac: entry.scac,
    ...connection,
    ...own,
    limits: completed("limits"),
    profile: { ...prefixes, ...completed("profile") },
  };
}
