/** The events of a page's records (`GET /events`), while the page is visible. */
export interface ChangeEvents {
  /** Connects, unless the events of this address are received already. The browser reconnects by itself. */
  open(address: string): void;
  close(): void;
  /** Whether a change would be reported now. */
  isReady(): boolean;
}

/** `onChange`: something may have changed since the page was read. `onLost`: changes are no longer reported. */
export function createChangeEvents(onChange: () => void, onLost: () => void): ChangeEvents {
  let source: EventSource | undefined;
  let isReady = false;

  const close = (): void => {
    source?.close();
    source = undefined;
    isReady = false;
  };

  return {
    open(address) {
      const url = new URL(address, location.href).href;
      // A browser does not reconnect after a response other than events: of a restarting service, or at its limit.
      if (source?.url === url && source.readyState !== EventSource.CLOSED) return;
      close();
      const opened = new EventSource(url);
      source = opened;
      opened.addEventListener("ready", () => {
        isReady = true;
        onChange();
      });
      opened.addEventListener("changed", onChange);
      opened.addEventListener("error", () => {
        if (source !== opened) return;
        if (isReady) onLost();
        isReady = false;
      });
    },
    close,
    isReady: () => isReady,
  };
}
