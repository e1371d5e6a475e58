import { instant } from "@svc/domain";
import { isUuid } from "@svc/domain/identifiers";
import type { TokenScope } from "@svc/persistence/tokens";
import type { Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";

export const lifetimes = [
  ["never", "Never", null],
  ["30", "In 30 days", 30],
  ["90", "In 90 days", 90],
  ["365", "In a year", 365],
] as const;

/** Submitted values, shown again when they are invalid. */
export interface TokenForm {
  /** Id of the new token, so that submitting the form twice creates one token. */
  readonly id: string;
  readonly name: string;
  readonly scope: "read" | "write";
  readonly lifetime: string;
}

export interface TokenDraft {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly expiresAt: ReturnType<typeof instant> | null;
}

const nameMax = 100;

export function readTokenForm(
  values: FormValues,
  now: number,
): { readonly form: TokenForm; readonly problems: Problems; readonly draft: TokenDraft } {
  const form: TokenForm = {
    id: values.text("id"),
    name: values.text("name"),
    scope: values.text("scope") === "write" ? "write" : "read",
    lifetime: values.text("lifetime"),
  };
  const problems: Record<string, string> = {};
  if (form.name === "") problems.name = "Enter a name for the token.";
  else if (form.name.length > nameMax) problems.name = `At most ${nameMax} characters.`;
  const lifetime = lifetimes.find(([value]) => value === form.lifetime);
  if (!lifetime) problems.lifetime = "Choose when it expires.";
  if (!isUuid(form.id)) problems[""] = "The form was not complete. Try again.";
  const days = lifetime?.[2] ?? null;
  const draft: TokenDraft = {
    name: form.name,
    scopes: form.scope === "read" ? ["read"] : ["read", "write"],
    expiresAt: days === null ? null : instant(now + days * 86_400_000),
  };
  return { form, problems, draft };
}
