import type { CarrierReply } from "../carrier.ts";
import type { CarrierConnection } from "../carrier-connection.ts";
import type { HttpExchange, HttpResponse } from "../http-exchange.ts";
import { toRefusal, unrecognized } from "../http-refusal.ts";
import type { PlaceLookup } from "../place-lookup.ts";
import { noticesOf, readArrivalNotices } from "./arrival-notice.ts";
import { joined, nextPageOf } from "./events-page.ts";

/** A bill of lading has a notice for each language and party. */
const pagesMax = 10;

export interface NoticeRequest {
  readonly connection: CarrierConnection;
  readonly http: HttpExchange;
  readonly places: PlaceLookup;
  /** The bill of lading as the line writes it. */
  readonly number: string;
  /** Headers of a request to the address, with the credentials. */
  readonly headersFor: (url: URL) => Record<string, string>;
}

/** Whether both are one bill of lading, with or without the prefix of four letters that a line prints. */
const isSame = (one: string, other: string): boolean =>
  one === other ||
  /^[A-Z]{4}/.exec(one)?.[0].concat(other) === one ||
  /^[A-Z]{4}/.exec(other)?.[0].concat(one) === other;

/** Queries the arrival notices of a bill of lading at a line. The PDF documents of the notices are left out. */
export async function queryArrivalNotices(noticeRequest: NoticeRequest, signal: AbortSignal): Promise<CarrierReply> {
  const { connection, http, places, number } = noticeRequest;
  const first = new URL(connection.arrivalNoticesUrl ?? connection.baseUrl);
  first.searchParams.set("transportDocumentReferences", number);
  first.searchParams.set("includeVisualization", "false");
  const pages: HttpResponse[] = [];
  let requests = 0;
  let bytesLeft = connection.maxBodyBytes;
  for (let next: URL | null = first; next !== null; ) {
    const request = { method: "GET", url: next, headers: noticeRequest.headersFor(next), maxBytes: bytesLeft } as const;
    const response = await http.send(request, signal);
    requests++;
    if ("failure" in response)
      return { outcome: "unreachable", detail: response.failure, fault: response.fault, requests };
    const refusal = toRefusal(response, first.href);
    if (refusal !== null) return { ...refusal, requests };
    const refused = (detail: string): CarrierReply => ({ ...unrecognized(response, first.href, detail), requests });
    if (!response.isComplete) return refused(`larger than ${connection.maxBodyBytes} bytes`);
    const notices = noticesOf(response.body);
    if (notices === null) return refused("no list of arrival notices");
    const isOther = ({ transportDocumentReference: billOfLading }: (typeof notices)[number]) =>
      typeof billOfLading !== "string" || !isSame(billOfLading.trim().toUpperCase(), number);
    if (notices.some(isOther)) return refused("an arrival notice is about another bill of lading");
    pages.push(response);
    bytesLeft -= response.body.byteLength;
    const following = nextPageOf(response, next, ["next-page-cursor"]);
    if (following === "foreign") return refused("the next page is at another origin");
    if (following !== null && pages.length === pagesMax) return refused(`more than ${pagesMax} pages`);
    next = following;
  }
  const body = joined(pages.map((page) => page.body));
  const received = { body, url: first.href, httpStatus: pages[0]?.status ?? 200, requests };
  const notices = noticesOf(body) ?? [];
  return notices.length === 0
    ? { outcome: "not_found", ...received }
    : { outcome: "found", ...received, ...readArrivalNotices(notices, places) };
}
