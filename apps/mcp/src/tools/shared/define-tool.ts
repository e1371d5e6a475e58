import type { CallToolResult, ToolAnnotations, Tool as ToolDescription } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Caller } from "../../api/caller.ts";
import { cleanContent } from "../../text/clean-content.ts";
import { quotedArgument, visibleLine } from "../../text/clean-text.ts";
import { fitContent } from "../../text/fit-content.ts";
import { renderText } from "../../text/render-text.ts";
import { normalizeArguments } from "./normalize-arguments.ts";
import { parseArguments } from "./parse-arguments.ts";
import { publishedSchema } from "./published-schema.ts";
import { ToolError, toolErrorResult, toToolError } from "./tool-error.ts";

/** Reports to the caller how far the call is: `progress` of `total` steps done, and the step that begins. */
export type Progress = (progress: number, total: number, message: string) => Promise<void>;

export interface ToolOutcome {
  /** Counts and the next step, in one line. */
  readonly headline: string;
  /** How to get the next page. */
  readonly nextPageHint?: string;
  readonly content: object;
}

export interface ToolSpec<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** Text for the model: what the tool returns, when to use it, what to call instead, one example; 25 to 70 words. */
  readonly description: string;
  /** Idempotent and open-world hints of a tool that writes; absent for a tool that only reads. */
  readonly writes?: { readonly idempotent: boolean; readonly openWorld: boolean };
  /** Returns the question for the user before a call that changes something, if the client can show it. */
  readonly question?: (input: z.output<Input>) => string | undefined;
  readonly input: Input;
  /** Other names of arguments, as clients of the reference service send them. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Lists of texts without commas: a text for one of them is split at its commas. */
  readonly commaSeparated?: readonly string[];
  /** Arguments of earlier versions that are accepted without effect: what they asked for is always there. */
  readonly obsolete?: readonly string[];
  readonly output: Output;
  /** Tokens that each channel of a result may cost at most. */
  readonly tokenBudget: number;
  /** Token budget of one call, where it may cost less than `tokenBudget`. */
  readonly budgetOf?: (input: z.output<Input>) => number;
  /** The message when the API does not know the id. */
  readonly notFound?: (input: z.output<Input>) => string;
  /** Path of the page of the web application that shows the same. */
  readonly page?: (input: z.output<Input>, content: z.output<Output>) => string;
  readonly run: (input: z.output<Input>, caller: Caller, progress: Progress) => Promise<ToolOutcome>;
}

export interface Tool {
  readonly description: ToolDescription;
  readonly tokenBudget: number;
  readonly isReadOnly: boolean;
  /** Undefined: nothing would change, or the arguments are wrong. */
  questionBefore(input: unknown): string | undefined;
  /** Errors that the caller can fix are results. Rejects with ProtocolError for the caller's token and limits. */
  call(input: unknown, caller: Caller, progress?: Progress): Promise<CallToolResult>;
}

/** URL of the page of the web application, in the output of every tool; present when its address is known. */
const pageOutput = { page_url: z.string().optional() };

/** Reports unknown arguments, so that a misspelt filter is not taken for an unfiltered result. */
function formatWarning(unknown: readonly string[], schema: { readonly properties?: object }): string | undefined {
  if (unknown.length === 0) return undefined;
  const names = unknown.slice(0, 5).map(quotedArgument);
  return `Ignored unknown argument ${names.join(", ")}. Accepted: ${Object.keys(schema.properties ?? {}).join(", ")}.`;
}

/** Hint for rows that did not fit: the next page would not begin at them. */
const continuationHint = (next: unknown): string =>
  `Some rows did not fit: call again with ${JSON.stringify(next)} for them.`;

/** Hint for rows of an included list that did not fit beside the others; undefined: all fit, or the list is alone. */
function inclusionHint(fitting: Record<string, unknown>, include: unknown): string | undefined {
  if (!Array.isArray(include)) return undefined;
  const [part] = Object.keys(fitting).flatMap((name) =>
    name.endsWith("_omitted") ? name.replace("_omitted", "") : [],
  );
  if (part === undefined || (include.length === 1 && include[0] === part)) return undefined;
  return `Some rows of ${part} did not fit: call again with include=${part} alone for them.`;
}

function toAnnotations({ writes }: Pick<ToolSpec<z.ZodObject, z.ZodObject>, "writes">): ToolAnnotations {
  return {
    readOnlyHint: writes === undefined,
    destructiveHint: false,
    idempotentHint: writes?.idempotent ?? true,
    openWorldHint: writes?.openWorld ?? false,
  };
}

/** A tool from its contract: arguments checked, results cleaned, kept in budget, and given as text and as structure. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(spec: ToolSpec<Input, Output>): Tool {
  const inputSchema = publishedSchema(spec.input);
  return {
    description: {
      name: spec.name,
      title: spec.title,
      description: spec.description,
      inputSchema,
      outputSchema: publishedSchema(spec.output.extend(pageOutput)),
      annotations: toAnnotations(spec),
    },
    tokenBudget: spec.tokenBudget,
    isReadOnly: spec.writes === undefined,
    questionBefore(raw) {
      if (!spec.question) return undefined;
      const normalized = normalizeArguments(raw, inputSchema, spec);
      const parsed = spec.input.safeParse(normalized?.input ?? raw);
      return parsed.success ? spec.question(parsed.data) : undefined;
    },
    async call(raw, caller, progress = async () => undefined) {
      let notFound: string | undefined;
      try {
        const normalized = normalizeArguments(raw, inputSchema, spec);
        const input = parseArguments(spec.input, normalized?.input ?? raw);
        notFound = spec.notFound?.(input);
        const outcome = await spec.run(input, caller, progress);
        const unknown = normalized?.unknown.filter((name) => !spec.obsolete?.includes(name)) ?? [];
        const warning = formatWarning(unknown, inputSchema as { properties?: object });
        const headline = [warning, visibleLine(outcome.headline)].filter(Boolean).join(" ");
        const content = spec.output.parse(cleanContent(outcome.content));
        const cleaned = { ...(warning && { warning }), ...content };
        // Neither cleaned nor cut: the address is our own, and a truncated URL would be invalid.
        const page = spec.page && caller.appUrl && { page_url: caller.appUrl + spec.page(input, content) };
        const budget = spec.budgetOf?.(input) ?? spec.tokenBudget;
        const renderFitting = (fitting: Record<string, unknown>) => {
          const rest =
            fitting.continue_with === undefined ? outcome.nextPageHint : continuationHint(fitting.continue_with);
          const inclusion = inclusionHint(fitting, input.include);
          return renderText([headline, rest, inclusion].filter(Boolean).join(" "), { ...fitting, ...page });
        };
        const fitted = fitContent(cleaned, renderFitting, budget);
        return { content: [{ type: "text", text: fitted.text }], structuredContent: { ...fitted.content, ...page } };
      } catch (error) {
        const toolError = toToolError(error, caller, notFound);
        if (toolError instanceof ToolError) return toolErrorResult(toolError);
        throw error;
      }
    },
  };
}
