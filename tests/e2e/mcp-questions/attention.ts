import type { ToolContent } from "../harness/trajectory.ts";
import { column, counts, groupsOf, type Questions, sorted } from "./question.ts";

interface Row {
  readonly number: string;
  readonly kind: string;
}

interface Edited {
  readonly kind: string;
  readonly status: string;
  readonly note: string;
}

const subjects = `COALESCE(c.number, s.bill_of_lading_number, r.request_number)`;
const exceptions = (columns: string, condition: string) =>
  `SELECT ${columns} FROM exceptions x LEFT JOIN containers c ON c.id = x.container_id
    LEFT JOIN shipments s ON s.id = x.shipment_id LEFT JOIN tracking_requests r ON r.id = x.tracking_request_id
    LEFT JOIN parties p ON p.id = s.customer_id
   WHERE x.account_id = $1 AND x.resolved_at IS NULL AND ${condition}`;
const subject = `${subjects} || ' ' || x.kind`;
const named = (content: ToolContent) => sorted(content.exceptions.map(({ number, kind }: Row) => `${number} ${kind}`));

/** Questions about what the rules found in the portfolio, docs/exceptions.md. */
export const attention: Questions = ({ of }) => {
  const ashore = of("ashore", 1);
  const [container = ""] = ashore.containers;
  return [
    {
      question: "What needs attention today? The ten most urgent, please.",
      async solve(call) {
        const { exceptions: rows } = await call("list_shipments", { needs_attention: true });
        return rows.map(({ number, kind }: Row) => `${number} ${kind}`);
      },
      expected: async (rows) =>
        (await rows(`${exceptions(`${subject} AS x`, "true")} ORDER BY x.priority DESC, x.id DESC LIMIT 10`)).map(
          ({ x }) => x,
        ),
    },
    {
      question: "How much needs attention today, by kind?",
      solve: async (call) => groupsOf(await call("list_shipments", { needs_attention: true, page_size: 1 })),
      expected: (rows) => counts(rows(`${exceptions("x.kind AS value, count(*)", "true")} GROUP BY 1`)),
    },
    {
      question: "Which containers are past their last free day (last_free_day_over), and what have they cost so far?",
      async solve(call) {
        const { exceptions: rows } = await call("list_shipments", { exception_kind: ["last_free_day_over"] });
        return sorted(
          rows.map(({ number, summary }: { number: string; summary: string }) => {
            return `${number} ${/([\d.]+ [A-Z]{3}) so far/.exec(summary)?.[1] ?? "nothing"}`;
          }),
        );
      },
      expected: (rows) =>
        column(
          rows(
            exceptions(
              `${subjects} || ' ' || COALESCE(to_char((x.details->'amounts'->0->>'amount')::numeric, 'FM999990.00') ||
                ' ' || (x.details->'amounts'->0->>'currencyCode'), 'nothing')`,
              "x.kind = 'last_free_day_over'",
            ),
          ),
        ),
    },
    {
      question: "What needs attention for the customer Bavaria Motors?",
      solve: async (call) =>
        named(await call("list_shipments", { needs_attention: true, customer: "Bavaria Motors", page_size: 40 })),
      expected: (rows) => column(rows(exceptions(subject, "p.company_name = 'Bavaria Motors'"))),
    },
    {
      question: "Which exceptions have no owner (none)?",
      async solve(call) {
        const { total } = await call("list_shipments", { owner: "none" });
        return total;
      },
      expected: async (rows) =>
        Number((await rows(exceptions("count(*) AS count", "x.owner_user_id IS NULL")))[0].count),
    },
    {
      question: `Is anything wrong with ${container}?`,
      solve: async (call) => named(await call("get_container", { id: container, include: ["exceptions"] })),
      expected: (rows) => column(rows(exceptions(subject, "c.number = $2"), container)),
    },
    {
      question: "Which shipments have a carrier that went silent (carrier_silent), and since when?",
      async solve(call) {
        const { exceptions: rows } = await call("list_shipments", { exception_kind: ["carrier_silent"] });
        return sorted(
          rows.map(
            ({ number, summary }: { number: string; summary: string }) =>
              `${number} ${/since (\d+ \w+ \d+)/.exec(summary)?.[1]}`,
          ),
        );
      },
      expected: (rows) =>
        column(
          rows(
            exceptions(
              `${subjects} || ' ' || to_char((x.details->>'silentSince')::timestamptz AT TIME ZONE 'UTC', 'FMDD Mon YYYY')`,
              "x.kind = 'carrier_silent'",
            ),
          ),
        ),
    },
    {
      question: `Snooze everything that is open on ${container} until 2040-01-31, note "driver is informed".`,
      async solve(call) {
        const exceptions = { snoozed_until: "2040-01-31", note: "driver is informed" };
        const { results } = await call("update_shipment", { ids: [container], exceptions });
        return sorted(results[0].exceptions.map(({ kind, status, note }: Edited) => `${kind} ${status} ${note}`));
      },
      expected: (rows) =>
        column(
          rows(
            exceptions(
              "x.kind || CASE WHEN x.snoozed_until = '2040-01-31Z' THEN ' snoozed ' ELSE ' open ' END || x.note AS x",
              "c.number = $2",
            ),
            container,
          ),
        ),
    },
    {
      question: `Resolve the exceptions of ${container}.`,
      async solve(call) {
        const { results } = await call("update_shipment", { ids: [container], exceptions: { status: "resolved" } });
        const { exceptions: left } = await call("get_container", { id: container, include: ["exceptions"] });
        return [results[0].outcome, left ?? []];
      },
      expected: async (rows) => {
        const left = await rows(exceptions("x.kind", "c.number = $2"), container);
        return [left.length === 0 ? "updated" : "unchanged", left];
      },
    },
  ];
};
