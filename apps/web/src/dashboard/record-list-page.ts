import { calendarDayText, type Html, html, listTable } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { may } from "../access/callers.ts";
import { accountLayout } from "../account/account-layout.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { pageLinks } from "../pages/page-links.ts";
import { questionCard } from "../pages/question-card.ts";
import { sameFromApi } from "../pages/same-from-api.ts";

/** A page of records, as `recordRoutes` reads it. */
export interface ListedRecords {
  readonly caller: SignedInCaller;
  readonly apiBaseUrl: string;
  readonly number: number;
  readonly hasMore: boolean;
  readonly notice: string | undefined;
}

type AccountPart = Parameters<typeof accountLayout>[0]["part"];

/** The list of records that members edit, with a button for a new one at the right of its title. */
export function recordListPage(
  { caller, apiBaseUrl, number, hasMore, notice }: ListedRecords,
  list: {
    readonly title: string;
    readonly part: AccountPart;
    readonly path: string;
    readonly apiPath: string;
    /** Label of the button, and links before it. */
    readonly newLabel: string;
    readonly links?: Html;
    readonly columns: Parameters<typeof listTable>[0]["columns"];
    readonly rows: readonly Html[];
    /** Purpose of the records, shown while there are none. */
    readonly empty: { readonly heading: string; readonly text: string };
  },
): Html {
  const { title, part, path, apiPath, newLabel, links, columns, rows, empty } = list;
  const actions = html`<span class="actions">${links}
    <a class="button" href="${path}/new">${newLabel}</a></span>`;
  return accountLayout({
    title,
    caller,
    part,
    notice,
    aside: may(caller, "edit_records") && actions,
    content: html`
      ${
        rows.length === 0
          ? html`<section class="card empty"><h2>${empty.heading}</h2><p>${empty.text}</p></section>`
          : listTable({ className: "names", caption: title, columns, rows })
      }
      ${pageLinks({ number, hasMore, addressOf: (page) => `${path}?page=${page}` })}
      ${sameFromApi(apiBaseUrl, [{ path: apiPath }])}`,
  });
}

/** The link of a row to the page that asks before its record is deleted. */
export const deleteLink = (path: string, name: string): Html =>
  html`<span class="row-actions">
    <a class="danger" href="${path}/delete" aria-label="Delete ${name}">Delete</a></span>`;

/** "Always", or the days from and until which a record applies (YYYY-MM-DD). */
export function validityText(from: string | null, until: string | null): string {
  if (from !== null && until !== null) return `${calendarDayText(from)} to ${calendarDayText(until)}`;
  if (from !== null) return `From ${calendarDayText(from)}`;
  return until === null ? "Always" : `Until ${calendarDayText(until)}`;
}

/** Page that asks for confirmation before a record is deleted. */
export function deleteRecordPage(
  caller: SignedInCaller,
  record: {
    readonly part: AccountPart;
    readonly path: string;
    readonly id: string;
    readonly name: string;
    /** Sentence on the consequences of the deletion. */
    readonly effect: string;
    readonly button: string;
    readonly problem?: string | undefined;
  },
): Html {
  const { part, path, id, name, effect, button, problem } = record;
  return accountLayout({
    title: `Delete ${name}`,
    caller,
    part,
    heading: null,
    content: questionCard({
      heading: `Delete “${name}”?`,
      content: html`${problem !== undefined && noticeBanner("error", problem)}<p>${effect}</p>`,
      action: `${path}/${id}/delete`,
      button,
      cancelPath: path,
    }),
  });
}
