/** The setup of one MCP client, as in docs/mcp.md, with the address of this installation. */
export interface ClientSetup {
  readonly client: string;
  /** The file to write; null for a shell command. */
  readonly file: string | null;
  readonly text: string;
}

/** `token`: the token itself or a shell variable that holds it. */
export const claudeCommand = (mcpUrl: string, token: string): string =>
  `claude mcp add --transport http shipments ${mcpUrl} --header "Authorization: Bearer ${token}"`;

const json = (value: unknown): string => JSON.stringify(value, null, 2);

export function clientSetups(mcpUrl: string): ClientSetup[] {
  const headers = { Authorization: `Bearer \${env:SVC_API_TOKEN}` };
  return [
    {
      client: "Claude Code",
      file: null,
      text: claudeCommand(mcpUrl, "$SVC_API_TOKEN"),
    },
    { client: "Cursor", file: ".cursor/mcp.json", text: json({ mcpServers: { shipments: { url: mcpUrl, headers } } }) },
    {
      client: "VS Code",
      file: ".vscode/mcp.json",
      text: json({
        inputs: [{ id: "svc", type: "promptString", description: "API token", password: true }],
        servers: {
          shipments: { type: "http", url: mcpUrl, headers: { Authorization: `Bearer \${input:svc}` } },
        },
      }),
    },
    {
      client: "Codex",
      file: "~/.codex/config.toml",
      text: `[mcp_servers.shipments]\nurl = ${JSON.stringify(mcpUrl)}\nbearer_token_env_var = "SVC_API_TOKEN"`,
    },
    {
      client: "Windsurf",
      file: "~/.codeium/windsurf/mcp_config.json",
      text: json({ mcpServers: { shipments: { serverUrl: mcpUrl, headers } } }),
    },
  ];
}
