import type pg from "pg";

/** The NOTIFY channels (`listen`): deliveries are due; polls are due. */
export type Channel = "svc_webhooks" | "svc_tracking";

export interface Waker {
  /** Calls during a running NOTIFY are combined into one. */
  wake(channel: Channel): void;
  /** Resolves when no NOTIFY is running. */
  settled(): Promise<void>;
}

const notify = { name: "wake-up.notify", text: "SELECT pg_notify($1, '')" };

/**
 * Sends NOTIFY after the commit of a transaction. A NOTIFY within it would serialise the commits of all such
 * transactions, each with its own wait for the disk, because PostgreSQL delivers notifications in the order of commits.
 * If the process dies in between, or NOTIFY fails, listeners find the work by polling within seconds.
 */
export function createWaker(pool: pg.Pool): Waker {
  const calls = new Map<Channel, { isRequested: boolean; ended: Promise<void> }>();

  const call = async (channel: Channel): Promise<void> => {
    let more = true;
    while (more) {
      await pool.query({ ...notify, values: [channel] }).catch(() => undefined);
      const state = calls.get(channel);
      more = state?.isRequested ?? false;
      if (state) state.isRequested = false;
    }
    calls.delete(channel);
  };

  return {
    wake(channel) {
      const running = calls.get(channel);
      if (running) {
        running.isRequested = true;
        return;
      }
      const state = { isRequested: false, ended: Promise.resolve() };
      calls.set(channel, state);
      state.ended = call(channel);
    },
    async settled() {
      await Promise.all([...calls.values()].map(({ ended }) => ended));
    },
  };
}
