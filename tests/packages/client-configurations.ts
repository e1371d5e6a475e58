import fs from "node:fs";
import { parse as parseToml } from "smol-toml";

/** How a client is configured for the MCP server: the process to start, or the address. */
export interface ClientConfiguration {
  /** The paragraph before it in the document, which names the client. */
  readonly client: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server as the clients' files name it; Windsurf and Codex have words of their own. */
interface ServerEntry extends Omit<ClientConfiguration, "client"> {
  readonly serverUrl?: string;
  readonly bearer_token_env_var?: string;
}

/** `claude mcp add`: options, the server's name, then an address, or `--` and a command. */
function fromCommandLine(line: string): Omit<ClientConfiguration, "client"> {
  const tokens = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const valuesOf = (option: string) =>
    tokens.flatMap((word, index) => (word === option ? (tokens[index + 1] ?? []) : []));
  const split = (values: readonly string[], separator: RegExp) =>
    Object.fromEntries(values.map((value) => value.split(separator, 2)));
  const dashes = tokens.indexOf("--");
  if (dashes < 0) {
    const url = tokens.find((word) => /^https?:/.test(word));
    return { ...(url && { url }), headers: split(valuesOf("--header"), /: */) };
  }
  const [command = "", ...args] = tokens.slice(dashes + 1);
  return { command, args, env: split(valuesOf("--env"), /=/) };
}

/** The one server that a client's configuration file names. */
function fromFile(content: object): Omit<ClientConfiguration, "client"> {
  const [servers] = Object.entries(content).flatMap(([name, value]) => (/servers$/i.test(name) ? [value] : []));
  const { serverUrl, bearer_token_env_var: variable, ...server } = (servers as { shipments: ServerEntry }).shipments;
  return {
    ...server,
    ...(serverUrl !== undefined && { url: serverUrl }),
    ...(variable !== undefined && { headers: { Authorization: `Bearer $${variable}` } }),
  };
}

/** Every configuration of a client in a Markdown file. Throws when one of them does not parse. */
export function clientConfigurations(markdownFile: string): ClientConfiguration[] {
  const text = fs.readFileSync(markdownFile, "utf8");
  return [...text.matchAll(/([^\n]+)\n\n```(json|toml|sh)\n(.*?)\n```$/gms)].flatMap(
    ([, client = "", kind, code = ""]) => {
      if (kind === "json") return { client, ...fromFile(JSON.parse(code)) };
      if (kind === "toml") return { client, ...fromFile(parseToml(code)) };
      return code.startsWith("claude mcp add ") ? { client, ...fromCommandLine(code) } : [];
    },
  );
}
