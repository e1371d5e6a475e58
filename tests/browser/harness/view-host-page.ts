/** The page of a host of MCP Apps, on the package of the extension. The test bundles it for the browser. */

import type { CallToolRequest, CallToolResult } from "@modelcontextprotocol/client";
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

export interface ToolResultView {
  readonly input: Record<string, unknown>;
  readonly result: CallToolResult;
  readonly theme: "light" | "dark";
}

/** Functions of the test that the page calls. */
interface Outside {
  callServerTool(params: CallToolRequest["params"]): Promise<CallToolResult>;
  openPage(url: string): Promise<void>;
}

export interface HostPage {
  /** Shows the view of `/view` with that result, instead of the one before. */
  showView(result: ToolResultView): Promise<void>;
  setTheme(theme: "light" | "dark"): void;
}

const page = globalThis as unknown as Outside & HostPage;
let bridge: AppBridge | undefined;

page.showView = async ({ input, result, theme }) => {
  await bridge?.close();
  const frame = document.createElement("iframe");
  frame.title = "View";
  frame.src = "/view";
  document.body.replaceChildren(frame);
  const view = frame.contentWindow as Window;
  const hostBridge = new AppBridge(
    null,
    { name: "test-host", version: "1" },
    { openLinks: {}, serverTools: {} },
    { hostContext: { theme } },
  );
  hostBridge.oncalltool = (params) => page.callServerTool(params);
  hostBridge.onopenlink = async ({ url }) => {
    await page.openPage(url);
    return {};
  };
  hostBridge.onsizechange = ({ height }) => {
    frame.style.height = `${height}px`;
  };
  bridge = hostBridge;
  const initialized = new Promise<void>((resolve) => {
    hostBridge.oninitialized = () => resolve();
  });
  await hostBridge.connect(new PostMessageTransport(view, view));
  await initialized;
  await hostBridge.sendToolInput({ arguments: input });
  await hostBridge.sendToolResult(result);
};

page.setTheme = (theme) => bridge?.setHostContext({ theme });
