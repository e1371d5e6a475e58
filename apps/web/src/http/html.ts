/** The template of every page. It is shared with the views of the MCP server. */
export { Html, type HtmlValue, html } from "@svc/views";
