import { isoDay } from "./portfolio.ts";
import { billsOf, column, counts, groupsOf, numbersOf, type Questions, sorted } from "./question.ts";

const shipmentsSelect = (
  columns: string,
  condition = "true",
) => `SELECT ${columns} FROM shipments s LEFT JOIN parties p ON p.id = s.customer_id
  LEFT JOIN ports d ON d.id = s.port_of_discharge_id LEFT JOIN vessels v ON v.id = s.pod_vessel_id
  WHERE s.account_id = $1 AND p.company_name = 'Nordic Furniture' AND ${condition}`;
const containersWhere = (
  condition: string,
) => `SELECT c.number FROM containers c JOIN shipments s ON s.id = c.shipment_id
  JOIN parties p ON p.id = s.customer_id WHERE c.account_id = $1 AND p.company_name = 'Nordic Furniture'
    AND ${condition}`;
const customer = "Nordic Furniture";

export const customerReport: Questions = ({ shipments }) => {
  const [from, until] = [isoDay(0), isoDay(10)];
  const [first] = shipments;
  return [
    {
      question: "All shipments of Nordic Furniture with port of discharge, for a status mail.",
      async solve(call) {
        const { items } = await call("list_shipments", { customer });
        return sorted(
          items.map((one: { bill_of_lading_number: string; pod: string }) => `${one.bill_of_lading_number} ${one.pod}`),
        );
      },
      expected: (rows) => column(rows(shipmentsSelect("s.bill_of_lading_number || ' ' || d.locode"))),
    },
    {
      question: "How many shipments of Nordic Furniture are in each status?",
      solve: async (call) => groupsOf(await call("list_shipments", { customer, summary: "status" })),
      expected: (rows) =>
        counts(
          rows(
            `${shipmentsSelect("shipment_status(s.pol_etd_at, s.pol_atd_at, s.pod_ata_at, s.destination_ata_at) AS value, count(*)")} GROUP BY 1`,
          ),
        ),
    },
    {
      question: `What arrives for Nordic Furniture between ${from} and ${until}?`,
      solve: async (call) =>
        billsOf(await call("list_shipments", { customer, arrival_after: from, arrival_before: until })),
      expected: (rows) =>
        column(
          rows(
            shipmentsSelect(
              "s.bill_of_lading_number",
              "COALESCE(s.pod_ata_at, s.pod_eta_at) BETWEEN $2::timestamptz AND $3::timestamptz",
            ),
            from,
            until,
          ),
        ),
    },
    {
      question: "Which shipments of Nordic Furniture are late by a day or more (at least 1)?",
      solve: async (call) => billsOf(await call("list_shipments", { customer, delayed_by_days: 1 })),
      expected: (rows) =>
        column(
          rows(
            shipmentsSelect(
              "s.bill_of_lading_number",
              "COALESCE(s.pod_ata_at, s.pod_eta_at) - s.pod_original_eta_at > interval '12 hours'",
            ),
          ),
        ),
    },
    {
      question: "Which containers of Nordic Furniture have fees?",
      solve: async (call) => numbersOf(await call("list_containers", { customer, has_fees: true })),
      expected: (rows) => column(rows(containersWhere("c.fees_at_pod_terminal <> '[]'"))),
    },
    {
      question: "Which of our shipments are tagged urgent?",
      solve: async (call) => billsOf(await call("list_shipments", { tag: "urgent" })),
      expected: (rows) =>
        column(rows("SELECT bill_of_lading_number FROM shipments WHERE account_id = $1 AND 'urgent' = ANY(tags)")),
    },
    {
      question: `The status of order ${first?.reference} for its customer: which customer, carrier and status?`,
      async solve(call) {
        const { shipment } = await call("get_shipment_details", { id: first?.reference });
        return [shipment.customer_name, shipment.shipping_line_scac, shipment.status];
      },
      expected: async (rows) => {
        const sql = `SELECT p.company_name, s.shipping_line_scac FROM shipments s JOIN parties p ON p.id = s.customer_id
          WHERE s.account_id = $1 AND $2 = ANY(s.ref_numbers)`;
        const [row] = await rows(sql, first?.reference);
        return [row.company_name, row.shipping_line_scac, "awaiting_departure"];
      },
    },
    {
      question: "What of Nordic Furniture has been picked up (picked_up) or returned (empty_returned)?",
      solve: async (call) =>
        numbersOf(await call("list_containers", { customer, status: ["picked_up", "empty_returned"] })),
      expected: (rows) => column(rows(containersWhere("c.current_status IN ('picked_up', 'empty_returned')"))),
    },
    {
      question: "How many containers has each customer with us?",
      solve: async (call) => groupsOf(await call("list_containers", { summary: "customer" })),
      expected: (rows) =>
        counts(
          rows(`SELECT p.company_name AS value, count(*) FROM containers c JOIN shipments s ON s.id = c.shipment_id
            LEFT JOIN parties p ON p.id = s.customer_id WHERE c.account_id = $1 GROUP BY 1`),
        ),
    },
    {
      question: "With which carriers do the goods of Nordic Furniture travel, and with how many shipments each?",
      solve: async (call) => groupsOf(await call("list_shipments", { customer, summary: "carrier" })),
      expected: (rows) => counts(rows(`${shipmentsSelect("s.shipping_line_scac AS value, count(*)")} GROUP BY 1`)),
    },
  ];
};
