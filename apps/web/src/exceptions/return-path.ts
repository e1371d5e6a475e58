import type { FormValues } from "../forms/form-values.ts";
import { localPath } from "../http/local-path.ts";
import { type AttentionQuery, attentionPath, readAttentionQuery } from "./attention-query.ts";

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

const defaultPath = "/attention";

/** The query of the list that an address leads back to; that of all open exceptions for any other text. */
export function queueOf(text: string): AttentionQuery {
  const { pathname, searchParams } = new URL(localPath(text, defaultPath), "http://localhost");
  return readAttentionQuery(pathname === defaultPath ? Object.fromEntries(searchParams) : {});
}

/** The page of an exception. `queue`: path of the list that it leads back to. `done`: the action for the notice. */
export function exceptionPath(id: string, queue: string, done = ""): string {
  const parameters = new URLSearchParams({ ...(done && { done }), ...(queue !== defaultPath && { queue }) });
  return parameters.size === 0 ? `/attention/${id}` : `/attention/${id}?${parameters}`;
}

/** URL of the page with the form, with the action for the notice. Redirects only to pages of this section. */
export function returnPath(form: FormValues, id: string, done: string): string {
  const back = backOf(form, `/attention/${id}`);
  if (back.pathname !== defaultPath) {
    const queue = queueOf(form.text("queue"));
    return exceptionPath(id, attentionPath(queue, queue), done);
  }
  const row = /^#row-[0-9a-f-]{36}$/.test(back.hash) ? back.hash : "";
  return `${withDone(listPathOf(back), { done, on: id })}${row}`;
}
