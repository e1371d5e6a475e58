import { Batcher } from "@svc/persistence";
import { cacheLookups } from "@svc/service-kit";

const pauseMs = 100;
const cacheLimits = { forMs: 5_000, atMost: 10_000 };

/**
 * Whether a token exists, for addresses that used up their limit of invalid tokens. Waiting requests share the next
 * statement, one at a time and at most one each 100 ms, so that the load on the database does not grow with the flood.
 */
export function createKnownTokenCheck(
  findKnown: (digests: readonly Buffer[]) => Promise<readonly Buffer[]>,
): (sha256: string) => Promise<boolean> {
  const lookups = new Batcher<string, boolean>(
    Number.POSITIVE_INFINITY,
    async (digests) => {
      const found = await findKnown(digests.map((digest) => Buffer.from(digest, "base64")));
      const known = new Set(found.map((digest) => digest.toString("base64")));
      return digests.map((digest) => known.has(digest));
    },
    pauseMs,
  );
  const check = cacheLookups<boolean>((sha256) => lookups.add(sha256), cacheLimits);
  return async (sha256) => (await check(sha256)) === true;
}
