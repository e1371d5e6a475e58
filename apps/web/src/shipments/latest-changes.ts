import type { PageRequest } from "@svc/domain";

/** So many of the latest changes of a record are looked at. */
export const latestChanges: PageRequest<"valid_from"> = {
  size: 300,
  sortBy: "valid_from",
  descending: true,
  position: { kind: "number", number: 1 },
};
