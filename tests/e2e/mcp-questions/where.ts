import { billsOf, column, counts, groupsOf, numbersOf, type Questions } from "./question.ts";

const lastEvent = `SELECT e.event, e.location_locode AS locode FROM transport_events e
    JOIN containers c ON c.id = e.container_id
  WHERE c.account_id = $1 AND c.number = $2 ORDER BY e.occurred_at DESC LIMIT 1`;
const containersOn = (condition: string) =>
  `SELECT c.number FROM containers c JOIN shipments s ON s.id = c.shipment_id
    LEFT JOIN ports pod ON pod.id = s.port_of_discharge_id
   LEFT JOIN vessels v ON v.id = s.pod_vessel_id WHERE c.account_id = $1 AND ${condition}`;

export const where: Questions = ({ of }) => {
  const [atSea, ashore] = [of("at_sea"), of("ashore")];
  const [containerNumber = ""] = atSea.containers;
  const [landed = ""] = ashore.containers;
  return [
    {
      question: `Where is container ${containerNumber} now?`,
      async solve(call) {
        const { container } = await call("get_container", { id: containerNumber });
        return [container.current_status, container.last_event, container.last_event_locode];
      },
      expected: async (rows) => {
        const [event] = await rows(lastEvent, containerNumber);
        return ["on_ship", event.event, event.locode];
      },
    },
    {
      question: `Where are the goods of order ${atSea.reference}?`,
      async solve(call) {
        const { shipment } = await call("get_shipment_details", { id: atSea.reference });
        return [shipment.status, shipment.port_of_discharge.locode];
      },
      expected: async (rows) => {
        const sql = `SELECT p.locode FROM shipments s JOIN ports p ON p.id = s.port_of_discharge_id
        WHERE s.account_id = $1
          AND $2 = ANY(s.ref_numbers)`;
        return ["in_transit", (await rows(sql, atSea.reference))[0].locode];
      },
    },
    {
      question: "Which containers are on a ship (on_ship) right now?",
      solve: async (call) => numbersOf(await call("list_containers", { status: ["on_ship"], page_size: 30 })),
      expected: (rows) => column(rows(containersOn("c.current_status = 'on_ship'"))),
    },
    {
      question: "Which containers lie available at USLAX?",
      solve: async (call) => numbersOf(await call("list_containers", { status: ["available"], port: "USLAX" })),
      expected: (rows) => column(rows(containersOn("c.current_status = 'available' AND pod.locode = 'USLAX'"))),
    },
    {
      question: "Which shipments went through Singapore (SGSIN)?",
      solve: async (call) => billsOf(await call("list_shipments", { transshipment_port: "SGSIN" })),
      expected: (rows) =>
        column(
          rows(`SELECT DISTINCT s.bill_of_lading_number FROM shipments s JOIN transport_events e ON e.shipment_id = s.id
            WHERE s.account_id = $1 AND e.location_locode = 'SGSIN'`),
        ),
    },
    {
      question: `On which vessel and voyage is ${landed}?`,
      async solve(call) {
        const { shipment } = await call("get_container", { id: landed });
        return [shipment.vessel, shipment.voyage];
      },
      expected: async (rows) => {
        const sql = `SELECT v.name, s.pod_voyage_number AS voyage FROM containers c
        JOIN shipments s ON s.id = c.shipment_id
          JOIN vessels v ON v.id = s.pod_vessel_id WHERE c.account_id = $1 AND c.number = $2`;
        const [row] = await rows(sql, landed);
        return [row.name, row.voyage];
      },
    },
    {
      question: "Which of our shipments in transit (in_transit) are on the NORTHERN KITE?",
      solve: async (call) => billsOf(await call("list_shipments", { vessel: "northern kite", status: ["in_transit"] })),
      expected: (rows) =>
        column(
          rows(`SELECT s.bill_of_lading_number FROM shipments s JOIN vessels v ON v.id = s.pod_vessel_id
            WHERE s.account_id = $1 AND v.name = 'NORTHERN KITE' AND s.pol_atd_at IS NOT NULL
            AND s.pod_ata_at IS NULL`),
        ),
    },
    {
      question: "How many containers do we have in each status?",
      solve: async (call) => groupsOf(await call("list_containers", { summary: "status" })),
      expected: (rows) =>
        counts(rows("SELECT current_status AS value, count(*) FROM containers WHERE account_id = $1 GROUP BY 1")),
    },
    {
      question: `What has happened to container ${landed} so far?`,
      async solve(call) {
        const { events } = await call("get_container_transport_events", { id: landed });
        return events.map((event: { event: string; locode: string }) => [event.event, event.locode]);
      },
      expected: async (rows) => {
        const sql = `SELECT e.event, e.location_locode FROM transport_events e
        JOIN containers c ON c.id = e.container_id
          WHERE c.account_id = $1 AND c.number = $2 ORDER BY e.occurred_at`;
        return (await rows(sql, landed)).map((row) => [row.event, row.location_locode]);
      },
    },
    {
      question: `Which containers belong to ${atSea.bill}, and in which status is each?`,
      async solve(call) {
        const { containers } = await call("get_shipment_details", { id: atSea.bill, include: ["containers"] });
        return containers.map((one: { container_number: string; current_status: string }) => [
          one.container_number,
          one.current_status,
        ]);
      },
      expected: async (rows) => {
        const sql = `SELECT c.number, c.current_status FROM containers c JOIN shipments s ON s.id = c.shipment_id
          WHERE c.account_id = $1 AND s.bill_of_lading_number = $2 ORDER BY c.number`;
        return (await rows(sql, atSea.bill)).map((row) => [row.number, row.current_status]);
      },
    },
  ];
};
