import { z } from "zod";
import cargosmart from "../profiles/cargosmart.json" with { type: "json" };
import cargosprint from "../profiles/cargosprint.json" with { type: "json" };
import hamburgSud from "../profiles/hamburg-sud.json" with { type: "json" };
import standard from "../profiles/standard.json" with { type: "json" };
import recommendation24 from "../profiles/un-recommendation-24.json" with { type: "json" };

/** Meaning of a partner's status code. Without `event` it is a note: known, but no event that is tracked. */
export const StatusMeaning = z.strictObject({
  meaning: z.string().min(1),
  /** The DCSA code. */
  event: z
    .enum(["ARRI", "DEPA", "LOAD", "DISC", "GTIN", "GTOT", "STUF", "STRP", "CONF", "CANC", "RECE", "ISSU", "SURR"])
    .optional(),
  /** The document of a shipment event; the booking by default. */
  document: z.enum(["BKG", "SHI", "TRD"]).optional(),
  /** Stated only where the code itself means it; else the message does. */
  empty: z.boolean().optional(),
  /** Stated only for codes that announce; else the message says so, or it has happened. */
  classifier: z.enum(["EST"]).optional(),
  mode: z.enum(["VESSEL", "RAIL", "TRUCK", "BARGE"]).optional(),
  /** Place of the event, if the message does not name that of the status itself. */
  place: z.enum(["receipt", "load", "discharge", "delivery"]).optional(),
});
export type StatusMeaning = z.output<typeof StatusMeaning>;

const StatusTable = z.record(z.string().min(1), StatusMeaning);

const ProfileFile = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  title: z.string().min(1),
  /** Documents that its tables were taken from. */
  sources: z.array(z.string()).min(1),
  /** The codes that it does not have itself are those of another profile. */
  extends: z.string().optional(),
  x12: StatusTable,
  edifact: StatusTable,
});

/** Meaning of the codes in a partner's messages. */
export interface PartnerProfile {
  readonly name: string;
  readonly title: string;
  readonly statuses: Readonly<Record<"x12" | "edifact", ReadonlyMap<string, StatusMeaning>>>;
}

const files = [standard, cargosmart, cargosprint, hamburgSud, recommendation24].map((file) => ProfileFile.parse(file));

function loadStatusTable(name: string | undefined, syntax: "x12" | "edifact"): ReadonlyMap<string, StatusMeaning> {
  const file = files.find((one) => one.name === name);
  if (file === undefined) return new Map();
  return new Map([...loadStatusTable(file.extends, syntax), ...Object.entries(file[syntax])]);
}

export const partnerProfiles: readonly PartnerProfile[] = files.map(({ name, title }) => ({
  name,
  title,
  statuses: { x12: loadStatusTable(name, "x12"), edifact: loadStatusTable(name, "edifact") },
}));

/** Null: no such profile. */
export function findPartnerProfile(name: string): PartnerProfile | null {
  return partnerProfiles.find((profile) => profile.name === name) ?? null;
}
