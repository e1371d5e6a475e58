import type { Instant, TrackingException } from "@svc/domain";
import type { Caller } from "../access/callers.ts";
import { type ContainerView, containersPath, readContainerQuery, views } from "../containers/list-query.ts";
import { type Html, html } from "../http/html.ts";
import { type LivePage, livePage, part } from "../pages/live-page.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { exceptionWords } from "./exception-words.ts";

/** A container with what has to be done about it. */
export interface AttentionItem {
  readonly id: string;
  readonly number: string;
  readonly shipmentId: string;
  readonly shipmentNumber: string;
  readonly customer: string | null;
  readonly route: string;
  readonly exceptions: readonly TrackingException[];
}

export interface AttentionPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly now: Instant;
  /** How many containers are in each view. */
  readonly counts: ReadonlyMap<ContainerView, number>;
  readonly failedRequests: number;
  readonly items: readonly AttentionItem[];
  /** Of the API: below /v2. */
  readonly apiPaths: readonly string[];
}

function row({ id, number, shipmentId, shipmentNumber, customer, route, exceptions }: AttentionItem): Html {
  return html`
    <tr>
      <th scope="row" data-label="Container"><a class="row-link" href="/shipments/${shipmentId}?container=${id}"><span class="number">${number}</span></a>
        <span class="one-line"><span class="number">${shipmentNumber}</span> <span class="muted">${customer}</span></span></th>
      <td data-label="Reason"><ul class="plain">${exceptions.map((one) => html`<li${one.severity === "critical" && html` class="late"`}>${exceptionWords(one)}</li>`)}</ul></td>
      <td data-label="Route"><span class="one-line" title="${route}">${route}</span></td>
    </tr>`;
}

const summaryViews = ["last_free_day", "holds", "fees", "available", "late", "stale", "not_returned"] as const;

function figures({ counts, failedRequests }: AttentionPageOptions): Html {
  const all = readContainerQuery({});
  const figure = (count: number, label: string, path: string) =>
    html`<div><dt>${label}</dt><dd><a class="figure" href="${path}">${count}</a></dd></div>`;
  return html`
    <section class="card" aria-label="Counts"><dl class="figures">
      ${summaryViews.map((view) => figure(counts.get(view) ?? 0, views[view], containersPath(all, { view })))}
      ${figure(failedRequests, "Failed requests", "/tracking-requests?status=failed")}
    </dl></section>`;
}

/** `GET /attention`: what has to be done today, the most urgent first. */
export function attentionPage(options: AttentionPageOptions): LivePage {
  const { caller, apiBaseUrl, items, apiPaths } = options;
  return livePage({
    title: "Needs attention",
    caller,
    section: "attention",
    jumpBox: true,
    content: html`
      <h1>Needs attention</h1>
      ${part("counts", figures(options))}
      ${part(
        "items",
        items.length === 0
          ? html`<section class="card empty"><h2>Nothing needs attention</h2>
            <p>No last free day within 3 days, no holds, no fees, no late or silent shipments.</p>
            <p><a href="/shipments">All shipments</a></p></section>`
          : html`
            <table class="list dense attention">
              <caption class="hidden">Containers that need attention, the most urgent first</caption>
              <thead><tr><th scope="col">Container</th><th scope="col">Reason</th><th scope="col">Route</th></tr></thead>
              <tbody>${items.map(row)}</tbody>
            </table>`,
      )}
      ${sameFromApi(
        apiBaseUrl,
        apiPaths.map((path) => ({ path })),
      )}`,
  });
}
