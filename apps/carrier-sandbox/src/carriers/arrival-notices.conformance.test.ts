import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { createStoredReplyReader } from "@svc/carriers";
import { catalogue } from "@svc/carriers/catalogue";
import { dayMs } from "@svc/domain";
import {
  epoch,
  found,
  type ImitatedCarriersHarness,
  placeLookup,
  startImitatedCarriers,
} from "../testing/imitated-carriers.ts";

const choices = catalogue
  .filter(({ server }) => server.kind === "dcsa")
  .flatMap((entry) => entry.credentials.map((choice) => [entry.scac, choice.label, entry, choice] as const));

describe.each(choices)("arrival notices of %s, %s", (scac, _label, entry, choice) => {
  let harness: ImitatedCarriersHarness;
  beforeAll(async () => {
    harness = await startImitatedCarriers();
  });
  afterAll(() => harness.close());
  afterEach(() => harness.reset());

  const bill = `${entry.billOfLadingPrefixes[0] ?? scac}DIR000123`;
  type Connected = ReturnType<ImitatedCarriersHarness["connect"]>;
  /** The containers of the bill of lading at a time. */
  async function containersAt({ track }: Connected, time: number): Promise<readonly string[]> {
    harness.clock.now = time;
    harness.carrierOf(entry).limits.clear();
    const { drafts } = await found(track("bill_of_lading", bill));
    return [...new Set(drafts.flatMap(({ containerNumber }) => containerNumber ?? []))].sort();
  }
  const notices = ({ track }: Connected, container: string) => track("container", container, ["USLAX"], bill);

  test("state the last free day of the line for each container, once it is discharged", async () => {
    const connected = harness.connect(entry, choice);
    await containersAt(connected, epoch);
    const containers = await containersAt(connected, epoch + 5 * dayMs);
    const [container = ""] = containers;
    expect(await notices(connected, container)).toMatchObject({ outcome: "not_found", httpStatus: 200 });

    harness.clock.now = epoch + 90 * dayMs;
    const reply = await found(notices(connected, container));
    expect(reply.drafts.map(({ containerNumber }) => containerNumber).sort()).toEqual(containers);
    for (const draft of reply.drafts) {
      expect(draft).toMatchObject({ eventType: "TERMINAL", code: "LAST_FREE_DAY", classifier: "ACT" });
      expect(draft).toMatchObject({ dataSource: "shipping_line", documentType: "ARN", statedAt: draft.eventAt });
      expect(draft.pickup).toMatchObject({ aspect: "last_free_day", setBy: "line", lastFreeDayAt: expect.any(String) });
      expect(draft.place.locode).toMatch(/^[A-Z]{5}$/);
    }
    // The free time of a type that the standard does not name.
    expect(reply.skipped).toBe(1);
    const read = createStoredReplyReader([connected.connection], placeLookup);
    const { drafts, skipped } = reply;
    expect(read({ scac, kind: "terminal_container", number: container }, reply.body)).toEqual({ drafts, skipped });
  });

  test("are empty for an unknown bill of lading, and fail with wrong credentials", async () => {
    const { track } = harness.connect(entry, choice);
    const unknown = await track("container", "CSQU3054383", ["USLAX"], `${scac}ABC12345`);
    expect(unknown.outcome).toBe("not_found");
    const field = choice.fields.find(({ secret, multiline }) => secret && !multiline)?.field;
    if (field === undefined) return;
    const refused = harness.connect(entry, choice, { wrongField: field });
    expect((await notices(refused, "CSQU3054383")).outcome).toBe("unauthorized");
  });

  test("are not asked for without a bill of lading", async () => {
    const { track } = harness.connect(entry, choice);
    const before = harness.carrierOf(entry).counts.api;
    expect(await track("container", "CSQU3054383", ["USLAX"])).toMatchObject({ outcome: "not_found", requests: 0 });
    expect(harness.carrierOf(entry).counts.api).toBe(before);
  });
});
