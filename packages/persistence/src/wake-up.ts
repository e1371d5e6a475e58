import type pg from "pg";

/** What processes listen to (`listen`): that webhooks have deliveries due; that numbers are to be asked about. */
export type Channel = "svc_webhooks" | "svc_tracking";

export interface Waker {
  /** Once, however often it is asked while a call is on its way. */
  wake(channel: Channel): void;
  /** Resolves when no call is on its way. */
  settled(): Promise<void>;
}

const notify = { name: "wake-up.notify", text: "SELECT pg_notify($1, '')" };

/**
 * Tells listeners that something is due, after its transaction is committed. A NOTIFY within it would have all such
 * transactions commit one after the other, each with its own wait for the disk, because PostgreSQL keeps notifications in
 * the order of the commits. Should the process die in between, or the call fail, whoever listens looks by itself within seconds.
 */
export function createWaker(pool: pg.Pool): Waker {
  const calls = new Map<Channel, { again: boolean; ended: Promise<void> }>();

  const call = async (channel: Channel): Promise<void> => {
    let more = true;
    while (more) {
      await pool.query({ ...notify, values: [channel] }).catch(() => undefined);
      const state = calls.get(channel);
      more = state?.again ?? false;
      if (state) state.again = false;
    }
    calls.delete(channel);
  };

  return {
    wake(channel) {
      const running = calls.get(channel);
      if (running) {
        running.again = true;
        return;
      }
      const state = { again: false, ended: Promise.resolve() };
      calls.set(channel, state);
      state.ended = call(channel);
    },
    async settled() {
      await Promise.all([...calls.values()].map(({ ended }) => ended));
    },
  };
}
