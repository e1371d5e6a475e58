import type { ediFileStatuses } from "@svc/jsonapi/edi-files";

export const ediStatusLabels: Readonly<Record<(typeof ediFileStatuses)[number], string>> = {
  received: "Being read",
  applied: "Applied",
  rejected: "Rejected",
};
