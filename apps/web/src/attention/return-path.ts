import type { FormValues } from "../forms/form-values.ts";
import { localPath } from "../http/local-path.ts";
import { attentionPath, readAttentionQuery } from "./attention-query.ts";

/** Path of the list with the filters and the page of a URL. */
export function listPathOf({ searchParams }: URL): string {
  const query = readAttentionQuery(Object.fromEntries(searchParams));
  return attentionPath(query, query);
}

/** Where a form leads back to: `otherwise` if it names no page of this site. */
export const backOf = (form: FormValues, otherwise: string): URL =>
  new URL(localPath(form.text("back"), otherwise), "http://localhost");

export const withDone = (path: string, parameters: Readonly<Record<string, string>>): string =>
  `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(parameters)}`;

/** URL of the page with the form, with the action for the notice. Redirects only to pages of this section. */
export function returnPath(form: FormValues, id: string, done: string): string {
  const back = backOf(form, `/attention/${id}`);
  if (back.pathname !== "/attention") return `/attention/${id}?done=${done}`;
  const row = /^#row-[0-9a-f-]{36}$/.test(back.hash) ? back.hash : "";
  return `${withDone(listPathOf(back), { done, on: id })}${row}`;
}
