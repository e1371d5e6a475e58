import { instant, plural } from "@svc/domain";
import { containerStateText, formatNumber, type Html, html, localTimeText, shortTimeText } from "@svc/views";
import { type ContainerQuery, containersPath } from "../containers/list-query.ts";
import { countContainers, isAtSea, isLate, type MapContainer, type MapPlace, placeTitle } from "./map-facts.ts";
import { mapPath, nothingSelected } from "./map-query.ts";
import { placeTable } from "./place-table.ts";

/** Rows of a card: more are in the list of containers. */
const rowsMax = 100;

export const containersText = (count: number): string => `${formatNumber(count)} ${plural(count, "container")}`;

/** Numbers of containers with exceptions and of late ones, each with the shape by which the map marks it. */
export function stateMarks({ late, exceptions }: { readonly late: number; readonly exceptions: number }): Html {
  if (late === 0 && exceptions === 0) return html`<span class="muted">–</span>`;
  const mark = (count: number, className: string, label: string) =>
    count > 0 &&
    html`<span class="shape ${className}">${formatNumber(count)}<span class="hidden"> ${label}</span></span>`;
  return html`${mark(exceptions, "exception", "with exceptions")} ${mark(late, "late-shape", "late")}`;
}

function positionText({ properties }: MapPlace): string {
  const { position_source: source, position_timestamp: at } = properties;
  if (source === "ais" && at !== null) return `Position reported by AIS at ${shortTimeText(instant(at))}`;
  return source === "estimated" ? "Position estimated along the shipping lane" : "Place of the last event";
}

function voyageText({ properties }: MapPlace): Html | null {
  if (!isAtSea({ properties })) return null;
  const eta = properties.next_port_eta_at;
  const text = eta === null ? "not reported" : localTimeText(instant(eta), properties.next_port_time_zone);
  return html`<p>From ${properties.previous_port_name} to ${properties.next_port_name} · ETA ${text}</p>`;
}

function containerState(container: MapContainer): Html {
  const late = isLate(container) ? 1 : 0;
  return html`${container.has_open_exception && html`<span class="shape exception">Exception</span>`}
    ${late > 0 && html`<span class="shape late-shape">${container.delay_days} d late</span>`}
    ${!container.has_open_exception && late === 0 && html`<span class="muted">–</span>`}`;
}

const stateText = ({ status, is_held: isHeld, arrived_at_port_of_discharge: hasArrived }: MapContainer): string =>
  containerStateText({
    status,
    holds: isHeld ? [{ status: "hold" }] : [],
    lastEvent: hasArrived ? "vessel_arrived" : null,
    freeDaysLeft: null,
  });

const containerLink = ({ id, number, shipment_id: shipmentId }: MapContainer): Html =>
  html`<a class="number" href="/shipments/${shipmentId}?container=${id}">${number}</a>`;

function containerTable(place: MapPlace): Html {
  const { containers } = place.properties;
  const rest = containers.length - rowsMax;
  return html`
    ${placeTable({
      caption: `Containers of ${placeTitle(place)}`,
      columns: ["Container", "Status", "Attention"],
      hasAmounts: false,
      rows: containers.slice(0, rowsMax).map((container) => ({
        name: containerLink(container),
        second: html`${stateText(container)}`,
        state: containerState(container),
      })),
    })}
    ${rest > 0 && html`<p class="muted">and ${containersText(rest)} more</p>`}`;
}

function card(filters: ContainerQuery, title: string, content: Html, port: string | null): Html {
  const list = port !== null && containersPath({ ...filters, port });
  return html`
    <section class="card map-card" id="selected" aria-labelledby="selected-title">
      <div class="card-head"><h2 id="selected-title">${title}</h2>
        <a class="button quiet" href="${mapPath(filters, filters.number && nothingSelected)}">Close</a></div>
      ${content}
      ${list && html`<p><a href="${list}">List of containers that call at ${port}</a></p>`}
    </section>`;
}

/** The card of what is selected on the map; null when it is not on the map (any more). */
export function mapCard(filters: ContainerQuery, at: string, places: readonly MapPlace[]): Html | null {
  const place = places.find(({ id }) => id === at);
  if (place !== undefined) {
    const { next_port_locode: next, place_locode: here } = place.properties;
    const content = html`${voyageText(place)}<p class="muted">${positionText(place)}</p>${containerTable(place)}`;
    return card(filters, placeTitle(place), content, next ?? here);
  }
  const vessels = places.filter(({ properties }) => `to-${properties.next_port_locode}` === at);
  const [first] = vessels;
  if (first === undefined) return null;
  const { next_port_name: name, next_port_locode: locode } = first.properties;
  const table = placeTable({
    caption: `Vessels at sea to ${name}`,
    columns: ["Vessel", "Containers", "Attention"],
    hasAmounts: true,
    rows: vessels.slice(0, rowsMax).map((vessel) => ({
      name: html`<a href="${mapPath(filters, vessel.id)}">${placeTitle(vessel)}</a>`,
      second: html`${formatNumber(vessel.properties.containers.length)}`,
      state: stateMarks(countContainers([vessel])),
    })),
  });
  return card(filters, `At sea to ${name}`, table, locode);
}
