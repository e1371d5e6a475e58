import { isoDay } from "./portfolio.ts";
import { billsOf, column, counts, groupsOf, numbersOf, type Questions, sorted } from "./question.ts";

const containersWhere = (condition: string) =>
  `SELECT c.number FROM containers c JOIN shipments s ON s.id = c.shipment_id
    JOIN ports p ON p.id = s.port_of_discharge_id
   WHERE c.account_id = $1 AND ${condition}`;
const bills = (condition: string) =>
  `SELECT s.bill_of_lading_number FROM shipments s WHERE s.account_id = $1 AND ${condition}`;
const lastFreeDay = "(LEAST(c.pickup_lfd_terminal, c.pickup_lfd_line) AT TIME ZONE p.time_zone)::date";
const delay = "round(extract(epoch FROM COALESCE(s.pod_ata_at, s.pod_eta_at) - s.pod_original_eta_at) / 86400)";

export const risk: Questions = () => {
  const soon = isoDay(2);
  return [
    {
      question: `Which containers have a last free day before ${soon} and are not picked up?`,
      solve: async (call) =>
        numbersOf(await call("list_containers", { last_free_day_before: soon, sort: "last_free_day" })),
      expected: (rows) =>
        column(rows(containersWhere(`${lastFreeDay} < $2::date AND c.pod_full_out_at IS NULL`), soon)),
    },
    {
      question: "Which containers are on hold, and why?",
      async solve(call) {
        const { items } = await call("list_containers", { has_holds: true });
        return sorted(
          items.map((one: { container_number: string; holds: string[] }) => `${one.container_number} ${one.holds}`),
        );
      },
      expected: (rows) =>
        column(
          rows(
            `SELECT c.number || ' ' || (c.holds_at_pod_terminal->0->>'name') FROM containers c WHERE c.account_id = $1
            AND c.holds_at_pod_terminal <> '[]'`,
          ),
        ),
    },
    {
      question: "Which containers cost us fees already, and how much?",
      async solve(call) {
        const { items } = await call("list_containers", { has_fees: true });
        return sorted(
          items.map((one: { container_number: string; fees: string }) => `${one.container_number} ${one.fees}`),
        );
      },
      expected: (rows) =>
        column(
          rows(`SELECT c.number || ' ' || (fee->>'type') || ' ' || (fee->>'amount') || ' ' || (fee->>'currencyCode')
            FROM containers c, jsonb_array_elements(c.fees_at_pod_terminal) AS fee WHERE c.account_id = $1`),
        ),
    },
    {
      question: "Which shipments in transit (in_transit) are at least 3 days late?",
      solve: async (call) => billsOf(await call("list_shipments", { delayed_by_days: 3, status: ["in_transit"] })),
      expected: (rows) => column(rows(bills(`${delay} >= 3 AND s.pol_atd_at IS NOT NULL AND s.pod_ata_at IS NULL`))),
    },
    {
      question: "Which shipments have had no carrier update for a long time?",
      solve: async (call) => billsOf(await call("list_shipments", { stale: true })),
      expected: (rows) =>
        column(
          rows(`SELECT s.bill_of_lading_number FROM shipments s JOIN tracking_subjects t ON t.id = s.subject_id
            WHERE s.account_id = $1 AND t.last_succeeded_at < now() - interval '10 days'
            AND s.line_tracking_stopped_at IS NULL`),
        ),
    },
    {
      question: "Which empties were not returned 10 days after pickup?",
      solve: async (call) => numbersOf(await call("list_containers", { not_returned_for_days: 10 })),
      expected: (rows) =>
        column(
          rows(containersWhere("c.pod_full_out_at <= now() - interval '10 days' AND c.empty_terminated_at IS NULL")),
        ),
    },
    {
      question: "Which containers are available for pickup and free of holds?",
      solve: async (call) => numbersOf(await call("list_containers", { available: true, has_holds: false })),
      expected: (rows) => column(rows(containersWhere("c.available_for_pickup AND c.holds_at_pod_terminal = '[]'"))),
    },
    {
      question: "How many late shipments (3 days or more) has each customer?",
      solve: async (call) => groupsOf(await call("list_shipments", { delayed_by_days: 3, summary: "customer" })),
      expected: (rows) =>
        counts(
          rows(`SELECT p.company_name AS value, count(*) FROM shipments s LEFT JOIN parties p ON p.id = s.customer_id
            WHERE s.account_id = $1 AND ${delay} >= 3 GROUP BY 1`),
        ),
    },
    {
      question: "Which shipment is the most delayed of all, and by how many days?",
      async solve(call) {
        const { items } = await call("list_shipments", { sort: "-delay", page_size: 1 });
        return items[0].delay_days;
      },
      expected: async (rows) =>
        Number((await rows(`SELECT max(${delay}) AS days FROM shipments s WHERE s.account_id = $1`))[0].days),
    },
    {
      question: "Which 40 reefer containers are ashore and available?",
      solve: async (call) =>
        numbersOf(await call("list_containers", { equipment: "40 reefer", status: ["available"] })),
      expected: (rows) =>
        column(rows(containersWhere("c.equipment_type = 'reefer' AND c.current_status = 'available'"))),
    },
  ];
};
