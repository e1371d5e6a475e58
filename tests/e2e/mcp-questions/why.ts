import { isoDay } from "./portfolio.ts";
import { column, type Questions, sorted } from "./question.ts";

export const why: Questions = ({ of, shipments }) => {
  const late = of("at_sea", 0);
  const heldShipment = shipments.find((one, index) => one.kind === "ashore" && index % 4 === 3) ?? of("ashore");
  const [heldContainer = ""] = heldShipment.containers;
  const stopped = shipments[23] ?? of("returned");
  const silent = shipments[2] ?? of("at_sea");
  const yesterday = isoDay(-1);
  const typo = `${heldContainer.slice(0, 10)}${(Number(heldContainer.slice(10)) + 1) % 10}`;
  return [
    {
      question: `Why is ${late.bill} late: by how many days, and who reported the new arrival?`,
      async solve(call) {
        const content = await call("get_shipment_details", { id: late.bill, include: ["eta_history"] });
        return [content.shipment.delay_days, content.eta_history[0].source];
      },
      expected: async (rows) => {
        const sql = `SELECT round(extract(epoch
        FROM s.pod_eta_at - s.pod_original_eta_at) / 86400)::int AS days, f.data_source
          FROM shipments s JOIN field_facts f ON f.subject_id = s.id AND f.superseded_at IS NULL
          WHERE s.account_id = $1 AND s.bill_of_lading_number = $2`;
        const [row] = await rows(sql, late.bill);
        return [row.days, row.data_source];
      },
    },
    {
      question: `Why is there no update of ${silent.bill}?`,
      async solve(call) {
        const content = await call("get_shipment_details", { id: silent.bill });
        return [content.freshness, content.carrier_last_answered_at.slice(0, 10)];
      },
      expected: async (rows) => {
        const sql = `SELECT t.last_succeeded_at FROM tracking_subjects t JOIN shipments s ON s.subject_id = t.id
          WHERE s.account_id = $1 AND s.bill_of_lading_number = $2`;
        return ["stale", new Date((await rows(sql, silent.bill))[0].last_succeeded_at).toISOString().slice(0, 10)];
      },
    },
    {
      question: `Why is ${stopped.bill} no longer tracked?`,
      solve: async (call) =>
        (await call("get_shipment_details", { id: stopped.bill })).shipment.line_tracking_stopped_reason,
      expected: async (rows) => {
        const sql = `SELECT line_tracking_stopped_reason AS reason FROM shipments WHERE account_id = $1
          AND bill_of_lading_number = $2`;
        return (await rows(sql, stopped.bill))[0].reason;
      },
    },
    {
      question: "Why did the request for MAEU700000009 fail?",
      async solve(call) {
        const { items } = await call("list_tracking_requests", { filters: { request_number: "MAEU700000009" } });
        return [items[0].status, items[0].failed_reason];
      },
      expected: async (rows) => {
        const [row] = await rows(
          `SELECT status, failed_reason FROM tracking_requests WHERE account_id = $1
          AND request_number = 'MAEU700000009'`,
        );
        return [row.status, row.failed_reason];
      },
    },
    {
      question: `Why can ${heldContainer} not be picked up?`,
      async solve(call) {
        const { container } = await call("get_container", { id: heldContainer });
        return container.holds.map((one: { name: string }) => one.name);
      },
      expected: async (rows) => {
        const sql = `SELECT hold->>'name' AS name FROM containers, jsonb_array_elements(holds_at_pod_terminal) AS hold
          WHERE account_id = $1 AND number = $2`;
        return column(rows(sql, heldContainer));
      },
    },
    {
      question: `Who says that ${late.bill} arrives then, and by which rule?`,
      async solve(call) {
        const { provenance } = await call("get_shipment_details", { id: late.bill, include: ["provenance"] });
        const eta = provenance.find((one: { field: string }) => one.field === "pod_eta_at");
        return [eta.source, eta.rule];
      },
      expected: async (rows) => {
        const sql = `SELECT f.data_source, f.rule FROM field_facts f JOIN shipments s ON s.id = f.subject_id
          WHERE s.account_id = $1 AND s.bill_of_lading_number = $2 AND f.superseded_at IS NULL`;
        const [row] = await rows(sql, late.bill);
        return [row.data_source, row.rule];
      },
    },
    {
      question: `Which ETAs (pod_eta_at) changed since ${yesterday}?`,
      async solve(call) {
        const { items } = await call("list_changes", { since: yesterday, fields: ["pod_eta_at"], page_size: 20 });
        return sorted(items.map((one: { number: string }) => one.number));
      },
      expected: (rows) =>
        column(
          rows(
            `SELECT s.bill_of_lading_number FROM field_facts f JOIN shipments s ON s.id = f.subject_id
             WHERE f.account_id = $1 AND f.field = 'podEtaAt' AND f.valid_from >= $2::timestamptz`,
            yesterday,
          ),
        ),
    },
    {
      question:
        "Whose ETAs are less reliable, those of Maersk or of MSC? By mean absolute error in hours, for all lines.",
      async solve(call) {
        const { eta_accuracy: lanes } = await call("get_supported_shipping_lines", { search: "M", accuracy: true });
        const errorHours = (scac: string) =>
          lanes.find((one: { scac: string }) => one.scac === scac).mean_absolute_error_hours;
        return errorHours("MSCU") > errorHours("MAEU") ? "MSCU" : "MAEU";
      },
      expected: async (rows) =>
        (
          await rows(`SELECT shipping_line_scac AS scac FROM eta_samples WHERE account_id = $1 GROUP BY 1
            ORDER BY avg(abs(extract(epoch FROM arrived_at - eta_at))) DESC LIMIT 1`)
        )[0].scac,
    },
    {
      question: `Why is nothing found for ${typo}?`,
      async solve(call) {
        const text = await call("search_container", { query: typo }, "text");
        return [
          /check digit/.test(text),
          text.includes(`ends in ${heldContainer.slice(10)}`),
          /track_container/.test(text),
        ];
      },
      expected: async () => [true, true, false],
    },
    {
      question: `Why does the last free day of ${heldContainer} differ from what the line says? Which day has the terminal, which the line?`,
      async solve(call) {
        const { container } = await call("get_container", { id: heldContainer });
        const { pickup_lfd_terminal: terminal, pickup_lfd_line: line } = container.import_deadlines;
        return [terminal.slice(0, 16), line.slice(0, 16)];
      },
      expected: async (rows) => {
        const [row] = await rows(
          "SELECT pickup_lfd_terminal, pickup_lfd_line FROM containers WHERE account_id = $1 AND number = $2",
          heldContainer,
        );
        const iso = (value: string) => new Date(value).toISOString().slice(0, 16);
        return [iso(row.pickup_lfd_terminal), iso(row.pickup_lfd_line)];
      },
    },
  ];
};
