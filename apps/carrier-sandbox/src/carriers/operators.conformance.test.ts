import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { createStoredReplyReader } from "@svc/carriers";
import { catalogue, facilitiesOf } from "@svc/carriers/catalogue";
import { dayMs } from "@svc/domain";
import {
  type Choice,
  epoch,
  found,
  type ImitatedCarriersHarness,
  placeLookup,
  startImitatedCarriers,
} from "../testing/imitated-carriers.ts";

const aspects = ["AVAILABILITY", "HOLDS", "FEES", "LAST_FREE_DAY", "APPOINTMENT", "YARD_LOCATION"];
const operators = catalogue
  .filter(({ kind }) => kind === "terminal_operator")
  .flatMap((entry) => entry.credentials.map((choice) => [entry.scac, choice.label, entry, choice] as const));
const maersk = catalogue.find(({ scac }) => scac === "MAEU");

describe.each(operators)("containers at the terminals of %s, %s", (scac, _label, entry, choice) => {
  const served = facilitiesOf(entry).flatMap(({ locodes }) => locodes);
  let harness: ImitatedCarriersHarness;
  let container: { readonly number: string; readonly place: string };

  /** A container that a shipping line discharges at a port of the operator. */
  async function findContainer(): Promise<typeof container> {
    if (maersk === undefined) throw new Error("MAEU is not in the catalogue.");
    const { track } = harness.connect(maersk, maersk.credentials[0] as Choice);
    for (let seed = 0; seed < 200; seed++) {
      harness.clock.now = epoch;
      harness.carrierOf(maersk).limits.clear();
      await found(track("bill_of_lading", `MAEUDIR${String(seed).padStart(6, "0")}`));
      harness.clock.now = epoch + dayMs;
      const { drafts } = await found(track("bill_of_lading", `MAEUDIR${String(seed).padStart(6, "0")}`));
      const place = drafts.findLast(({ code }) => code === "ARRI")?.place.locode ?? "";
      const number = drafts.find(({ containerNumber }) => containerNumber !== null)?.containerNumber;
      if (served.includes(place) && number) return { number, place };
    }
    throw new Error(`No voyage ends at ${served.join(", ")}.`);
  }

  beforeAll(async () => {
    harness = await startImitatedCarriers();
    container = await findContainer();
  });
  afterAll(() => harness.close());
  afterEach(() => harness.reset());

  const query = ({ track }: ReturnType<ImitatedCarriersHarness["connect"]>) =>
    track("container", container.number, [container.place]);

  /** The replies of every day from the departure until the container is picked up. */
  async function dailyReplies(connected: ReturnType<ImitatedCarriersHarness["connect"]>) {
    const replies: Awaited<ReturnType<typeof found>>[] = [];
    for (let day = 1; day < 90; day++) {
      harness.clock.now = epoch + day * dayMs;
      harness.carrierOf(entry).limits.clear();
      const reply = await query(connected);
      if (reply.outcome === "found") replies.push(reply);
      else expect(reply.outcome).toBe("not_found");
    }
    return replies;
  }

  test("a container is reported from its arrival to the gate, with every aspect of its pickup", async () => {
    const replies = await dailyReplies(harness.connect(entry, choice));
    const drafts = replies.flatMap((reply) => reply.drafts);
    expect([...new Set(drafts.map(({ code }) => code))].sort()).toEqual([...aspects, "DISC", "GTOT"].sort());
    const sources = new Set(drafts.map(({ dataSource, place }) => `${dataSource} ${place.locode}`));
    expect([...sources]).toEqual([`terminal ${container.place}`]);
    const stated = new Set(drafts.filter(({ pickup }) => pickup).map(({ sinceUnknown }) => sinceUnknown));
    expect([...stated]).toEqual([true]);
  });

  test("words that are not documented are counted, and nothing is derived from them", async () => {
    const replies = await dailyReplies(harness.connect(entry, choice));
    expect(replies.some(({ skipped }) => skipped > 0)).toBe(true);
  });

  test("a stored reply is read again like the reply", async () => {
    const connected = harness.connect(entry, choice);
    const read = createStoredReplyReader([connected.connection], placeLookup);
    for (const { body, drafts, skipped } of await dailyReplies(connected)) {
      expect(read({ scac, kind: "terminal_container", number: container.number }, body)).toEqual({ drafts, skipped });
    }
  });

  test("a container at a port that the operator does not serve is not found without a request", async () => {
    const { track } = harness.connect(entry, choice);
    const before = harness.carrierOf(entry).counts.api;
    expect(await track("container", container.number, ["NLRTM"])).toMatchObject({ outcome: "not_found", requests: 0 });
    expect(harness.carrierOf(entry).counts.api).toBe(before);
  });
});
