import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { createStoredReplyReader, diagnoseReply, explainTest, stripReply } from "@svc/carriers";
import { catalogue } from "@svc/carriers/catalogue";
import {
  epoch,
  found,
  type ImitatedCarriersHarness,
  placeLookup,
  startImitatedCarriers,
  zones,
} from "../testing/imitated-carriers.ts";
import { acceptedCredentials, credentialOf } from "./accepted-credentials.ts";
import type { CarrierFault } from "./carrier-faults.ts";

/** The voyage is under way: events of all kinds, actual and planned. */
const underWay = epoch + 5 * 86_400_000;

const choices = catalogue.flatMap((entry) =>
  entry.credentials.map((choice) => [entry.scac, choice.label, entry, choice] as const),
);

describe("every entry of the catalogue against the server that its documents describe", () => {
  let harness: ImitatedCarriersHarness;
  beforeAll(async () => {
    harness = await startImitatedCarriers();
  });
  afterAll(() => harness.close());
  afterEach(() => harness.reset());

  const lineOf: ImitatedCarriersHarness["carrierOf"] = (entry) => harness.carrierOf(entry);
  const connect: ImitatedCarriersHarness["connect"] = (...args) => harness.connect(...args);
  const printed = ({ scac, billOfLadingPrefixes }: (typeof catalogue)[number], number: string) =>
    `${billOfLadingPrefixes[0] ?? scac}${number}`;

  describe.each(choices.filter(([, , { kind }]) => kind === "shipping_line"))(
    "shipments of %s, %s",
    (scac, _label, entry, choice) => {
      test("a printed bill of lading, a booking and a container are found, with the facts of the voyage", async () => {
        harness.clock.now = epoch;
        const { track } = connect(entry, choice);
        await found(track("bill_of_lading", printed(entry, "DIR000123")));
        harness.clock.now = underWay;
        lineOf(entry).limits.clear();
        const { drafts, skipped } = await found(track("bill_of_lading", printed(entry, "DIR000123")));
        expect(skipped).toBe(0);
        const codes = drafts.map(({ code, classifier }) => `${code} ${classifier}`);
        expect(codes).toEqual(expect.arrayContaining(["GTOT ACT", "GTIN ACT", "LOAD ACT", "DEPA ACT", "ARRI EST"]));
        // COSCO names what is estimated or actual only.
        if (entry.server.kind !== "cosco") expect(codes).toContain("ARRI PLN");
        const load = drafts.find(({ code }) => code === "LOAD");
        const zone = zones.get(load?.place?.locode ?? "");
        expect(zone).toBeDefined();
        const local = new Intl.DateTimeFormat("sv-SE", { timeZone: zone ?? "UTC" }).format(
          Date.parse(load?.eventAt ?? ""),
        );
        expect(load?.localDate).toBe(local);
        const container = load?.containerNumber ?? "";
        expect(container).toMatch(new RegExp(`^${scac.slice(0, 3)}U\\d{7}$`));

        const booked = await found(track("booking_number", "DIRB000123"));
        expect(booked.drafts).toEqual(drafts);
        // HMM finds bookings only.
        if (entry.server.kind === "hmm") {
          expect((await track("container", container)).outcome).toBe("not_found");
          return;
        }
        // Another shipment, of which this is the first request.
        const unasked = lineOf(entry).numbers.ofCarrier("SBXU0008880");
        expect((await found(track("container", unasked))).drafts.length).toBeGreaterThan(0);
        const containerReply = await found(track("container", container));
        const numbers = new Set(containerReply.drafts.map(({ containerNumber }) => containerNumber));
        expect([...numbers].filter((each) => each !== null)).toEqual([container]);
        expect(containerReply.drafts.filter(({ code }) => code === "LOAD")).toContainEqual(load);
      });

      test("a recording of a reply is read like the reply, and has no reference of it", async () => {
        harness.clock.now = epoch;
        const { track, connection } = connect(entry, choice);
        const number = printed(entry, "DIR000123");
        const reply = await found(track("bill_of_lading", number));
        const recorded = JSON.stringify(stripReply(reply.body));
        const read = createStoredReplyReader([connection], placeLookup);
        const reading = read({ scac, kind: "bill_of_lading", number }, new TextEncoder().encode(recorded));
        const factsOf = (drafts: readonly { code: string; eventAt: string }[]) =>
          drafts.map((d) => [d.code, d.eventAt]);
        expect([reading?.skipped, factsOf(reading?.drafts ?? [])]).toEqual([0, factsOf(reply.drafts)]);
        expect(recorded).not.toMatch(/DIRB?000123/);
        for (const { containerNumber } of reply.drafts)
          if (containerNumber) expect(recorded).not.toContain(containerNumber);
      });

      test("all events of a long reply arrive", async () => {
        harness.clock.now = epoch;
        const { track } = connect(entry, choice);
        const { drafts } = await found(track("bill_of_lading", printed(entry, "PAG000001")));
        expect(new Set(drafts.map(({ containerNumber }) => containerNumber).filter(Boolean)).size).toBe(55);
      });
    },
  );

  describe.each(choices)("%s, %s", (scac, label, entry, choice) => {
    test("an unknown number is not found, and the test call accepts the credentials", async () => {
      const { track, connection } = connect(entry, choice);
      const reply = await track("bill_of_lading", printed(entry, "ABC12345"));
      expect(reply.outcome).toBe("not_found");
      const diagnosis = diagnoseReply(await track("container", "CSQU3054383"));
      expect(diagnosis.code).toBe("accepted");
      expect(explainTest(scac, connection, diagnosis)).toContain(`${entry.name} accepted the credentials.`);
    });

    test.each(
      choice.fields.filter(({ field, sameAs, multiline }) => sameAs === undefined && !multiline && field !== "scope"),
    )("a wrong $label is refused and explained, without the value", async ({ field }) => {
      const { track, connection } = connect(entry, choice, { wrongField: field });
      const reply = await track("container", "CSQU3054383");
      expect(reply.outcome).toBe("unauthorized");
      const explanation = explainTest(scac, connection, diagnoseReply(reply));
      expect(explanation).toMatch(/^The credentials are wrong/);
      for (const { label: name, where } of choice.fields.filter(({ sameAs }) => sameAs === undefined))
        expect(explanation).toContain(`${name} (${where})`);
      const texts = [explanation, JSON.stringify({ ...reply, body: undefined })];
      // A tenant is part of the address of its token endpoint.
      const secrets = acceptedCredentials(scac, choice).filter((_, index) => choice.fields[index]?.secret);
      for (const { value } of secrets) for (const text of texts) expect(text).not.toContain(value);
    });

    test("the published limit is answered with 429, kept as a pause, and never reached by our own limits", async () => {
      const { windows, concurrent } = entry.server;
      const { track, connection } = connect(entry, choice);
      const { perSecond, perMinute, perHour, perDay } = connection.limits;
      for (const { requests, seconds } of windows) {
        const allowedRequests = [
          perSecond === null ? Infinity : perSecond * seconds,
          perMinute === null ? Infinity : (perMinute * seconds) / 60,
          perHour === null ? Infinity : (perHour * seconds) / 3_600,
          perDay === null ? Infinity : perDay * Math.ceil(seconds / 86_400),
        ];
        expect([seconds, Math.min(...allowedRequests) <= requests]).toEqual([seconds, true]);
      }
      if (concurrent !== null) expect(concurrent).toBeGreaterThanOrEqual(8);
      const { limits } = lineOf(entry);
      for (let count = 0; count < (windows[0]?.requests ?? 0); count++) {
        limits.begin();
        limits.end();
      }
      const reply = await track("container", "CSQU3054383");
      if (windows.length === 0) expect(reply.outcome).toBe("not_found");
      else expect(reply).toMatchObject({ outcome: "rate_limited", retryAfterMs: expect.any(Number) });
    });

    test.each<[CarrierFault, object, string]>([
      ["html", { outcome: "unrecognized", shape: "html" }, "not_json"],
      ["error_in_success", { outcome: expect.stringMatching(/^(unrecognized|not_found)$/) }, "error_in_response"],
      ["truncated", { outcome: "unrecognized" }, "unreadable_response"],
      ["redirect", { outcome: "unrecognized", httpStatus: 302 }, "redirected"],
      ["server_error", { outcome: "unreachable", httpStatus: 500 }, "carrier_error"],
      ["forbidden", { outcome: "unauthorized", httpStatus: 403 }, "credentials_rejected"],
    ])("the fault %s changes nothing and is named", async (fault, reply, code) => {
      const { track } = connect(entry, choice);
      lineOf(entry).fault = fault;
      const result = await track("container", "CSQU3054383");
      expect(result).toMatchObject(reply);
      expect(diagnoseReply(result).code).toBe(code);
    });

    const { server: described } = entry;
    const paging = described.kind === "dcsa" ? described.paging : null;
    test("pages that never end are given up", async () => {
      const { track } = connect(entry, choice);
      const line = lineOf(entry);
      line.fault = paging === null ? "none" : "endless_pages";
      const before = line.counts.api;
      const reply = await track("container", "CSQU3054383");
      if (paging === null) expect([reply.outcome, line.counts.api - before]).toEqual(["not_found", 1]);
      // The limit of the carrier may come first.
      else if (described.windows.some(({ requests }) => requests < 100)) expect(reply.outcome).toBe("rate_limited");
      else expect([reply.outcome, line.counts.api - before]).toEqual(["unrecognized", 100]);
    });

    const access = described.access.find((each) => each.choice === label);
    test("the catalogue describes how these credentials are checked", () => {
      expect(access).toBeDefined();
      expect(described.access).toHaveLength(entry.credentials.length);
      const headers = choice.fields.flatMap(({ field }) => (field.startsWith("headers.") ? [field.slice(8)] : []));
      expect(access?.headers).toEqual(headers);
      expect(access?.token !== null).toBe(choice.kind.startsWith("oauth2"));
    });

    if (access?.token == null) return;
    describe("the token", () => {
      test("is used until it expires, and replaced once when it was revoked", async () => {
        const line = lineOf(entry);
        const { track } = connect(entry, choice);
        const before = line.counts.tokens;
        await track("container", "CSQU3054383");
        await track("container", "CSQU3054383");
        expect(line.counts.tokens - before).toBe(1);
        line.access.revokeTokens();
        expect(await track("container", "CSQU3054383")).toMatchObject({ outcome: "not_found", requests: 3 });
        expect(line.counts.tokens - before).toBe(2);

        line.access.lifeSeconds = 1;
        line.access.revokeTokens();
        await track("container", "CSQU3054383");
        await new Promise((resolve) => setTimeout(resolve, 1_100));
        // No request is refused: the lifetime of the token was known.
        expect(await track("container", "CSQU3054383")).toMatchObject({ outcome: "not_found", requests: 2 });
      });

      test.each<[CarrierFault, string]>([
        ["token_html", "not_json"],
        ["token_redirect", "redirected"],
      ])("the fault %s of its endpoint is named, and the credentials go nowhere else", async (fault, code) => {
        const line = lineOf(entry);
        const { track } = connect(entry, choice);
        line.fault = fault;
        const before = line.counts.api;
        const diagnosis = diagnoseReply(await track("container", "CSQU3054383"));
        expect(diagnosis).toMatchObject({ code, server: "token_endpoint" });
        expect(line.counts.api).toBe(before);
      });
    });
  });

  test("credentials of two lines are different", () => {
    const values = choices.flatMap(([scac, , , choice]) => credentialOf(scac, choice, "clientSecret") ?? []);
    expect(new Set(values).size).toBe(values.length);
  });
});
