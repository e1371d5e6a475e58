import type { ediFileStatuses, ediPartnerNames } from "@svc/jsonapi/edi-files";

export const ediStatusLabels: Readonly<Record<(typeof ediFileStatuses)[number], string>> = {
  received: "Processing",
  applied: "Applied",
  rejected: "Rejected",
};

const partnerLabels: Readonly<Record<(typeof ediPartnerNames)[number], string>> = {
  standard: "Standard",
  cargosmart: "CargoSmart",
  cargosprint: "CargoSprint",
  "hamburg-sud": "Hamburg Süd",
  "un-recommendation-24": "UN/ECE Recommendation 24",
};
const labels: ReadonlyMap<string, string> = new Map(Object.entries(partnerLabels));

/** The label of a code list; during an upgrade, the API may be newer and have one without a label: its name. */
export const ediPartnerLabel = (partner: string): string => labels.get(partner) ?? partner;
