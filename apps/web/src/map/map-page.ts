import { type Instant, plural } from "@svc/domain";
import type { ContainerPositionsDocument } from "@svc/sdk";
import { formatNumber, type Html, html } from "@svc/views";
import { worldMap } from "@svc/views/world-map";
import type { SignedInCaller } from "../access/api-clients.ts";
import { assetPath } from "../asset-files.ts";
import { conditionLinks } from "../containers/condition-links.ts";
import { namedQuery } from "../containers/find-containers.ts";
import { activeFilters, filterForm } from "../containers/list-filters.ts";
import { nameNote, searchedNote } from "../containers/list-page.ts";
import { type ContainerQuery, containersPath } from "../containers/list-query.ts";
import { accountEvents, type LivePage, livePage, part } from "../pages/live-page.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { unknownPortNote } from "../saved-views/unknown-port.ts";
import type { NamedRecords } from "../search/find-named.ts";
import { namedList } from "../search/named-note.ts";
import type { CarrierChoice } from "../tracking-requests/carrier-menu.ts";
import { containersText, mapCard, stateMarks } from "./map-card.ts";
import { groupPlaces, type PlaceGroup, toWorldPlace } from "./map-facts.ts";
import { findSelection, type MapQuery, mapPath, positionsApiPath } from "./map-query.ts";
import { placeTable } from "./place-table.ts";

/** The positions from the API, or the reason why there are none. */
export type PositionsResult = ContainerPositionsDocument | "not_enabled";

export interface MapPageOptions {
  readonly caller: SignedInCaller;
  readonly apiBaseUrl: string;
  /** Current time of the tracking clock. */
  readonly now: Instant;
  readonly query: MapQuery;
  /** The filters of the positions: those of the query, or of what its text names. */
  readonly shown: ContainerQuery;
  /** Records that the text of the search names. */
  readonly named: readonly NamedRecords[];
  readonly isUnknownPort: boolean;
  readonly positions: PositionsResult;
  readonly lines: readonly CarrierChoice[];
}

/** Rows of each part of the list. */
const groupsMax = 60;

const legend = html`
  <p class="legend muted"><span class="shape vessel-shape">vessel</span> <span class="shape">port or place</span>
    <span class="shape cluster-shape">several containers</span>
    <span class="shape usual-shape">on time</span> <span class="shape late-shape">late</span>
    <span class="shape exception">open exception</span></p>`;

const signs = { in: "M8 3v10M3 8h10", out: "M3 8h10", all: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" } as const;

const mapButton = (name: keyof typeof signs, label: string): Html => html`
  <button type="button" data-map-button="${name}" title="${label}" aria-label="${label}" disabled>
    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="${signs[name]}"/></svg></button>`;

/** The script enables them. */
const mapButtons = html`
  <div class="map-buttons needs-script">${mapButton("in", "Zoom in")}${mapButton("out", "Zoom out")}
    ${mapButton("all", "Show all")}</div>`;

/** The map that the server draws, and what the script needs to replace it by one with zoom. */
function mapPanel({ features }: ContainerPositionsDocument, { filters, at }: MapQuery, label: string): Html {
  const places = features.map(toWorldPlace);
  const selected = places[features.findIndex(({ id }) => id === at)]?.position ?? null;
  return html`
    <figure class="card voyages">
      <div class="voyage-map" data-map="${assetPath("map.js")}" data-worker="${assetPath("map-worker.js")}"
        data-places="${mapPath(filters, "", "/map/places.json")}" data-at="${at}" data-label="${label}">
        ${worldMap(places, selected, label)}${mapButtons}
      </div>
      <figcaption>${legend}</figcaption>
    </figure>`;
}

const groupLink = (filters: ContainerQuery, { at, name }: PlaceGroup, isChosen: boolean): Html =>
  html`<a href="${mapPath(filters, at)}"${isChosen && html` aria-current="true"`}>${name}</a>`;

function groupTable(
  title: string,
  first: string,
  groups: readonly PlaceGroup[],
  { filters, at }: MapQuery,
): Html | null {
  if (groups.length === 0) return null;
  const rest = groups.slice(groupsMax).reduce((total, { count }) => total + count, 0);
  return html`
    <section class="card"><h2>${title}</h2>
      ${placeTable({
        caption: title,
        columns: [first, "Containers", "Attention"],
        hasAmounts: true,
        rows: groups.slice(0, groupsMax).map((group) => ({
          name: groupLink(filters, group, group.at === at),
          second: html`${formatNumber(group.count)}`,
          state: stateMarks(group),
          isChosen: group.at === at,
        })),
      })}
      ${rest > 0 && html`<p class="muted">and ${containersText(rest)} elsewhere</p>`}
    </section>`;
}

function summary({ meta }: ContainerPositionsDocument, filters: ContainerQuery): Html {
  const { containers_total: total, containers_without_position: without, is_complete: isComplete } = meta;
  const missing = without > 0 && html` · ${formatNumber(without)} ${plural(without, "has", "have")} no position yet`;
  const limited = !isComplete && html` · the newest ${formatNumber(total)} are shown; filter for others`;
  return html`
    <p class="muted" role="status">${containersText(total)} not picked up yet${missing}${limited} ·
      <a href="${containersPath(filters)}">As a list</a></p>`;
}

function empty(filters: ContainerQuery, named: readonly NamedRecords[]): Html {
  const { number } = filters;
  const names = namedList(named, (filter) => mapPath(namedQuery(filters, filter)));
  return html`
    <section class="card empty"><h2>No containers ${number === "" ? "on the map" : `match “${number}”`}</h2>
      ${number !== "" && searchedNote(number, names)}
      <p>Containers appear here from their first event until they are picked up.</p>
      ${mapPath(filters) !== "/map" && html`<p><a href="/map">Remove all filters</a></p>`}</section>`;
}

const notEnabled = html`
  <section class="card empty"><h2>The map is a paid feature</h2>
    <p>Routes and positions of containers are a paid feature that this account does not have.</p></section>`;

function mapContent(positions: ContainerPositionsDocument, options: MapPageOptions): Html {
  const { features } = positions;
  const { query: requestedQuery, shown: filters, named } = options;
  const at = findSelection(requestedQuery, features);
  const query = { filters, at };
  if (features.length === 0) {
    return html`${part("map", html`${summary(positions, filters)}${empty(requestedQuery.filters, named)}`)}`;
  }
  const { atSea, ashore } = groupPlaces(features);
  const placed = positions.meta.containers_total - positions.meta.containers_without_position;
  const parts = [
    ...atSea.map(({ name, count }) => `${count} at sea to ${name}`),
    ...ashore.map(({ name, count }) => `${count} at ${name}`),
  ];
  const label = `Map of ${containersText(placed)}: ${parts.slice(0, 5).join(", ")}${parts.length > 5 ? ", and others" : ""}.`;
  return html`
    ${part("named", nameNote({ query: requestedQuery.filters, shown: filters, named }, mapPath))}
    ${part("summary", summary(positions, filters))}
    <div class="columns map-columns">
      ${part("map", mapPanel(positions, query, label))}
      <div class="stack">
        ${part("selected", at !== "" && mapCard(filters, at, features))}
        ${part("at-sea", groupTable("At sea, by next port", "Next port", atSea, query))}
        ${part("ashore", groupTable("At ports and inland", "Place", ashore, query))}
      </div>
    </div>`;
}

/** `GET /map`: where the containers are, as a map and as a list. */
export function mapPage(options: MapPageOptions): LivePage {
  const { caller, apiBaseUrl, now, query, shown, positions, lines } = options;
  const { filters } = query;
  const pathOf = (from: ContainerQuery, changes: Partial<ContainerQuery>) => mapPath({ ...from, ...changes });
  return livePage({
    title: "Map",
    caller,
    section: "map",
    styles: "voyages",
    events: accountEvents,
    content: html`
      <div class="list-head"><h1>Map</h1>${filterForm("/map", filters, lines, null)}</div>
      ${conditionLinks({ query: shown, now, counts: null, pathOf })}
      ${activeFilters(filters, mapPath)}
      ${options.isUnknownPort && unknownPortNote(options.query.filters.port)}
      ${positions === "not_enabled" ? notEnabled : mapContent(positions, options)}
      ${sameFromApi(apiBaseUrl, [{ path: positionsApiPath(shown), mediaType: "application/json" }])}`,
  });
}
