import { countText } from "@svc/domain";
import { isValidContainerNumber, looksLikeContainerNumber, normalizeContainerNumber } from "@svc/domain/identifiers";
import type { SearchResultResource } from "@svc/jsonapi/search";
import type { SavedViewResource } from "@svc/sdk";
import { type Html, type HtmlValue, html } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import type { CarrierRecord } from "../carriers/carrier-records.ts";
import { layout } from "../pages/layout.ts";
import { pageHead } from "../pages/page-head.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { viewAddress } from "../saved-views/list-addresses.ts";
import { destinationsFor } from "./destinations.ts";
import { looksLikeNumber, type NamedRecords, recordCountText } from "./find-named.ts";
import type { Suggestion } from "./find-suggestions.ts";
import type { FoundState } from "./found-states.ts";
import { matchesNumber, recordPath } from "./records.ts";

export interface SearchPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  /** The text as typed; empty: nothing was searched. */
  readonly typed: string;
  readonly results: readonly SearchResultResource[];
  /** Containers with almost the number that was typed. */
  readonly similar: readonly SearchResultResource[];
  /** States of the records by their ids. */
  readonly states: ReadonlyMap<string, FoundState>;
  /** Saved views with the text in their names; all of them without a text. */
  readonly views: readonly SavedViewResource[];
  /** Carriers to connect, when the text says "connect" and the start of their name or SCAC. */
  readonly carriers: readonly Pick<CarrierRecord, "scac" | "name">[];
  /** Shipments by what the text names. */
  readonly named: readonly NamedRecords[];
  /** Names that were probably meant by a text which nothing has. */
  readonly suggestions: readonly Suggestion[];
  /** Why the records could not be searched. */
  readonly problem: string | null;
}

const viewNotes = { shipments: "Shipments", containers: "Containers", exceptions: "Attention" } as const;
const kinds = { shipment: "Shipment", cargo: "Container", tracking_request: "Tracking request" } as const;

const entry = (path: string, label: string, note: string): Html =>
  html`<li><a href="${path}"><span>${label}</span> <span class="muted" title="${note}">${note}</span></a></li>`;

/** Maximum number of records that the API finds. */
const recordsMax = 25;

/** The lists, for what is beyond the records that are shown. */
const allRecords = (input: string): Html[] => [
  entry(`/shipments?${new URLSearchParams({ q: input })}`, `All shipments with “${input}”`, ""),
  entry(`/containers?${new URLSearchParams({ number: input })}`, `All containers with “${input}”`, ""),
];

const resultCountText = (count: number): string =>
  count >= recordsMax ? `The first ${recordsMax} results` : countText(count, "result");

/** The text with the part that was typed marked, whatever stands between its letters and digits. */
function marked(text: string, typed: string): HtmlValue {
  const characters = [...typed].filter((character) => /[\p{L}\p{N}]/u.test(character));
  const match = characters.length === 0 ? null : new RegExp(characters.join("[^\\p{L}\\p{N}]*"), "iu").exec(text);
  if (match === null) return text;
  const end = match.index + match[0].length;
  return html`${text.slice(0, match.index)}<mark>${match[0]}</mark>${text.slice(end)}`;
}

function recordEntry(result: SearchResultResource, { typed, states }: SearchPageOptions): Html {
  const { attributes } = result;
  const end = attributes.destination_name ?? attributes.port_of_discharge_name;
  const route = [attributes.port_of_lading_name, end].filter(Boolean).join(" → ");
  const { state, facts: more = [] } = states.get(result.id) ?? {};
  const facts = [kinds[attributes.entity_type], attributes.scac, route, ...more].filter(Boolean).join(" · ");
  const references = attributes.ref_numbers.slice(0, 2).join(", ");
  const title = [facts, references].filter(Boolean).join(" · ");
  return html`<li><a href="${recordPath(result)}"><span class="number">${marked(attributes.number, typed)}</span>
    <span class="muted" title="${title}">${facts}${references !== "" && html` · ${marked(references, typed)}`}</span>
    <span>${state}</span></a></li>`;
}

/** Opens which of several records with this number the rules of the deep link prefer. */
const bestMatch = (typed: string): Html =>
  entry(`/shipments/find?${new URLSearchParams({ q: typed })}`, `Open ${typed}`, "Best match");

/** The shipments of a vessel, port, customer or tag, and the containers of a customer. */
function namedEntries(named: NamedRecords): Html[] {
  const query = new URLSearchParams(named.filter);
  return [
    entry(`/shipments?${query}`, named.name, `${named.kind} · ${recordCountText(named)}`),
    ...(named.kind === "Customer" ? [entry(`/containers?${query}`, named.name, "Containers of the customer")] : []),
  ];
}

function group(title: string, entries: readonly Html[]): Html | null {
  return entries.length > 0 ? html`<section><h2>${title}</h2><ul>${entries}</ul></section>` : null;
}

function isWrongContainerNumber(typed: string): boolean {
  const number = normalizeContainerNumber(typed);
  return looksLikeContainerNumber(number) && !isValidContainerNumber(number);
}

const suggestionEntry = ({ kind, name }: Suggestion): Html =>
  entry(`/track/search?${new URLSearchParams({ q: name })}`, name, kind);

function resultList(options: SearchPageOptions): Html {
  const { caller, typed, results, similar, views, carriers, named, suggestions, problem } = options;
  const pages = destinationsFor(caller, typed);
  const shipments = named.length > 0 && "Shipments by name";
  const hasBest = results.length > 1 && results.some((result) => matchesNumber(result, typed));
  const found =
    typed !== "" && results.length === 0
      ? shipments || "No number, reference, vessel, port or customer has this text"
      : resultCountText(results.length);
  const mistyped = isWrongContainerNumber(typed) && " The check digit is wrong: compare it with the document.";
  const more = results.length >= recordsMax ? allRecords(typed) : [];
  const records = [
    ...(hasBest ? [bestMatch(typed)] : []),
    ...results.map((result) => recordEntry(result, options)),
    ...more,
  ];
  const track =
    results.length + named.length === 0 && looksLikeNumber(typed) && may(caller, "track")
      ? [entry(`/track?${new URLSearchParams({ number: typed })}`, `Track ${typed}`, "New number")]
      : [];
  return html`
    <div class="results" data-results>
      ${typed !== "" && html`<p class="muted" role="status">${problem ?? found}${results.length === 0 && mistyped}</p>`}
      ${group("Shipments and containers", records)}
      ${group(
        "Containers with a similar number",
        similar.map((result) => recordEntry(result, options)),
      )}
      ${group("Did you mean", suggestions.map(suggestionEntry))}
      ${group("Vessels, ports, customers and tags", named.flatMap(namedEntries))}
      ${group(
        "Saved views",
        views.map((view) => entry(viewAddress(view), view.attributes.name, viewNotes[view.attributes.list])),
      )}
      ${group("Pages and actions", [
        ...track,
        ...carriers.map(({ scac, name }) => entry(`/carriers/${scac}`, `Connect ${name}`, scac)),
        ...pages.map(({ label, path }) => entry(path, label, "")),
      ])}
    </div>`;
}

/** `GET /track/search?q=`: records, pages, actions and lists for a text. The command palette shows its results. */
export function searchPage(options: SearchPageOptions): Html {
  const { caller, apiBaseUrl, typed } = options;
  return layout({
    title: "Search",
    caller,
    section: null,
    hasSearch: false,
    content: html`
      ${pageHead({ heading: "Search" })}
      <form class="finder" role="search" action="/track/search">
        <div class="search">
          <label class="hidden" for="search">Number, reference, port, vessel, tag, customer or page</label>
          <input id="search" name="q" type="search" maxlength="100" value="${typed}" aria-keyshortcuts="/"
            placeholder="Number, reference, port, vessel, customer or page">
          <button>Search</button></div>
      </form>
      ${resultList(options)}
      ${typed !== "" && sameFromApi(apiBaseUrl, [{ path: `/search?${new URLSearchParams({ query: typed })}` }])}`,
  });
}
