import { expect, test } from "@jest/globals";
import { AuthenticationError, NetworkError, RateLimitError } from "@svc/sdk";
import { orNull } from "./or-null.ts";

const detailsOf = (status: number) => ({ status, requestId: undefined, faults: [], retryAfterSeconds: undefined });

test.each([new NetworkError("No connection."), new RateLimitError(detailsOf(429))])(
  "an optional part is left out where the API fails: %s",
  async (error) => {
    expect(await orNull(Promise.reject(error))).toBeNull();
  },
);

test.each([new AuthenticationError(detailsOf(401)), new TypeError("A fault of the page.")])(
  "throws what is no failure of the API alone: %s",
  async (error) => {
    await expect(orNull(Promise.reject(error))).rejects.toBe(error);
  },
);
