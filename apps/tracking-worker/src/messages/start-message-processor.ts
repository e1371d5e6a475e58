import { type MessageProcessorOptions, processMessages } from "./process-messages.ts";

/** How late a message is taken over from a worker that died, and how soon one that failed is tried again. */
const lookEveryMs = 5_000;

/** Shares out messages when it is woken, one round at a time. */
export function startMessageProcessor(options: MessageProcessorOptions): { wake(): void; stop(): Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let isWoken = false;

  const round = async (): Promise<void> => {
    do {
      isWoken = false;
      try {
        await processMessages(options, stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) options.logger.error({ err: error }, "events.not_shared_out");
      }
    } while (isWoken && !stopping.signal.aborted);
  };
  const wake = (): void => {
    isWoken = true;
    running ??= round().finally(() => {
      running = null;
    });
  };
  const looking = setInterval(wake, lookEveryMs);
  return {
    wake,
    async stop() {
      clearInterval(looking);
      stopping.abort();
      await running;
    },
  };
}
