import type { ediFileStatuses } from "@svc/jsonapi/edi-files";

export const ediStatusWords: Readonly<Record<(typeof ediFileStatuses)[number], string>> = {
  received: "Being read",
  applied: "Applied",
  rejected: "Rejected",
};
