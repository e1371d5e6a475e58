import { AuthenticationError, SvcError } from "@svc/sdk";

/** Null when the API does not answer: for what a page is of use without. */
export async function orNull<Value>(read: Promise<Value>): Promise<Value | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof AuthenticationError || !(error instanceof SvcError)) throw error;
    return null;
  }
}
