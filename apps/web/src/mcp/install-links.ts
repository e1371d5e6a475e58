/** A link that opens an application with this server filled in. */
export interface InstallLink {
  readonly client: string;
  readonly href: string;
}

/**
 * Links without a token, so that they can be shared: the application lets its user sign in. The formats:
 * https://cursor.com/docs/mcp/install-links and https://code.visualstudio.com/api/extension-guides/ai/mcp.
 */
export function installLinks(mcpUrl: string): InstallLink[] {
  const forCursor = Buffer.from(JSON.stringify({ url: mcpUrl })).toString("base64");
  const forVsCode = JSON.stringify({ name: "shipments", type: "http", url: mcpUrl });
  return [
    {
      client: "Cursor",
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=shipments&config=${encodeURIComponent(forCursor)}`,
    },
    { client: "VS Code", href: `vscode:mcp/install?${encodeURIComponent(forVsCode)}` },
  ];
}
