import { type Questions, sorted } from "./question.ts";

const shipment = (columns: string) =>
  `SELECT ${columns} FROM shipments WHERE account_id = $1 AND bill_of_lading_number = $2`;
const requested =
  "SELECT request_number FROM tracking_requests WHERE account_id = $1 AND request_number = ANY($2) ORDER BY 1";

interface Row {
  readonly number: string;
  readonly outcome: string;
}

export const act: Questions = ({ of, shipments }) => {
  const [one, two, three] = [of("at_sea", 2), of("at_sea", 3), of("booked", 1)];
  const known = shipments[4] ?? of("out");
  const requestNumbers = ["MAEU612345678", "MAEU612345679", known.bill];
  return [
    {
      question: "Start tracking MAEU612345670 for us, please.",
      solve: async (call) => (await call("track_container", { number: "MAEU612345670" })).created,
      expected: async (rows) => (await rows(requested, ["MAEU612345670"])).length === 1,
    },
    {
      question: `Track these: ${requestNumbers.join(", ")}.`,
      async solve(call) {
        const { results } = await call("track_container", { numbers: requestNumbers });
        return results.map(({ number, outcome }: Row) => [number, outcome]);
      },
      expected: async (rows) => {
        const requestedNumbers = (await rows(requested, requestNumbers)).map((row) => row.request_number);
        return requestNumbers.map((number) => [
          number,
          requestedNumbers.includes(number) ? "tracking_started" : "tracked_already",
        ]);
      },
    },
    {
      question: "Would MSCUAB123456 be tracked, by which carrier, and is that carrier connected? Change nothing.",
      async solve(call) {
        const { results } = await call("track_container", { number: "MSCUAB123456", dry_run: true });
        return [results[0].outcome, results[0].scac, results[0].connection];
      },
      expected: async (rows) => {
        const requestedNumbers = await rows(requested, ["MSCUAB123456"]);
        const access = await rows("SELECT 1 FROM carrier_access WHERE credential = 'MSCU' AND $1::uuid IS NOT NULL");
        return [
          requestedNumbers.length === 0 ? "would_track" : "tracked",
          "MSCU",
          access.length > 0 ? "service" : "none",
        ];
      },
    },
    {
      question: `Add the reference INV-9001 to ${one.bill}.`,
      async solve(call) {
        const { results } = await call("update_shipment", { ids: [one.bill], add_references: ["INV-9001"] });
        return sorted(results[0].ref_numbers);
      },
      expected: async (rows) => sorted((await rows(shipment("ref_numbers"), one.bill))[0].ref_numbers),
    },
    {
      question: `Tag ${one.bill} and ${two.bill} as priority.`,
      async solve(call) {
        const { results } = await call("update_shipment", { ids: [one.bill, two.bill], add_tags: ["priority"] });
        return results.map((row: { tags: string[] }) => row.tags.includes("priority"));
      },
      expected: async (rows) => {
        const tags = async (bill: string) => (await rows(shipment("tags"), bill))[0].tags.includes("priority");
        return [await tags(one.bill), await tags(two.bill)];
      },
    },
    {
      question: `Stop tracking ${three.bill}.`,
      async solve(call) {
        const { results } = await call("update_shipment", { ids: [three.bill], tracking: "stop" });
        return results[0].tracking;
      },
      expected: async (rows) =>
        (await rows(shipment("line_tracking_stopped_at AS at"), three.bill))[0].at === null ? "active" : "stopped",
    },
    {
      question: `Resume tracking ${three.bill} again.`,
      async solve(call) {
        const { results } = await call("update_shipment", { ids: [three.bill], tracking: "resume" });
        return results[0].tracking;
      },
      expected: async (rows) =>
        (await rows(shipment("line_tracking_stopped_at AS at"), three.bill))[0].at === null ? "active" : "stopped",
    },
    {
      question: `What would stopping ${two.bill} change? Do not do it yet.`,
      async solve(call) {
        const { results } = await call("update_shipment", { ids: [two.bill], tracking: "stop", dry_run: true });
        return [results[0].outcome, results[0].tracking];
      },
      expected: async (rows) => {
        const isStopped = (await rows(shipment("line_tracking_stopped_at AS at"), two.bill))[0].at !== null;
        return isStopped ? ["updated", "stopped"] : ["would_update", "stopped"];
      },
    },
    {
      question: `${known.bill} is tracked already; add our reference LATE-1 while you ask to track it.`,
      async solve(call) {
        const { created, shipment: found } = await call("track_container", {
          number: known.bill,
          refNumbers: ["LATE-1"],
        });
        return [created, sorted(found.ref_numbers)];
      },
      expected: async (rows) => [false, sorted((await rows(shipment("ref_numbers"), known.bill))[0].ref_numbers)],
    },
    {
      question: "Which of our tracking requests have failed, and remove nothing?",
      async solve(call) {
        const { items } = await call("list_tracking_requests", { status: "failed" });
        return items.map((row: { request_number: string }) => row.request_number);
      },
      expected: async (rows) =>
        (await rows("SELECT request_number FROM tracking_requests WHERE account_id = $1 AND status = 'failed'")).map(
          (row) => row.request_number,
        ),
    },
  ];
};
