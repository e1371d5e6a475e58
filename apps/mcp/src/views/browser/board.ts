import { type Instant, instant } from "@svc/domain";
import { type Html, html, listTable, localTime, shipmentStatusLabel, shortTimeText } from "@svc/views";
import { type ExceptionRow, exceptionTable, kindLabel } from "@svc/views/exceptions";
import { connectToHost, type Host, type ToolResult } from "./host.ts";
import { errorNotice, handleClicks, pageBeside, resultText, show, showMessage, toolbar } from "./page.ts";

/** The structured content of list_shipments: exceptions, shipments or counts. */
interface ListContent {
  readonly page_url?: string;
  readonly exceptions?: readonly ExceptionContent[];
  readonly items?: readonly ShipmentContent[];
  readonly groups?: readonly { readonly value: string; readonly count: number }[];
  readonly total?: number;
  readonly page?: number;
  readonly next_page?: number;
}

interface ExceptionContent {
  readonly number: string;
  readonly severity: string;
  readonly summary: string;
  readonly cause?: string;
  readonly status?: string;
  readonly bill_of_lading_number?: string;
  readonly customer?: string;
  readonly carrier?: string;
  readonly pod?: string;
  readonly owner?: string;
  readonly note?: string;
  readonly snoozed_until?: string;
  readonly opened_at: string;
}

interface ShipmentContent {
  readonly bill_of_lading_number: string;
  readonly status: string;
  readonly shipping_line_scac: string;
  readonly customer?: string;
  readonly pol?: string;
  readonly pod?: string;
  readonly eta_at?: string;
  readonly arrived_at?: string;
  readonly delay_days?: number;
  readonly vessel?: string;
}

type Input = Readonly<Record<string, unknown>>;

let host: Host | undefined;
let input: Input = {};
let content: ListContent | undefined;

const time = (at: string | undefined): Instant | null => (at === undefined ? null : instant(at));
const joined = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(" · ");
const subjectPage = (number: string) =>
  pageBeside(content?.page_url, `/shipments/find?q=${encodeURIComponent(number)}`);

function exceptionRow(one: ExceptionContent): ExceptionRow {
  const { status, snoozed_until: until } = one;
  return {
    number: one.number,
    numberPath: subjectPage(one.number),
    shipmentNumber: one.bill_of_lading_number ?? null,
    context: joined([one.customer, one.carrier, one.pod && `to ${one.pod}`]) || null,
    summary: one.summary,
    summaryPath: null,
    isUrgent: one.severity === "critical" && status === undefined,
    cause: one.cause ?? null,
    note: one.note ?? null,
    owner: one.owner ?? null,
    since: html`<span class="muted">${until ? `until ${shortTimeText(instant(until))}` : `opened ${shortTimeText(instant(one.opened_at))}`}</span>`,
    actions: null,
  };
}

/** Exceptions by kind; a button shows only those. */
function kinds({ groups = [] }: ListContent): Html | null {
  if (groups.length === 0) return null;
  const chosen = Array.isArray(input.exception_kind) ? input.exception_kind[0] : undefined;
  const button = (kind: string | null, label: string, count?: number) => {
    const isPressed = chosen === (kind ?? undefined);
    const number = count !== undefined && html` <span class="count">${count}</span>`;
    return html`
      <button id="kind-${kind ?? "all"}" type="button" data-action="kind" data-kind="${kind ?? ""}"
        aria-pressed="${isPressed ? "true" : "false"}">${label}${number}</button>`;
  };
  const kindButton = ({ value, count }: (typeof groups)[number]) => button(value, kindLabel(value), count);
  return html`<div class="chips" role="group" aria-label="Kind">
    ${button(null, "All kinds")}${groups.map(kindButton)}</div>`;
}

function board(list: ListContent, rows: readonly ExceptionContent[]): Html {
  const none = html`<section class="card empty"><h2>Nothing needs attention</h2></section>`;
  return html`${host?.canCall && kinds(list)}${rows.length === 0 ? none : exceptionTable(rows.map(exceptionRow))}`;
}

function delayNote(days: number | undefined): Html | null {
  if (days === undefined) return null;
  const className = days > 0 ? "late" : "early";
  return html` <span class="${className}">${Math.abs(days)} d ${className}</span>`;
}

function shipments(rows: readonly ShipmentContent[]): Html {
  if (rows.length === 0) return html`<section class="card empty"><h2>No shipments match</h2></section>`;
  const number = (one: ShipmentContent) => {
    const path = subjectPage(one.bill_of_lading_number);
    return path
      ? html`<a class="number" href="${path}">${one.bill_of_lading_number}</a>`
      : html`<span class="number">${one.bill_of_lading_number}</span>`;
  };
  const arrival = ({ arrived_at, eta_at, delay_days }: ShipmentContent) =>
    html`${localTime(time(arrived_at ?? eta_at), "UTC")}${delayNote(delay_days)}`;
  const row = (one: ShipmentContent) => html`
    <tr><th scope="row" data-label="Shipment">${number(one)}
        <span class="below muted">${joined([one.customer, one.shipping_line_scac])}</span></th>
      <td data-label="Status">${shipmentStatusLabel(one.status)}</td>
      <td data-label="Route">${one.pol ?? "–"} → ${one.pod ?? "–"} <span class="below muted">${one.vessel}</span></td>
      <td data-label="Arrival">${arrival(one)}</td></tr>`;
  return listTable({ caption: "Shipments", columns: ["Shipment", "Status", "Route", "Arrival"], rows: rows.map(row) });
}

function counts(groups: NonNullable<ListContent["groups"]>): Html {
  const row = ({ value, count }: (typeof groups)[number]) =>
    html`<tr><th scope="row" data-label="Value">${value}</th><td data-label="Shipments">${count}</td></tr>`;
  return listTable({ caption: "Shipments by value", columns: ["Value", "Shipments"], rows: groups.map(row) });
}

function pages({ page = 1, next_page: next }: ListContent): Html | null {
  if (!host?.canCall || (page === 1 && next === undefined)) return null;
  const button = (id: string, label: string, to: number) =>
    html`<button id="${id}" type="button" class="quiet" data-action="page" data-page="${to}">${label}</button>`;
  return html`<p class="pages">${page > 1 && button("previous", "Previous", page - 1)}
    ${next !== undefined && button("next", "Next", next)}</p>`;
}

function render(): void {
  if (!content) return;
  const { exceptions, items, groups, total, page_url: pageUrl } = content;
  const title = exceptions ? "Needs attention" : "Shipments";
  const records = () => (items ? shipments(items) : counts(groups ?? []));
  const body = exceptions ? board(content, exceptions) : records();
  show(html`
    <div class="title"><h1>${title}${total !== undefined && html` <span class="count">${total}</span>`}</h1>
      ${toolbar(pageUrl, host?.canCall === true)}</div>
    ${body}${pages(content)}`);
}

function take({ isError, structuredContent, ...rest }: ToolResult): boolean {
  if (isError || typeof structuredContent !== "object" || structuredContent === null) {
    const text = resultText(rest);
    if (content) showMessage(text);
    else show(errorNotice(text));
    return false;
  }
  content = structuredContent;
  render();
  return true;
}

/** Reads the list again with other arguments. */
async function read(changes: Input): Promise<void> {
  if (!host?.canCall) return;
  const changed = Object.fromEntries(
    Object.entries({ ...input, ...changes }).filter(([, value]) => value !== undefined),
  );
  showMessage("Refreshing…");
  try {
    const result = await host.callTool("list_shipments", changed);
    input = result.isError ? input : changed;
    if (take(result)) showMessage(`Updated at ${new Date().toLocaleTimeString("en-GB")}.`);
  } catch {
    showMessage("The application did not pass the call on.");
  }
}

handleClicks(() => host, {
  refresh: () => void read({}),
  page: ({ dataset }) => void read({ page: Number(dataset.page) }),
  kind: ({ dataset }) =>
    void read({ needs_attention: true, page: undefined, exception_kind: dataset.kind ? [dataset.kind] : undefined }),
});

host = await connectToHost("board", {
  onInput: (toolInput) => {
    input = toolInput;
  },
  onResult: (result) => void take(result),
  onCancelled: () => show(errorNotice("The call was cancelled.")),
});
render();
