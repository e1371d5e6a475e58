import type { Socket } from "node:net";

/** How long an attempt is alone before the next one begins beside it (RFC 8305, 5). */
const attemptDelayMs = 250;

/**
 * A connection to the first of the addresses that takes one. They are tried in order: the next as soon as one fails, or beside
 * the others when those are silent. Attempts that are not needed any more are aborted, so that one connection is left. Rejects
 * with the last failure, or with the reason of the signal as soon as that is aborted.
 * @param addresses one at least.
 * @param connect must end when its signal is aborted.
 */
export function firstConnection(
  addresses: readonly string[],
  connect: (address: string, signal: AbortSignal) => Promise<Socket>,
  signal: AbortSignal,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const decided = new AbortController();
  const attemptSignal = AbortSignal.any([signal, decided.signal]);
  const waiting = addresses.values();
  let open = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    decided.abort();
  };
  const succeed = (socket: Socket): void => {
    if (decided.signal.aborted) return void socket.destroy();
    resolve(socket);
    end();
  };
  const fail = (error: unknown): void => {
    open -= 1;
    if (decided.signal.aborted) return;
    if (!signal.aborted && attempt()) return;
    if (open > 0 && !signal.aborted) return;
    reject(error);
    end();
  };
  /** Whether there was one more to try. */
  const attempt = (): boolean => {
    clearTimeout(timer);
    const { value: address, done } = waiting.next();
    if (done) return false;
    open += 1;
    timer = setTimeout(attempt, attemptDelayMs);
    connect(address, attemptSignal).then(succeed, fail);
    return true;
  };
  attempt();
  return promise;
}
