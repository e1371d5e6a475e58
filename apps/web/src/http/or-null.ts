import { AuthenticationError, SvcError } from "@svc/sdk";

/** Whether the API does not answer. A session that has ended is no such failure: it leads to the log-in. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof SvcError && !(error instanceof AuthenticationError);

/** Null when the API does not answer: for what a page is of use without. */
export async function orNull<Value>(read: Promise<Value>): Promise<Value | null> {
  try {
    return await read;
  } catch (error) {
    if (isUnavailable(error)) return null;
    throw error;
  }
}
