import type { LogEventTable } from "./log-event-table.ts";

/** Events that only the MCP server logs. */
export const mcpEvents = {
  "mcp.answered": {
    levels: ["info"],
    meaning: "A message over HTTP was answered, with its method, tool, `outcome` and duration.",
  },
  "mcp.failed": {
    levels: ["error"],
    meaning: "A message failed with an unexpected error, `err`.",
    action: "It is a defect: report the line. The client shows its `request_id` as `Ref`.",
  },
  "mcp.message_ignored": {
    levels: ["warn"],
    meaning: "Over standard input, what arrived is not a readable message and was ignored.",
    action: "Check the client: nothing else may write to the standard input of the server.",
  },
  "mcp.started": { levels: ["info"], meaning: "The server reads messages from standard input." },
  "mcp.subscription_round_failed": {
    levels: ["warn"],
    meaning: "A subscription could not read its resources or send a notification. The next interval tries again.",
    action: "If it repeats, check that the server reaches the API (`SVC_API_BASE_URL`).",
  },
} as const satisfies LogEventTable;
