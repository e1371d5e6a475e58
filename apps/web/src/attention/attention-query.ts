import { type ExceptionKind, type ExceptionStatus, exceptionKinds, exceptionStatuses } from "@svc/domain/exceptions";
import { readSaved } from "../saved-views/view-parameters.ts";

/** Filters and page number of the list, as in the query of its URL. */
export interface AttentionQuery {
  readonly status: ExceptionStatus;
  readonly kind: ExceptionKind | null;
  readonly owner: "me" | "none" | null;
  /** Limits resolved exceptions to those that a member resolved. */
  readonly byMember: boolean;
  /** The id of the saved view that the page was opened with, "none", or "". */
  readonly saved: string;
  readonly page: number;
}

const oneOf = <Value extends string>(values: readonly Value[], text: unknown): Value | null =>
  values.find((value) => value === text) ?? null;

/** Reads the query of the URL. Unknown values are ignored. */
export function readAttentionQuery(given: Readonly<Record<string, unknown>>): AttentionQuery {
  const page = Number(given.page);
  return {
    status: oneOf(exceptionStatuses, given.status) ?? "open",
    kind: oneOf(exceptionKinds, given.kind),
    owner: oneOf(["me", "none"], given.owner),
    byMember: given.resolution === "by_member" && given.status === "resolved",
    saved: readSaved(given.saved),
    page: Number.isInteger(page) && page >= 1 && page <= 200 ? page : 1,
  };
}

/** URL of the list. A changed filter starts at the first page. */
export function attentionPath(query: AttentionQuery, changes: Partial<AttentionQuery> = {}): string {
  const { status, kind, owner, byMember, saved, page } = { ...query, page: 1, ...changes };
  const parameters = new URLSearchParams({
    ...(status !== "open" && { status }),
    ...(kind && { kind }),
    ...(owner && { owner }),
    ...(byMember && status === "resolved" && { resolution: "by_member" }),
    ...(saved && { saved }),
    ...(page > 1 && { page: String(page) }),
  });
  return parameters.size === 0 ? "/attention" : `/attention?${parameters}`;
}

/** The filter parameters of the API. What the next step of its case superseded is no work that was done. */
export const apiFilterOf = ({ status, kind, owner, byMember }: AttentionQuery, email: string) => ({
  status,
  ...(kind && { kind }),
  ...(owner && { owner: owner === "me" ? email : "none" }),
  ...(byMember && { resolution: "by_member" as const }),
  ...(status === "resolved" && { superseded: false }),
});
