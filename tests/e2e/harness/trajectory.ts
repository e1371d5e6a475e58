import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** Content of a tool's result, for a script that reads it as a model would. */
// biome-ignore lint/suspicious/noExplicitAny: results of many shapes; the client has checked each against its schema.
export type ToolContent = any;

/** Returns the structured content, or the text if the result has only that. */
type Call = (name: string, input: Record<string, unknown>, form?: "text") => Promise<ToolContent>;

export interface Trajectory {
  readonly question: string;
  /** Calls that it may take, and tokens of all results, each counted in the dearer of its two forms. */
  readonly budget: { readonly calls: number; readonly tokens: number };
  /** Returns the solution, found by tools alone. Rejects when a call fails. */
  readonly solve: (call: Call) => Promise<unknown>;
}

export interface Replay {
  readonly answer: unknown;
  readonly calls: number;
  readonly tokens: number;
}

interface Schema {
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

function wordsOf(schema: Schema): string[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
  return [...(schema.enum ?? []), ...inner.flatMap(wordsOf)];
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/**
 * Replays a question. Every text in a call must stand in the question, in an earlier result or in the tool's own
 * schema: what the script knows besides, a model would not.
 */
export async function replay(client: Client, { question, solve }: Trajectory): Promise<Replay> {
  const { tools } = await client.listTools();
  const knownTexts = [question.toLowerCase()];
  let [calls, tokens] = [0, 0];
  const answer = await solve(async (name, input, form) => {
    const schema = tools.find((tool) => tool.name === name)?.inputSchema as Schema | undefined;
    if (schema === undefined) throw new Error(`There is no tool ${name}.`);
    const words = new Set(wordsOf(schema));
    for (const text of textsOf(input)) {
      const isKnown = words.has(text) || knownTexts.some((source) => source.includes(text.toLowerCase()));
      if (!isKnown) throw new Error(`${name}: no source contains ${JSON.stringify(text)}.`);
    }
    const { content, structuredContent, isError } = (await client.callTool({ name, arguments: input })) as ToolContent;
    const [text, json] = [String(content[0].text), JSON.stringify(structuredContent ?? {})];
    calls += 1;
    tokens += Math.max(countTokens(text), countTokens(json));
    // Either of the two must do; some clients show a model only the one, some only the other.
    knownTexts.push(text.toLowerCase(), json.toLowerCase());
    if (isError) throw new Error(`${name}: ${text}`);
    return form === "text" ? text : structuredContent;
  });
  return { answer, calls, tokens };
}
