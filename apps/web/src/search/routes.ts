import { RateLimitError, type SearchResultResource } from "@svc/sdk";
import type { ApiCaller } from "../access/api-clients.ts";
import { may } from "../access/callers.ts";
import { type CarrierRecord, isConnectable, readCarriers } from "../carriers/carrier-records.ts";
import { get, type Route } from "../http/define-route.ts";
import type { PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { readViews } from "../saved-views/read-views.ts";
import type { Services } from "../services.ts";
import { destinationsFor } from "./destinations.ts";
import { findNamed, looksLikeNumber, type NamedRecords } from "./find-named.ts";
import { findSimilar } from "./find-similar.ts";
import { findSuggestions, type Suggestion } from "./find-suggestions.ts";
import { readStates } from "./found-states.ts";
import { onlyMatch, recordPath } from "./records.ts";
import { searchPage } from "./search-page.ts";

const inputLengthMax = 100;

const viewsMax = 8;
const carriersMax = 8;

const splitWords = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Every word of the text begins a word of the name. */
const isNamed = (name: string, input: string): boolean =>
  splitWords(input).every((part) => splitWords(name).some((word) => word.startsWith(part)));

/** "connect maersk", "con hlc": the carriers are read only for a text that begins like the word. */
async function findCarriersToConnect(caller: ApiCaller, input: string): Promise<readonly CarrierRecord[]> {
  const [verb = "", ...rest] = splitWords(input);
  if (verb.length < 3 || !"connect".startsWith(verb) || !may(caller, "connect_carriers")) return [];
  const carriers = (await readCarriers(caller.api)).filter(isConnectable);
  return carriers.filter(({ name, scac }) => isNamed(`${name} ${scac}`, rest.join(" "))).slice(0, carriersMax);
}

interface FoundRecords {
  readonly results: readonly SearchResultResource[];
  /** Containers with almost the number that was typed; only where it finds none. */
  readonly similar: readonly SearchResultResource[];
  readonly named: readonly NamedRecords[];
  /** Only where nothing has the text. */
  readonly suggestions: readonly Suggestion[];
}

const nothingFound: FoundRecords = { results: [], similar: [], named: [], suggestions: [] };

/**
 * Finds the records that a text names, and similar ones where it names none; a text like a number is first read as one.
 */
async function findRecords({ api }: ApiCaller, input: string): Promise<FoundRecords> {
  if (input === "") return nothingFound;
  if (!looksLikeNumber(input)) {
    const [{ data }, named] = await Promise.all([api.search(input), findNamed(api, input)]);
    const suggestions = data.length + named.length === 0 ? await findSuggestions(api, input) : [];
    return { ...nothingFound, results: data, named, suggestions };
  }
  const { data } = await api.search(input);
  if (data.length > 0) return { ...nothingFound, results: data };
  const [similar, named] = await Promise.all([findSimilar(api, input), findNamed(api, input)]);
  return { ...nothingFound, similar, named };
}

/**
 * `GET /track/search?q=`: the records are those of the API's search, which include the target of a deep link. With
 * `open=match`, as the field of the header sends it, opens the record that alone is meant instead of a list with it.
 */
export function searchRoutes({ apiBaseUrl, clock }: Pick<Services, "apiBaseUrl" | "clock">): readonly Route[] {
  const search: PageHandler = async ({ query }, response, caller) => {
    const typed =
      typeof query.q === "string" ? query.q.slice(0, inputLengthMax).toWellFormed().replaceAll("\0", "").trim() : "";
    let problem: string | null = null;
    const withinLimit = (error: unknown): null => {
      if (!(error instanceof RateLimitError)) throw error;
      problem = `Too many searches. Try again in ${error.retryAfterSeconds ?? 60} seconds.`;
      return null;
    };
    const [found, saved, carriers] = await Promise.all([
      findRecords(caller, typed).catch(withinLimit),
      readViews(caller).catch(withinLimit),
      findCarriersToConnect(caller, typed).catch(withinLimit),
    ]);
    const views = (saved ?? []).filter((view) => isNamed(view.attributes.name, typed)).slice(0, viewsMax);
    const { results, named, ...others } = found ?? nothingFound;
    const besides = [named, views, carriers ?? [], destinationsFor(caller, typed)];
    const hasOthers = besides.some(({ length }) => length > 0);
    const match = query.open === "match" ? onlyMatch(results, typed, hasOthers) : null;
    if (match) return response.redirect(302, recordPath(match));
    const states = await readStates(caller.api, [...results, ...others.similar], clock.now());
    const pageOptions = { caller, apiBaseUrl, typed, carriers: carriers ?? [], states };
    sendPage(response, 200, searchPage({ ...pageOptions, ...others, results, named, views, problem }));
  };

  return [get("/track/search", "read", search)];
}
