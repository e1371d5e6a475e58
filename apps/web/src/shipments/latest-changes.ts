import type { PageRequest } from "@svc/domain/lists";

/** Maximum number of changes of a record to read. */
export const latestChanges: PageRequest<"valid_from"> = {
  size: 300,
  sortBy: "valid_from",
  descending: true,
  position: { kind: "number", number: 1 },
};
