import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { eventually } from "@svc/testkit";
import { sailUntil, sandboxClock } from "./harness/sandbox-clock.ts";
import { type System, startSystem, temporaryFolder } from "./harness/system.ts";
import { replay, type ToolContent, type Trajectory } from "./harness/trajectory.ts";

const dataDir = temporaryFolder();
let system: System;
let client: Client;

/** Bills of lading of the sandbox carrier, by what happens to them; see docs/sandbox.md. */
const bills = { transshipped: "SBXTSP000131", late: "SBXDLY000132", direct: "SBXDIR000133", held: "SBXHLD000134" };
/** First container of each shipment, by bill of lading. */
const containers = new Map<string, string>();
let failedReason: unknown;
let heldContainer: { readonly number: string; readonly locode: string };
/** Date of the world in which the questions are asked. */
let today: string;

async function shipmentOf(bill: string) {
  const { body } = await system.api.get(`/shipments?filter[number]=${bill}&include=containers`);
  return { shipment: body.data?.[0], containers: body.included ?? [] };
}

async function track(index: number, bill: string): Promise<void> {
  const attributes = {
    request_type: "bill_of_lading",
    request_number: bill,
    scac: "SBXL",
    ref_numbers: [`PO-77${index}`],
  };
  expect((await system.api.create("/tracking_requests", "tracking_request", attributes)).status).toBe(201);
  await eventually(
    `${bill} is tracked`,
    async () => {
      const [container] = (await shipmentOf(bill)).containers;
      if (container) containers.set(bill, String(container.attributes.container_number));
      return container !== undefined;
    },
    60_000,
  );
}

async function isAshore(bill: string): Promise<boolean> {
  const [container] = (await shipmentOf(bill)).containers;
  return typeof container?.attributes.pod_discharged_at === "string";
}

/** Customs keep the first box until its last free day is over; there the world stands still. */
async function waitForHold(): Promise<void> {
  await sailUntil(system, "the held shipment is discharged", () => isAshore(bills.held), { by: "1d" });
  const isOverdue = async () => {
    const { shipment, containers: shipmentContainers } = await shipmentOf(bills.held);
    const container = shipmentContainers.find(
      ({ attributes: { holds_at_pod_terminal: holds } }) => Array.isArray(holds) && holds.length > 0,
    );
    const { pickup_lfd: lastFreeDay, container_number: number } = container?.attributes ?? {};
    today = String((await sandboxClock.read(system)).now);
    heldContainer = { number: String(number), locode: String(shipment?.attributes.port_of_discharge_locode) };
    return typeof lastFreeDay === "string" && lastFreeDay < today;
  };
  await sailUntil(system, "the last free day of the held container is over", isOverdue, { by: "4h" });
  await sandboxClock.pause(system);
}

beforeAll(async () => {
  system = await startSystem({ dataDir, environment: { SVC_RATE_LIMIT_DEFAULT: "100000" } });
  const failing = { request_type: "bill_of_lading", request_number: "TEST-TR-NOT-FOUND", scac: "TEST" };
  await system.api.create("/tracking_requests", "tracking_request", failing);
  const { held: last, ...others } = bills;
  await Promise.all(Object.values(others).map((bill, index) => track(index, bill)));
  const areAshore = async () => (await Promise.all(Object.values(others).map(isAshore))).every(Boolean);
  await sailUntil(system, "the other shipments are discharged", areAshore, { by: "1d" });
  await track(Object.keys(others).length, last);
  await waitForHold();
  failedReason = await eventually("the unknown number is given up", async () => {
    const { body } = await system.api.get("/tracking_requests?filter[request_number]=TEST-TR-NOT-FOUND");
    return body.data[0]?.attributes.failed_reason;
  });
  client = new Client({ name: "trajectories", version: "1" });
  const headers = { Authorization: `Bearer ${system.runtime().token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", system.runtime().mcp), { requestInit: { headers } }),
  );
}, 400_000);
afterAll(async () => {
  await client?.close();
  await system?.stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

type Case = Trajectory & { readonly expected: () => unknown };

const first = async (call: Parameters<Trajectory["solve"]>[0], query: string): Promise<ToolContent> =>
  (await call("search_container", { query })).matches[0];

/** Cases, created when they run: containers' numbers are known only then. */
const cases: readonly (readonly [string, () => Case])[] = [
  [
    "past their last free day",
    () => {
      const question = `It is ${today}. Which of our containers at ${heldContainer.locode} are past their last free day, and why is the oldest still there?`;
      return {
        question,
        budget: { calls: 2, tokens: 2_000 },
        async solve(call) {
          const { items } = await call("list_containers", {
            port: heldContainer.locode,
            last_free_day_before: today.slice(0, 10),
            sort: "last_free_day",
          });
          const late = items;
          const { container } = await call("get_container", { id: late[0].container_number });
          const holds = container.holds.filter((one: ToolContent) => one.status === "hold");
          return {
            late: late.map((item: ToolContent) => item.container_number),
            why: holds.map((one: ToolContent) => one.name),
          };
        },
        expected: () => ({ late: [heldContainer.number], why: ["customs"] }),
      };
    },
  ],
  [
    "fees",
    () => ({
      question: `What has ${heldContainer.number} cost us at the terminal so far, and may we fetch it?`,
      budget: { calls: 2, tokens: 1_000 },
      async solve(call) {
        const id = heldContainer.number;
        const { container } = await call("get_container", { id });
        return { fees: container.fees, blocked: container.holds.some((one: ToolContent) => one.status === "hold") };
      },
      expected: () => ({
        fees: [
          { type: "exam", amount: 385, currency_code: "USD" },
          { type: "demurrage", amount: expect.any(Number), currency_code: "USD" },
        ],
        blocked: true,
      }),
    }),
  ],
  [
    "where is it",
    () => ({
      question: `Where is container ${containers.get(bills.direct)} now?`,
      budget: { calls: 2, tokens: 2_500 },
      async solve(call) {
        const id = containers.get(bills.direct);
        const { container, transport_events } = await call("get_container", { id, include: ["transport_events"] });
        return { status: typeof container.current_status, place: typeof transport_events.at(-1).locode };
      },
      expected: () => ({ status: "string", place: "string" }),
    }),
  ],
  [
    "transshipped where",
    () => ({
      question: `Where was the container ${containers.get(bills.transshipped)} moved to another ship?`,
      budget: { calls: 2, tokens: 2_500 },
      async solve(call) {
        const id = containers.get(bills.transshipped);
        const { events } = await call("get_container_transport_events", { id });
        const moved = events.filter((event: ToolContent) => event.event === "transshipment_loaded");
        return [moved.length, moved.every((event: ToolContent) => /^[A-Z]{5}$/.test(event.locode))];
      },
      expected: () => [1, true],
    }),
  ],
  [
    "how late",
    () => ({
      question: `How many days later than first announced did ${bills.late} arrive, and on which ship?`,
      budget: { calls: 2, tokens: 1_200 },
      async solve(call) {
        const id = bills.late;
        const { shipment } = await call("get_shipment_details", { id });
        const { pod_ata_at: came, pod_original_eta_at: promised } = shipment.times;
        return [
          Math.round((Date.parse(came) - Date.parse(promised)) / 86_400_000) >= 5,
          typeof shipment.pod_vessel.name,
        ];
      },
      expected: () => [true, "string"],
    }),
  ],
  [
    "by reference",
    () => ({
      question: "Which bill of lading is our order PO-770 on, and with which line?",
      budget: { calls: 2, tokens: 1_500 },
      async solve(call) {
        const { bill_of_lading_number: id } = await first(call, "PO-770");
        const { shipment } = await call("get_shipment_details", { id });
        return [shipment.bill_of_lading_number, shipment.shipping_line_scac];
      },
      expected: () => [bills.transshipped, "SBXL"],
    }),
  ],
  [
    "why not tracked",
    () => ({
      question: "Why is TEST-TR-NOT-FOUND not tracked?",
      budget: { calls: 1, tokens: 300 },
      async solve(call) {
        const { items } = await call("list_tracking_requests", { filters: { request_number: "TEST-TR-NOT-FOUND" } });
        return [items[0].status, items[0].failed_reason];
      },
      expected: () => ["failed", failedReason],
    }),
  ],
  [
    "start tracking",
    () => ({
      question: "Please follow the bill of lading SBXDIR000139 of SBXL for us; is it accepted?",
      budget: { calls: 2, tokens: 500 },
      async solve(call) {
        const { matches } = await call("search_container", { query: "SBXDIR000139" });
        const { created } = await call("track_container", {
          number: "SBXDIR000139",
          scac: "SBXL",
          numberType: "bill_of_lading",
        });
        return [matches, created];
      },
      expected: () => [[], true],
    }),
  ],
  [
    "which lines",
    () => ({
      question: "Can you follow Maersk by booking number, and what is its SCAC?",
      budget: { calls: 1, tokens: 300 },
      async solve(call) {
        const { lines } = await call("get_supported_shipping_lines", { search: "Maersk" });
        return [lines[0].scac, lines[0].numbers.includes("booking_number")];
      },
      expected: () => ["MAEU", true],
    }),
  ],
  [
    "boxes of a bill",
    () => ({
      question: `Which containers are on ${bills.transshipped}, and in what state?`,
      budget: { calls: 2, tokens: 2_000 },
      async solve(call) {
        const { bill_of_lading_number: id } = await first(call, bills.transshipped);
        const { containers: shipmentContainers } = await call("get_shipment_details", { id, include_containers: true });
        return shipmentContainers
          .map((container: ToolContent) => container.container_number)
          .includes(containers.get(bills.transshipped));
      },
      expected: () => true,
    }),
  ],
];

test.each(cases)(
  "%s: answered from results alone, within its calls and tokens [spec: mcp.tool.*]",
  async (_name, createTrajectory) => {
    const trajectory = createTrajectory();
    const { answer, calls, tokens } = await replay(client, trajectory);
    expect(answer).toEqual(trajectory.expected());
    expect(calls).toBeLessThanOrEqual(trajectory.budget.calls);
    expect(tokens).toBeLessThanOrEqual(trajectory.budget.tokens);
  },
  60_000,
);
