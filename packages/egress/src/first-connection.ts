import type { Socket } from "node:net";

/** Connection Attempt Delay (RFC 8305, 5). */
const attemptDelayMs = 250;

/**
 * Connects to the first address that accepts (Happy Eyeballs, RFC 8305). The next attempt starts when one fails, or in
 * parallel after the attempt delay. The first success aborts the other attempts. Rejects with the last failure, or with
 * the reason of `signal` when it aborts.
 * @param addresses at least one.
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
  /** Starts the next attempt. Returns false when no address is left. */
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
