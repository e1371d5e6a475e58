import { isoDay } from "./portfolio.ts";
import { billsOf, column, counts, groupsOf, type Questions } from "./question.ts";

const timeOf = (columns: string) =>
  `SELECT ${columns} FROM shipments s LEFT JOIN containers c ON c.shipment_id = s.id WHERE s.account_id = $1`;
const iso = (value: unknown): string => new Date(String(value)).toISOString().slice(0, 19);

export const when: Questions = ({ of }) => {
  const [atSea, ashore, late] = [of("at_sea", 1), of("ashore", 1), of("at_sea", 0)];
  const [containerNumber = ""] = atSea.containers;
  const [landed = ""] = ashore.containers;
  const [from, until] = [isoDay(0), isoDay(7)];
  return [
    {
      question: `When does container ${containerNumber} arrive?`,
      solve: async (call) => iso((await call("get_container", { id: containerNumber })).shipment.pod_eta_at),
      expected: async (rows) =>
        iso((await rows(`${timeOf("s.pod_eta_at")} AND c.number = $2`, containerNumber))[0].pod_eta_at),
    },
    {
      question: `What arrives at USLAX between ${from} and ${until}?`,
      solve: async (call) =>
        billsOf(
          await call("list_shipments", { port: "USLAX", arrival_after: from, arrival_before: until, sort: "arrival" }),
        ),
      expected: (rows) =>
        column(
          rows(
            `SELECT s.bill_of_lading_number FROM shipments s JOIN ports p ON p.id = s.port_of_discharge_id
            WHERE s.account_id = $1
             AND p.locode = 'USLAX'
             AND COALESCE(s.pod_ata_at, s.pod_eta_at) BETWEEN $2::timestamptz AND $3::timestamptz`,
            from,
            until,
          ),
        ),
    },
    {
      question: `What were the first and the present ETA of ${late.bill}?`,
      async solve(call) {
        const { shipment } = await call("get_shipment_details", { id: late.bill });
        return [iso(shipment.times.pod_original_eta_at), iso(shipment.times.pod_eta_at)];
      },
      expected: async (rows) => {
        const [row] = await rows(`${timeOf("s.*")} AND s.bill_of_lading_number = $2`, late.bill);
        return [iso(row.pod_original_eta_at), iso(row.pod_eta_at)];
      },
    },
    {
      question: `When was ${landed} discharged?`,
      solve: async (call) => iso((await call("get_container", { id: landed })).container.times.pod_discharged_at),
      expected: async (rows) =>
        iso((await rows(`${timeOf("c.pod_discharged_at")} AND c.number = $2`, landed))[0].pod_discharged_at),
    },
    {
      question: `What is the next shipment in transit (in_transit) to arrive for Bavaria Motors after ${from}?`,
      async solve(call) {
        const { items } = await call("list_shipments", {
          customer: "Bavaria Motors",
          status: ["in_transit"],
          arrival_after: from,
          sort: "arrival",
          page_size: 1,
        });
        return items[0].bill_of_lading_number;
      },
      expected: async (rows) => {
        const sql = `SELECT s.bill_of_lading_number AS bill FROM shipments s JOIN parties p ON p.id = s.customer_id
          WHERE s.account_id = $1 AND p.company_name = 'Bavaria Motors' AND s.pol_atd_at IS NOT NULL
          AND s.pod_ata_at IS NULL
            AND s.pod_eta_at > $2::timestamptz ORDER BY s.pod_eta_at LIMIT 1`;
        return (await rows(sql, from))[0].bill;
      },
    },
    {
      question: "How many shipments in transit (in_transit) arrive in each week?",
      solve: async (call) =>
        groupsOf(await call("list_shipments", { summary: "arrival_week", status: ["in_transit"] })),
      expected: (rows) =>
        counts(
          rows(`SELECT date_trunc('week', pod_eta_at AT TIME ZONE 'UTC')::date::text AS value, count(*) FROM shipments
            WHERE account_id = $1 AND pol_atd_at IS NOT NULL AND pod_ata_at IS NULL GROUP BY 1`),
        ),
    },
    {
      question: `When did the carrier of ${atSea.bill} last report something new, and can we rely on it?`,
      async solve(call) {
        const content = await call("get_shipment_details", { id: atSea.bill });
        return [iso(content.carrier_last_changed_at), content.freshness];
      },
      expected: async (rows) => {
        const sql = `SELECT t.last_changed_at FROM shipments s JOIN tracking_subjects t ON t.id = s.subject_id
          WHERE s.account_id = $1 AND s.bill_of_lading_number = $2`;
        const [row] = await rows(sql, atSea.bill);
        // The portfolio leaves every seventh carrier silent for twenty days.
        const isSilent = Date.now() - Date.parse(row.last_changed_at) > 10 * 86_400_000;
        return [iso(row.last_changed_at), isSilent ? "stale" : "fresh"];
      },
    },
    {
      question: `How did the ETA of ${late.bill} change, when and according to whom?`,
      async solve(call) {
        const { eta_history: history } = await call("get_shipment_details", {
          id: late.bill,
          include: ["eta_history"],
        });
        return history.map((one: { new_value: string; changed_at: string; source: string }) => [
          iso(one.new_value),
          iso(one.changed_at),
          one.source,
        ]);
      },
      expected: async (rows) => {
        const sql = `SELECT f.value, f.valid_from, f.data_source FROM field_facts f
        JOIN shipments s ON s.id = f.subject_id
          WHERE s.account_id = $1 AND s.bill_of_lading_number = $2 AND f.field = 'podEtaAt' ORDER BY f.valid_from DESC`;
        return (await rows(sql, late.bill)).map((row) => [iso(row.value), iso(row.valid_from), row.data_source]);
      },
    },
    {
      question: `When did ${landed} leave the port of lading?`,
      async solve(call) {
        const { events } = await call("get_container_transport_events", { id: landed });
        return iso(events.find((one: { event: string }) => one.event === "vessel_departed").at);
      },
      expected: async (rows) => {
        const sql = `SELECT e.occurred_at FROM transport_events e JOIN containers c ON c.id = e.container_id
          WHERE c.account_id = $1 AND c.number = $2 AND e.event = 'vessel_departed'`;
        return iso((await rows(sql, landed))[0].occurred_at);
      },
    },
    {
      question: `What is the last free day of ${landed}, as a local date, and who set it?`,
      async solve(call) {
        const { container } = await call("get_container", { id: landed });
        return [container.last_free_day, container.last_free_day_source];
      },
      expected: async (rows) => {
        const sql = `SELECT (LEAST(c.pickup_lfd_terminal, c.pickup_lfd_line)
        AT TIME ZONE p.time_zone)::date::text AS day,
            c.pickup_lfd_terminal <= c.pickup_lfd_line AS terminal
          FROM containers c JOIN shipments s ON s.id = c.shipment_id JOIN ports p ON p.id = s.port_of_discharge_id
          WHERE c.account_id = $1 AND c.number = $2`;
        const [row] = await rows(sql, landed);
        return [row.day, row.terminal ? "terminal" : "line"];
      },
    },
  ];
};
