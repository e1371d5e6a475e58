/**
 * Waits for the work, for up to `timeoutMs`, without cancelling it. Rejects when the work rejects before that.
 * @returns false when it takes longer.
 */
export async function resolvesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(late.resolve, timeoutMs, false);
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
