import type { GetPromptResult, Prompt as PromptDescription, PromptMessage } from "@modelcontextprotocol/server";
import type { Caller } from "../api/caller.ts";
import { invalidParams } from "../protocol/protocol-error.ts";

export interface Completed {
  readonly values: readonly string[];
  /** False: the account has more of them. */
  readonly isComplete: boolean;
}

/** Values of the caller's own records that begin with, or contain, what was typed. */
export type Complete = (input: string, caller: Caller) => Promise<Completed>;

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** The value as the prompt uses it; undefined when it cannot be used. */
  readonly parse: (value: string) => string | undefined;
  readonly complete: Complete;
}

export interface PromptSpec {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  readonly messages: (values: Readonly<Record<string, string>>, caller: Caller) => Promise<PromptMessage[]>;
}

export interface Prompt {
  readonly description: PromptDescription;
  readonly arguments: readonly PromptArgument[];
  /** Throws ProtocolError when an argument is missing, unknown or of no use. */
  get(values: Readonly<Record<string, string>>, caller: Caller): Promise<GetPromptResult>;
}

function checked(spec: PromptSpec, args: Readonly<Record<string, string>>): Record<string, string> {
  const names = spec.arguments.map((argument) => argument.name);
  const unknown = Object.keys(args).find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalidParams(`Unknown argument ${unknown}. Accepted: ${names.join(", ")}.`);
  const values: Record<string, string> = {};
  for (const { name, isRequired, parse, description } of spec.arguments) {
    const text = args[name]?.trim() ?? "";
    if (text === "" && isRequired) throw invalidParams(`Missing argument ${name}: ${description}`);
    if (text === "") continue;
    const value = parse(text);
    if (value === undefined) throw invalidParams(`Argument ${name} is not valid: ${description}`);
    values[name] = value;
  }
  return values;
}

export function definePrompt(spec: PromptSpec): Prompt {
  return {
    arguments: spec.arguments,
    description: {
      name: spec.name,
      title: spec.title,
      description: spec.description,
      arguments: spec.arguments.map(({ name, description, isRequired }) => ({
        name,
        description,
        required: isRequired,
      })),
    },
    async get(args, caller) {
      const messages = await spec.messages(checked(spec, args), caller);
      return { description: spec.description, messages };
    },
  };
}

export function userText(text: string): PromptMessage {
  return { role: "user", content: { type: "text", text } };
}
