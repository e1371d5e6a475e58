import { type ConnectionStatus, connectionStatuses, credentialKinds } from "@svc/domain/carrier-connections";
import { z } from "zod";
import { resourceObject } from "../resource.ts";
import { toWireName } from "../wire-names.ts";

const texts = z.array(z.string());

const credentialChoice = z
  .strictObject({
    kind: z.enum(credentialKinds).describe("The `kind` of the credentials of a carrier connection."),
    label: z.string(),
    fields: z.array(
      z.strictObject({
        name: z.string().describe("Member of the credentials, for example `client_id`; `headers.<name>` is a header."),
        label: z.string(),
        where: z.string().describe("Place where the carrier shows the value."),
        secret: z.boolean(),
        multiline: z.boolean().describe("Whether the value has several lines, for example PEM."),
        same_as: z.string().nullable().describe("Name of the field with the same value; null: a value of its own."),
      }),
    ),
  })
  .meta({ id: "CarrierCredentialChoice" });

/** A carrier of the catalogue, and how the account is connected to it. */
export const CarrierResource = resourceObject(
  "carrier",
  {
    scac: z.string().describe("The SCAC, or the code of the catalogue for a terminal operator."),
    kind: z
      .enum(["shipping_line", "terminal_operator"])
      .describe(
        "A terminal operator reports availability, holds, fees and last free day of containers at its terminals.",
      ),
    name: z.string(),
    terminals: z
      .array(
        z
          .strictObject({
            name: z.string(),
            locodes: texts.describe("UN/LOCODEs of the port. Containers discharged there are polled."),
          })
          .meta({ id: "CarrierTerminal" }),
      )
      .describe("The terminals of a terminal operator; empty for a shipping line."),
    alternative_scacs: texts.describe("Other SCACs of the same group."),
    portal_url: z.url().describe("URL at which the carrier issues credentials."),
    credential_choices: z
      .array(credentialChoice)
      .describe("Alternatives for the credentials; each lists all fields that are needed."),
    terms: texts.describe("Prices, approval, limits and allowed addresses."),
    notes: texts.describe("Differences of the carrier's API from the standard."),
    daily_limit: z
      .int()
      .nullable()
      .describe("Requests that the carrier allows each credential in a UTC day by default; null: not known."),
    verified: z.string().describe("Evidence that the entry is based on."),
    has_address: z
      .boolean()
      .describe(
        "Whether the address is known. False: each customer has one, which the operator configures before an account can connect.",
      ),
    connection: z
      .enum(["account", "service", "none"])
      .describe(
        "account: an active carrier connection of this account. service: credentials of the operator. none: no data arrives.",
      ),
    connection_id: z.uuid().nullable().describe("The account's carrier connection, active or not."),
    connection_status: z.enum(connectionStatuses).nullable(),
  },
  {},
)
  .omit({ relationships: true, links: true })
  .extend({ id: z.string().describe("SCAC of the carrier.") })
  .meta({ id: "Carrier" });
export type CarrierResource = z.infer<typeof CarrierResource>;

export interface CarrierRecord
  extends Pick<CarrierResource["attributes"], "scac" | "kind" | "name" | "terms" | "notes" | "verified"> {
  readonly aliases: readonly string[];
  readonly facilities: readonly { readonly name: string; readonly locodes: readonly string[] }[];
  readonly portal: string;
  readonly credentials: readonly {
    readonly kind: (typeof credentialKinds)[number];
    readonly label: string;
    readonly fields: readonly {
      readonly field: string;
      readonly label: string;
      readonly where: string;
      readonly secret: boolean;
      readonly multiline: boolean;
      readonly sameAs?: string | undefined;
    }[];
  }[];
  readonly dailyLimit: number | null;
  readonly hasAddress: boolean;
  readonly serviceConnected: boolean;
  readonly own: { readonly id: string; readonly status: ConnectionStatus } | null;
}

/** `headers.<name>` keeps the name of the header; the other members are snake_case on the wire. */
const wireName = (field: string): string => (field.startsWith("headers.") ? field : toWireName(field));

function connectionOf({ own, serviceConnected }: CarrierRecord): CarrierResource["attributes"]["connection"] {
  if (own !== null && own.status !== "inactive" && own.status !== "not_offered") return "account";
  return serviceConnected ? "service" : "none";
}

export function carrierResource(carrier: CarrierRecord): CarrierResource {
  const { own } = carrier;
  return {
    id: carrier.scac,
    type: "carrier",
    attributes: {
      scac: carrier.scac,
      kind: carrier.kind,
      name: carrier.name,
      terminals: carrier.facilities.map(({ name, locodes }) => ({ name, locodes: [...locodes] })),
      alternative_scacs: [...carrier.aliases],
      portal_url: carrier.portal,
      credential_choices: carrier.credentials.map(({ kind, label, fields }) => ({
        kind,
        label,
        fields: fields.map(({ field, sameAs, ...shown }) => ({
          name: wireName(field),
          ...shown,
          same_as: sameAs === undefined ? null : wireName(sameAs),
        })),
      })),
      terms: carrier.terms,
      notes: carrier.notes,
      daily_limit: carrier.dailyLimit,
      verified: carrier.verified,
      has_address: carrier.hasAddress,
      connection: connectionOf(carrier),
      connection_id: own?.id ?? null,
      connection_status: own?.status ?? null,
    },
  };
}
