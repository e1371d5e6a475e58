import { isUuid } from "@svc/domain/identifiers";
import { ApiError, SvcError } from "@svc/sdk";

/** Rows of one form: those of the longest page of a list. */
export const rowsMax = 100;
/** Requests at the same time. */
const concurrency = 5;

function failureReason(error: SvcError): string {
  const detail = error instanceof ApiError ? error.faults[0]?.detail : undefined;
  return detail ?? error.message;
}

/** Outcome of an action on the rows of a form. */
export interface RowResults {
  readonly done: readonly string[];
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Changes each record by a request of its own. A refusal of the API leaves the other records as they are asked to be,
 * and is a failure of its record; other errors are thrown.
 * @param change returns a text where the record cannot be changed.
 */
export async function applyToRows(
  ids: readonly string[],
  change: (id: string) => Promise<unknown>,
): Promise<RowResults> {
  const uniqueIds = [...new Set(ids)].filter(isUuid).slice(0, rowsMax);
  const done: string[] = [];
  const failed: { id: string; reason: string }[] = [];
  const applyOne = async (id: string): Promise<void> => {
    try {
      const reason = await change(id);
      if (typeof reason === "string") failed.push({ id, reason });
      else done.push(id);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      failed.push({ id, reason: failureReason(error) });
    }
  };
  for (let start = 0; start < uniqueIds.length; start += concurrency) {
    await Promise.all(uniqueIds.slice(start, start + concurrency).map(applyOne));
  }
  return { done, failed: failed.toSorted((one, other) => uniqueIds.indexOf(one.id) - uniqueIds.indexOf(other.id)) };
}
