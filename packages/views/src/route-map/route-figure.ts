import { countText, instant, instantOrNull } from "@svc/domain";
import type { RouteMapDocument } from "@svc/jsonapi/containers";
import { type Html, html } from "../html.ts";
import { listTable } from "../list-table.ts";
import { localTime, localTimeText, shortTimeText } from "../local-time.ts";
import { mapSize } from "./map-view.ts";
import { type PortLabel, placePortLabels } from "./port-labels.ts";
import {
  type DrawnPort,
  type DrawnVessel,
  drawRoute,
  type PortProperties,
  type RouteDrawing,
} from "./route-drawing.ts";

/** The route from the API, or the reason why there is none. */
export type RouteMapResult = RouteMapDocument | "not_enabled" | "not_available";

const place = ({ name, country }: PortProperties): string => `${name}, ${country}`;

const isReported = ({ vessel }: DrawnVessel): boolean => vessel.position_source === "ais";

/** "12 minutes old"; the age is that of the response. */
function ageText({ vessel }: DrawnVessel): string {
  const minutes = Math.floor(vessel.vessel_location_age_seconds / 60);
  const [count, unit] = minutes < 60 ? [minutes, "minute"] : [Math.floor(minutes / 60), "hour"];
  return minutes === 0 ? "less than a minute old" : `${countText(count, unit)} old`;
}

/** Source of the vessel's position, with its time, age and speed. */
function positionLine(vessel: DrawnVessel): Html {
  const { vessel_location_timestamp: at, vessel_location_speed: knots } = vessel.vessel;
  const speed = knots !== null && html`, ${knots.toFixed(1)} knots`;
  return html`<p class="muted">Position reported by AIS at ${shortTimeText(instant(at))}, ${ageText(vessel)}${speed}</p>`;
}

/** The text alternative of the map. */
function description({ ports, vessel }: RouteDrawing): string {
  const names = ports.map(({ port }) => place(port)).join(" to ");
  if (vessel) {
    const { vessel_name: name, departure_port_name: from, arrival_port_name: to } = vessel.vessel;
    const position = isReported(vessel) ? `reported by AIS, ${ageText(vessel)}` : "estimated";
    return `Route ${names}. ${name ?? "The vessel"} is between ${from} and ${to}; its position is ${position}.`;
  }
  const reached = ports.filter(({ isReached }) => isReached).at(-1);
  return `Route ${names}. ${reached ? `Last reached: ${reached.port.name}.` : "No port reached yet."}`;
}

/** The names are placed for both font sizes of map.css, which shows those for the width of the window. */
const labelFonts = [
  { className: "small", size: 26 },
  { className: "large", size: 42 },
] as const;

function drawing(route: RouteDrawing): Html {
  const { land, sailed, ahead, inland, lines, ports, vessel } = route;
  const point = ({ at, isReached }: DrawnPort) =>
    html`<circle class="${isReached ? "reached" : "coming"}" cx="${Math.round(at[0])}" cy="${Math.round(at[1])}" r="11"/>`;
  const label = ({ x, y, anchor, port }: PortLabel) =>
    html`<text x="${Math.round(x)}" y="${Math.round(y)}" text-anchor="${anchor}"><tspan class="code">${port.label}</tspan> ${port.name}</text>`;
  const arrow =
    vessel &&
    html`<path class="vessel" d="M0-26 17 20 0 10-17 20z" transform="translate(${Math.round(vessel.at[0])} ${Math.round(vessel.at[1])}) rotate(${vessel.headingDegrees})"/>`;
  return html`
    <svg class="map" viewBox="0 0 ${mapSize.width} ${mapSize.height}" role="img" aria-label="${description(route)}">
      <path class="land" fill-rule="evenodd" d="${land}"/>
      <path class="inland" d="${inland}"/><path class="sailed" d="${sailed}"/><path class="ahead" d="${ahead}"/>
      ${ports.map(point)}${arrow}${labelFonts.map(
        ({ className, size }) => html`<g class="${className}">${placePortLabels(ports, lines, size).map(label)}</g>`,
      )}
    </svg>`;
}

interface StopTimes {
  readonly actual: string | null;
  readonly estimated: string | null;
  /** What an estimate is called. */
  readonly label: "ETA" | "ETD";
}

function stopTime({ actual, estimated, label }: StopTimes, zone: string | null): Html {
  const at = actual ?? estimated;
  const prefix = actual === null && estimated !== null && html`<span class="muted">${label}</span> `;
  return html`${prefix}${localTime(instantOrNull(at), zone)}`;
}

/** The stops of the map as a table with times. */
function stopTable({ ports }: RouteDrawing): Html {
  const row = ({ port }: DrawnPort) => {
    const arrival = { actual: port.inbound_ata_at, estimated: port.inbound_eta_at, label: "ETA" } as const;
    const departure = { actual: port.outbound_atd_at, estimated: port.outbound_etd_at, label: "ETD" } as const;
    return html`
      <tr><th scope="row"><span class="tag">${port.label}</span> ${place(port)}</th>
        <td data-label="Arrival">${stopTime(arrival, port.time_zone)}</td>
        <td data-label="Departure">${stopTime(departure, port.time_zone)}</td></tr>`;
  };
  return html`
    <details id="stops"><summary>Stops as a table</summary>
      ${listTable({
        caption: "Stops of the route, with local times",
        columns: ["Stop", "Arrival", "Departure"],
        rows: ports.map(row),
      })}
    </details>`;
}

function vesselLine({ vessel }: RouteDrawing): Html | null {
  if (!vessel) return null;
  const { vessel_name: name, voyage_number: voyage, arrival_port_name: next, arrival_port_eta: eta } = vessel.vessel;
  const zone = vessel.vessel.arrival_port_time_zone;
  return html`<p><strong>${name ?? "Vessel"}</strong>${voyage && html` <span class="muted">voyage ${voyage}</span>`}:
    next port ${next}${eta && html`, ETA ${localTimeText(instant(eta), zone)}`}</p>`;
}

/** What is drawn; nothing of a finished voyage, where only the line is. */
function legend({ sailed, ahead, inland, vessel }: RouteDrawing): Html {
  const keys = [
    sailed !== "" && (["sailed", "sailed"] as const),
    ahead !== "" && (["ahead", "ahead"] as const),
    inland !== "" && (["inland", "inland"] as const),
    vessel !== null && (["vessel", isReported(vessel) ? "vessel (AIS)" : "vessel (estimated)"] as const),
  ].flatMap((key) => (key ? [key] : []));
  return html`<p class="legend muted">
    ${keys.length > 1 && keys.map(([name, label]) => html`<span class="key ${name}-key">${label}</span> `)}
    <span class="estimated">Route estimated along shipping lanes</span></p>`;
}

/** The route of a container, named on a page of several, as a map and a table; a note when there is no map. */
export function routeDiagram(route: RouteMapResult, containerNumber: string | null = null): Html {
  const title = html`<h2>Route${containerNumber && html` of <span class="number">${containerNumber}</span>`}</h2>`;
  const note = (text: string) => html`<section class="card">${title}<p class="muted">${text}</p></section>`;
  if (route === "not_enabled") return note("Maps of routes are a paid feature that this account does not have.");
  if (route === "not_available") return note("The map is not available at the moment.");
  const drawn = drawRoute(route);
  if (!drawn) return note("No port of call is known at the moment.");
  return html`
    <figure class="card route">
      <div class="route-head">${title}${stopTable(drawn)}</div>
      ${drawing(drawn)}
      <figcaption>
        ${vesselLine(drawn)}
        ${drawn.vessel && isReported(drawn.vessel) && positionLine(drawn.vessel)}
        ${legend(drawn)}
      </figcaption>
    </figure>`;
}
