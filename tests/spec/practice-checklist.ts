import { type ChecklistItem, items } from "./checklist-item.ts";

const practices = items("Practices", {
  P1: ["Retry-After on 429 and 503", "whole seconds"],
  P2: ["RateLimit and RateLimit-Policy of the IETF draft", "on every answer to a known caller"],
  P3: ["One limit for API and MCP", "MCP calls the API with the caller's token"],
  P4: [
    "A refused request costs little",
    "no body is read; over the limit no statement; invalid tokens are limited by client address, and past that limit share one lookup",
  ],
  P5: ["Idempotency-Key", "on every write; quoted or bare; the write and its stored response are one transaction"],
  P6: ["The same number twice is one request", "422 `duplicate` that names the first"],
  P7: ["ETag and If-None-Match", "on every read; weakened and compression-marked tags are known again"],
  P8: ["If-Match", "412; a weak tag ties to nothing (RFC 9110), so a proxy that compresses must leave tags strong"],
  P9: ["Request ids", "X-Request-Id on every answer; a client's own is kept when it is a plain word"],
  P10: [
    "An address for each kind of error",
    "`links.type` leads to the code at /docs; `application/problem+json` is not offered",
  ],
  P11: ["A published list of codes", "an enum in the description, explained at /docs"],
  P12: ["Deprecation and Sunset", "from the route's own definition, also on refusals"],
  P13: ["A version on every answer", "API-Version, as in the description"],
  P14: ["Link header for clients without JSON:API", "the document's links; left out beyond 4 KiB"],
  P15: ["Strict requests", "whatever is sent is read or refused"],
  P16: ["Published limits", "413, 422, 431; each limit in words"],
  P17: ["401 with WWW-Authenticate", "the same for every bad token"],
  P18: ["Foreign ids are 404", "for every operation on a record; filters find nothing"],
  P19: ["405 with Allow against 404", "every path"],
  P20: [
    "Security headers",
    "nosniff, a policy that loads nothing, no X-Powered-By; no CORS: tokens do not belong in pages",
  ],
  P21: [
    "Timeouts",
    "503 while the database is unreachable or a statement takes longer than 10 s, 408 for requests that do not arrive",
  ],
  P22: ["Times in UTC, zones by IANA name", "every `_at` and zone of every read is checked"],
  P23: ["OpenAPI 3.1 from the schemas that check", "served, committed, linted, compared with main"],
  P24: [
    "`describedby` links",
    "none",
    { notYet: "the description has one well-known address; a link in every document would add bytes without use" },
  ],
  P25: ["Health outside the version", "/healthz, /readyz, /metrics"],
});

const goals = items("Goals", {
  G1: ["Every item of this list has its proof", "this ledger is a test"],
  G2: ["The description passes public linters", "no error", { elsewhere: "scripts/lint-openapi.ts" }],
  G3: ["Answers are what the description says", "every read is parsed by the schema that is published"],
  G4: ["Nonsense gives 4xx and changes nothing", "a fuzzer, and a corpus over every operation"],
  G5: [
    "The tests notice seeded defects",
    "fifteen, planted one at a time, each fail the test that is there for them; no run over mutated code at large",
  ],
  G6: ["Independent clients work", "jsona and kitsu-core, and our own SDK; devour and spraypaint were not tried"],
  G7: ["Filters really filter", "brute force; unknown ones are 400"],
  G8: [
    "Deep links are fast and right",
    "right by test; the aims in time are reached in the median, the p99 by exact numbers only",
    { elsewhere: "docs/benchmarks.md" },
  ],
  G9: [
    "Reads for each core against bare Express",
    "0.77 of it with the same statement over a large database, 0.60 of Express over one table",
    { elsewhere: "docs/benchmarks.md" },
  ],
  G10: [
    "Pages cost the same at any depth",
    "keyset; beyond 10,000 rows `links.next` carries a cursor beside the page number",
    { elsewhere: "bench/large/depth.ts" },
  ],
  G11: ["No lost updates", "writers that tie their edits to what they read all get through"],
  G12: ["Safe retries", "of fifty at once one acts; killed processes too"],
  G13: [
    "Honest limits",
    "a sliding window, exact over processes; the memory's own when Redis is unreachable or silent",
  ],
  G14: ["Accounts are apart", "also in the database, so that a missing filter returns nothing"],
  G15: ["Errors can be acted on", "codes of the list, pointers that resolve, all at once"],
  G16: [
    "Unchanged polls are 304 and cheap",
    "ten count as one request; `*`, which needs no earlier response, counts in full",
  ],
  G17: [
    "One id from client to log",
    "the same in header, error and log line; a replayed refusal keeps the id of the request that was refused",
  ],
  G18: ["Changes are announced", "no operation breaks against main without a year of notice"],
  G19: ["Stops and outages lose nothing", "requests end before connections close; 503 until the database is back"],
  G20: ["The shipment is complete", "every attribute and relationship of the specification, always"],
});

const compatibility = items("Clients of the reference contract", {
  R1: [
    "Links that lead nowhere are absent; `links.current`, `meta.total`, `meta.size`; `links.self` of a single record",
    "on every list and record",
  ],
  R2: [
    "A container links its events and raw events",
    "the newest 100 of each as `data`, `links.related` for all; in REST and in notifications",
  ],
  R3: [
    "The record of a notification can be found again",
    "changed estimates, deadlines and appointments are listed among the container's transport events",
  ],
  R4: ["Raw events come whole, in order of `index`", "up to 1,000 without a page; with the milestone that corresponds"],
  R5: ["The vessel of the map has every documented member", "`ports_sequence`, state and country of both ports"],
  R6: [
    "A pickup facility is a terminal, also inland",
    "a rail terminal has the facility type `rail_terminal`; ports have city, state and terminals, terminals have codes and address",
  ],
  R7: ["`retry_count`, `actual_on`, `user` as live answers have them", "yes"],
  R8: [
    "Creates accept what these clients send",
    "empty container number, null lists, `booking`, a webhook without events, events that are never sent",
  ],
  R9: ["Content types and empty bodies of these clients", "`charset=utf-8`; `{}` where no body is needed"],
  R10: [
    "A whole record can be sent back; large pages are cut; some parameters are ignored",
    "differences are refused with a pointer; the ignored parameters are in the description",
  ],
  R11: [
    "Part search of requests, container edits without an id in the path, custom fields of requests",
    "`q`; `PATCH /containers`; definitions of the shipment; deleting an option clears it",
  ],
  R12: [
    "Numbered lists can be followed to the end",
    "by a cursor in `links.next` beyond 10,000 rows; measured over 200,000",
  ],
  R14: [
    "Changes can be exported",
    "`GET /exports/{resource}`, as CSV or JSON Lines, streamed from a cursor of changes, three at once",
  ],
  R15: ["A client written from the reference contract alone works", "every operation, with typed parsing"],
  R16: [
    "What needs attention can be listed, counted, edited and notified",
    "`/exceptions` with filters, by the same rules as the webhook events, the command line and MCP",
  ],
});

/** Practices of good APIs, and the goals of this one. */
export const practiceChecklist: readonly ChecklistItem[] = [...practices, ...goals, ...compatibility];
