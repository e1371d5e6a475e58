/**
 * The view's side of MCP Apps (SEP-1865, revision 2026-01-26): JSON-RPC over `postMessage` to the host that shows it.
 * The package of the extension has it too (docs/adr/0028).
 */

/** The members of a tool's result that the views read. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface Host {
  /** The host passes tool calls on to the server. */
  readonly canCall: boolean;
  /** Rejects when the host refuses the call. */
  callTool(name: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /** Opens a page outside of the view. False: the host refuses. */
  openLink(url: string): Promise<boolean>;
}

export interface ViewHandlers {
  /** The arguments of the call that the view shows. */
  readonly onInput: (input: Readonly<Record<string, unknown>>) => void;
  readonly onResult: (result: ToolResult) => void;
  readonly onCancelled: () => void;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: what the host sends; each reader checks what it uses.
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly result?: any;
  readonly error?: { readonly message?: string };
}

/** The theme of the host; without one, that of the system. */
function applyTheme(context: { readonly theme?: unknown } | undefined): void {
  const theme = context?.theme;
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
}

/** Connects to the host, which sends nothing before. Resolves when it has accepted the view. */
export async function connectToHost(name: string, handlers: ViewHandlers): Promise<Host> {
  const pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let latestId = 0;
  const post = (message: object) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const notify = (method: string, params: object = {}) => post({ method, params });

  // biome-ignore lint/suspicious/noExplicitAny: the result of the method.
  const request = (method: string, params: object): Promise<any> =>
    new Promise((resolve, reject) => {
      const id = ++latestId;
      pending.set(id, { resolve, reject });
      post({ id, method, params });
    });

  const notices: Readonly<Record<string, (params: Message["params"]) => void>> = {
    "ui/notifications/tool-input": (params) => handlers.onInput(params?.arguments ?? {}),
    "ui/notifications/tool-result": (params) => handlers.onResult(params ?? {}),
    "ui/notifications/tool-cancelled": () => handlers.onCancelled(),
    "ui/notifications/host-context-changed": (params) => applyTheme(params),
  };

  window.addEventListener("message", ({ source, data }: MessageEvent<Message | null>) => {
    // Another frame could send the same messages.
    if (source !== window.parent || typeof data !== "object" || data === null) return;
    const { id, method, params, result, error } = data;
    if (method === undefined) {
      const waiting = pending.get(Number(id));
      pending.delete(Number(id));
      if (error) waiting?.reject(new Error(error.message ?? "The host refused."));
      else waiting?.resolve(result);
    } else if (id === undefined) {
      notices[method]?.(params);
    } else if (method === "ping" || method === "ui/resource-teardown") {
      post({ id, result: {} });
    } else {
      post({ id, error: { code: -32601, message: `Method not found: ${method}` } });
    }
  });

  const { hostCapabilities, hostContext } = await request("ui/initialize", {
    appInfo: { name, version: "1" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    protocolVersion: "2026-01-26",
  });
  applyTheme(hostContext);
  notify("ui/notifications/initialized");
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    notify("ui/notifications/size-changed", { width: Math.ceil(width), height: Math.ceil(height) });
  }).observe(document.documentElement);

  return {
    canCall: hostCapabilities?.serverTools !== undefined,
    callTool: (tool, input) => request("tools/call", { name: tool, arguments: input }),
    openLink: async (url) => {
      try {
        return (await request("ui/open-link", { url }))?.isError !== true;
      } catch {
        return false;
      }
    },
  };
}
