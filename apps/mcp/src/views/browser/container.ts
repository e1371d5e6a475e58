import { type Instant, instant } from "@svc/domain";
import { containerStatusLabel, eventLabel, type Html, html, localTime } from "@svc/views";
import { type RouteMapResult, routeDiagram } from "@svc/views/route-map";
import { type TimelineStep, timelineList, voyageText } from "@svc/views/timeline";
import { connectToHost, type Host, type ToolResult } from "./host.ts";
import { errorNotice, handleClicks, resultText, show, showMessage, toolbar } from "./page.ts";

/** The structured content of get_container, as far as it is shown. What is not known is absent. */
interface ContainerContent {
  readonly page_url?: string;
  readonly container: {
    readonly id: string;
    readonly container_number: string;
    readonly current_status: string;
    readonly delay_days?: number;
    readonly available_for_pickup?: boolean;
    readonly equipment?: string;
    readonly last_free_day?: string;
    readonly last_free_day_source?: string;
    readonly holds?: readonly { readonly name: string; readonly status: string; readonly description?: string }[];
    readonly fees?: readonly { readonly type: string; readonly amount: number; readonly currency_code?: string }[];
    readonly pod_timezone?: string;
    readonly final_destination_timezone?: string;
  };
  readonly shipment: Readonly<Record<string, string | undefined>>;
  readonly freshness?: string;
  readonly transport_events?: readonly EventRow[];
  readonly events_total?: number;
  readonly exceptions?: readonly { readonly severity: string; readonly summary: string; readonly cause?: string }[];
}

interface EventRow {
  readonly event: string;
  readonly at?: string;
  readonly locode?: string;
  readonly location?: string;
  readonly timezone?: string;
  readonly terminal?: string;
  readonly vessel?: string;
  readonly voyage?: string;
}

let host: Host | undefined;
let content: ContainerContent | undefined;
let route: RouteMapResult | undefined;

const time = (at: string | undefined): Instant | null => (at === undefined ? null : instant(at));
const joined = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(", ");

function toStep({ event, at, locode, location, timezone, terminal, vessel, voyage }: EventRow): TimelineStep {
  return {
    event,
    place: location ?? locode ?? null,
    terminal: terminal ?? null,
    voyage: voyageText(vessel, voyage),
    timeZone: timezone ?? null,
    actualAt: time(at),
    precision: "exact",
    estimatedAt: null,
    plannedAt: null,
    // Results do not name it; the pages show another tag only where it differs.
    dataSource: "shipping_line",
  };
}

/** Arrivals that are still to come, by the carrier's estimates. */
function expectedSteps({ container, shipment, transport_events = [] }: ContainerContent): TimelineStep[] {
  const occurredEvents = new Set(transport_events.map(({ event }) => event));
  const coming = [
    {
      event: "vessel_arrived",
      isOver: shipment.pod_ata_at !== undefined,
      at: shipment.pod_eta_at,
      first: shipment.pod_original_eta_at,
      place: shipment.port_of_discharge,
      voyage: voyageText(shipment.vessel, shipment.voyage),
      zone: container.pod_timezone,
    },
    {
      event: "arrived_at_inland_destination",
      isOver: false,
      at: shipment.destination_eta_at,
      first: undefined,
      place: undefined,
      voyage: null,
      zone: container.final_destination_timezone,
    },
  ];
  return coming
    .filter(({ event, isOver, at }) => !isOver && at !== undefined && !occurredEvents.has(event))
    .map(({ event, at, first, place, voyage, zone }) => ({
      event,
      place: place ?? null,
      terminal: null,
      voyage,
      timeZone: zone ?? null,
      actualAt: null,
      precision: "exact",
      estimatedAt: time(at),
      plannedAt: time(first),
      dataSource: null,
    }));
}

interface LabelledValue {
  readonly term: string;
  /** Empty, false or undefined: not known. */
  readonly value: Html | string | undefined | false;
}

function facts({ container, shipment, freshness }: ContainerContent): Html {
  const { holds = [], fees = [], available_for_pickup: available, delay_days: delay } = container;
  const zone = container.pod_timezone ?? null;
  const arrival = shipment.pod_ata_at ?? shipment.pod_eta_at;
  const yesOrNo = available ? "Yes" : "No";
  const delayNote =
    delay !== undefined &&
    html` <span class="${delay > 0 ? "late" : "early"}">${Math.abs(delay)} d ${delay > 0 ? "late" : "early"}</span>`;
  const all: readonly LabelledValue[] = [
    {
      term: shipment.pod_ata_at ? "Arrived" : "Estimated arrival",
      value: arrival && html`${localTime(time(arrival), zone)}${delayNote}`,
    },
    { term: "Vessel", value: voyageText(shipment.vessel, shipment.voyage) ?? undefined },
    { term: "Last free day", value: joined([container.last_free_day, container.last_free_day_source]) },
    { term: "Available for pickup", value: available === undefined ? undefined : yesOrNo },
    {
      term: "Holds",
      value: holds.map(({ name, status, description }) => joined([eventLabel(name), status, description])).join("; "),
    },
    {
      term: "Fees",
      value: fees
        .map(({ type, amount, currency_code }) => `${eventLabel(type)} ${amount} ${currency_code ?? ""}`)
        .join("; "),
    },
    { term: "Bill of lading", value: shipment.bill_of_lading_number },
    { term: "Carrier", value: shipment.shipping_line_scac },
    { term: "Customer", value: shipment.customer },
    { term: "Equipment", value: container.equipment?.replaceAll("_", " ") },
    { term: "Data", value: freshness !== undefined && freshness !== "fresh" && eventLabel(freshness) },
  ];
  const known = all.filter(({ value }) => value);
  return html`<dl>${known.map(({ term, value }) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function exceptionBand({ exceptions = [] }: ContainerContent): Html | null {
  if (exceptions.length === 0) return null;
  const item = ({ summary, cause }: (typeof exceptions)[number]) =>
    html`<li>${summary}${cause && html` <span class="below muted">${cause}</span>`}</li>`;
  return html`<section class="band" aria-label="Needs attention"><ul class="plain">${exceptions.map(item)}</ul></section>`;
}

function timeline(details: ContainerContent): Html | null {
  const { transport_events: events, events_total: total = 0 } = details;
  if (events === undefined) return null;
  const earlier = total - events.length;
  return html`<section class="card"><h2>Timeline</h2>
    ${earlier > 0 && html`<p class="muted">The latest ${events.length} of ${total} events.</p>`}
    ${timelineList([...events.map(toStep), ...expectedSteps(details)], { newestFirst: false })}</section>`;
}

function render(): void {
  if (!content) return;
  const { container, shipment, page_url: pageUrl } = content;
  const ports = `${shipment.port_of_lading ?? "–"} → ${shipment.port_of_discharge ?? "–"}`;
  show(html`
    <section class="card head"><div>
      <h1><span class="number">${container.container_number}</span></h1>
      <p><span class="status">${containerStatusLabel(container.current_status)}</span>
        <span class="muted">${ports}</span></p></div>
      ${toolbar(pageUrl, host?.canCall === true)}</section>
    ${exceptionBand(content)}
    <section class="card" aria-label="Facts">${facts(content)}</section>
    ${route !== undefined && routeDiagram(route)}
    ${timeline(content)}`);
}

function isContent(value: unknown): value is ContainerContent {
  return typeof (value as ContainerContent | undefined)?.container?.container_number === "string";
}

async function readRoute(from: Host, id: string): Promise<RouteMapResult> {
  const { isError, structuredContent, _meta } = await from.callTool("get_container_map", { id });
  if (!isError) return structuredContent as RouteMapResult;
  const { code } = (_meta?.["svc/error"] ?? {}) as { readonly code?: string };
  return code === "feature_not_enabled" ? "not_enabled" : "not_available";
}

/** Reads the container and its map through the host. A part that is refused stays as it was. */
async function load(reason: "missing" | "refresh"): Promise<void> {
  if (!host?.canCall || !content) return;
  const { id } = content.container;
  const isComplete = content.transport_events !== undefined && content.exceptions !== undefined;
  const include = ["shipment", "transport_events", "exceptions"];
  showMessage(reason === "refresh" ? "Refreshing…" : "");
  const [details, map] = await Promise.allSettled([
    reason === "missing" && isComplete ? undefined : host.callTool("get_container", { id, include }),
    readRoute(host, id),
  ]);
  const result = details.status === "fulfilled" ? details.value : undefined;
  if (isContent(result?.structuredContent)) content = result.structuredContent;
  route = map.status === "fulfilled" ? map.value : (route ?? "not_available");
  render();
  const failed = details.status === "rejected" || result?.isError === true;
  if (failed) showMessage(result ? resultText(result) : "The application did not pass the call on.");
  else showMessage(reason === "refresh" ? `Updated at ${new Date().toLocaleTimeString("en-GB")}.` : "");
}

function onResult(result: ToolResult): void {
  if (result.isError || !isContent(result.structuredContent)) {
    show(errorNotice(resultText(result)));
    return;
  }
  content = result.structuredContent;
  render();
  void load("missing");
}

handleClicks(() => host, { refresh: () => void load("refresh") });

host = await connectToHost("container", {
  onInput: () => undefined,
  onResult,
  onCancelled: () => show(errorNotice("The call was cancelled.")),
});
