import { describe, expect, test } from "@jest/globals";
import { containerId, shipmentId, wireContainer, wireShipment } from "@svc/sdk/testing";
import { runOnWire } from "../testing/run-on-wire.ts";

const otherId = "0197a1b2-0000-7000-8000-0000000000ff";

interface Result {
  readonly id?: string;
  readonly entity_type?: string;
  readonly number?: string;
  readonly other_numbers?: readonly string[];
  readonly shipment_id?: string | null;
  readonly ref_numbers?: readonly string[];
}

const result = ({ id = shipmentId, entity_type = "shipment", number = "SBXL1", ...rest }: Result) => ({
  id,
  type: "search_result",
  attributes: {
    entity_type,
    number,
    other_numbers: [],
    shipment_id: id,
    scac: "SBXL",
    ref_numbers: [],
    ...rest,
  },
});

/** Runs the command on an API whose search has these results. */
const run = (args: readonly string[], results: readonly Result[]) =>
  runOnWire(args, ({ url }) => {
    if (url.startsWith("/v2/search")) return { body: { data: results.map(result) } };
    const data = url.startsWith("/v2/containers") ? wireContainer() : wireShipment();
    return { body: { data, included: [] } };
  });

const addressed = ({ requests }: Awaited<ReturnType<typeof run>>) => requests.slice(1).map(({ url }) => url);

describe("a command on a shipment", () => {
  test.each<[string, Result]>([
    ["sbxl-777 001", { number: "SBXL777001" }],
    ["SBXL777001", { number: "777001" }],
    ["kst2048", { other_numbers: ["KST-2048"] }],
    ["po-12", { ref_numbers: ["PO-12"] }],
    ["SBXU7770017", { id: otherId, entity_type: "cargo", number: "SBXU7770017", shipment_id: shipmentId }],
  ])("finds it by %s, whatever else contains that", async (text, own) => {
    const part = { id: otherId, number: `X${text}9`, ref_numbers: [`${text}34`, `X${text}`] };
    const outcome = await run(["stop", text], [part, own]);
    expect([outcome.stderr, outcome.code]).toEqual(["", 0]);
    expect(addressed(outcome)[0]).toContain(shipmentId);
  });

  test.each([["share"], ["stop"], ["edit", "--note", "Gate 4"]])(
    "%s refuses a part of a number, and lists what is similar",
    async (command, ...options) => {
      const outcome = await run(
        [command, "4567", ...options],
        [{ number: "SBXL14567" }, { number: "SBXL45678", id: otherId }],
      );
      expect(outcome).toMatchObject({ code: 4, stdout: "" });
      expect(outcome.stderr).toContain(`shipment SBXL14567 (${shipmentId}), shipment SBXL45678 (${otherId})`);
      expect(addressed(outcome)).toEqual([]);
    },
  );

  test("is refused when several shipments have the reference or the container", async () => {
    const ref_numbers = ["PO-12"];
    const outcome = await run(["share", "PO-12"], [{ ref_numbers }, { id: otherId, number: "SBXL2", ref_numbers }]);
    expect(outcome).toMatchObject({ code: 2, stdout: "" });
    expect(outcome.stderr).toContain(`shipment SBXL1 (${shipmentId}), shipment SBXL2 (${otherId})`);
    expect(addressed(outcome)).toEqual([]);
  });

  test("acts on the shipment with the number, not on one that has it as a reference", async () => {
    const reference = { id: otherId, number: "SBXL2", ref_numbers: ["SBXL1"] };
    expect(addressed(await run(["stop", "SBXL1"], [reference, {}]))[0]).toContain(shipmentId);
  });

  test("advises to track a number that nothing resembles", async () => {
    const outcome = await run(["stop", "SBXL9"], []);
    expect([outcome.code, outcome.stderr]).toEqual([4, expect.stringContaining("svc track")]);
  });
});

describe("svc find", () => {
  const container = { id: containerId, entity_type: "cargo", number: "MSKU0000006", shipment_id: shipmentId };

  test("shows the container of a number before the shipment of it", async () => {
    const outcome = await run(["find", "msku 0000006"], [{ number: "MSKU0000006" }, container]);
    expect(addressed(outcome)[0]).toContain(`/containers/${containerId}`);
    expect(outcome.code).toBe(0);
  });

  test("shows nothing for a part of a number", async () => {
    const outcome = await run(["find", "0000006"], [container]);
    expect([outcome.code, outcome.stderr]).toEqual([
      4,
      expect.stringContaining(`container MSKU0000006 (${containerId})`),
    ]);
  });

  test("lists several records with the reference", async () => {
    const ref_numbers = ["PO-12"];
    const outcome = await run(["find", "PO-12"], [{ ref_numbers }, { id: otherId, ref_numbers }]);
    expect([outcome.code, outcome.stderr]).toEqual([2, expect.stringContaining(otherId)]);
  });
});
