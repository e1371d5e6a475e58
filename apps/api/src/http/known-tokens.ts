import { setTimeout as sleep } from "node:timers/promises";
import { rememberBriefly } from "@svc/service-kit";

const restMs = 100;
const remembered = { forMs: 5_000, atMost: 10_000 };

/**
 * Whether a token exists, for addresses that used up their limit of invalid tokens. Waiting requests share the next
 * statement, one at a time and at most one each 100 ms, so that the load on the database does not grow with the flood.
 */
export function createKnownTokenCheck(
  findKnown: (digests: readonly Buffer[]) => Promise<readonly Buffer[]>,
): (sha256: string) => Promise<boolean> {
  let next: { readonly digests: string[]; readonly known: Promise<ReadonlySet<string>> } | undefined;
  let ready: Promise<unknown> = Promise.resolve();

  const startBatch = () => {
    const digests: string[] = [];
    const known = ready.then(async () => {
      next = undefined;
      const found = await findKnown(digests.map((digest) => Buffer.from(digest, "base64")));
      return new Set(found.map((digest) => digest.toString("base64")));
    });
    ready = known.catch(() => undefined).then(() => sleep(restMs, undefined, { ref: false }));
    return { digests, known };
  };

  const check = rememberBriefly<boolean>(async (sha256) => {
    next ??= startBatch();
    next.digests.push(sha256);
    return (await next.known).has(sha256);
  }, remembered);
  return async (sha256) => (await check(sha256)) === true;
}
