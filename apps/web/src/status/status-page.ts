import type { Instant } from "@svc/domain";
import type { WorkState } from "@svc/persistence/operations";
import { type Html, html } from "@svc/views";
import { fact } from "../pages/fact.ts";
import { layout } from "../pages/layout.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";

export type CheckOutcome = "ok" | "failing";

/** Outcomes by public name of the component. */
export type StatusChecks = Readonly<Record<string, CheckOutcome>>;

/** What workers do in the background, at a time of their clock. */
export type Work =
  | { readonly state: "running"; readonly lastAt: Instant; readonly now: Instant }
  | { readonly state: "delayed"; readonly since: Instant; readonly now: Instant }
  /** "none": there was no work yet that would show whether the workers run. */
  | { readonly state: "none" }
  | { readonly state: "unknown" };

export interface Status {
  readonly checks: StatusChecks;
  readonly polling: Work;
  readonly delivery: Work;
}

export const isWell = ({ checks }: Status): boolean => Object.values(checks).every((outcome) => outcome === "ok");

/**
 * Work is delayed when something has been due for so long and nothing was done since: one slow carrier or endpoint is
 * no delay.
 */
export function workOf({ lastAt, oldestDueAt }: WorkState, now: Instant, delayMs: number): Work {
  const isOld = (at: Instant | null) => at === null || Date.parse(now) - Date.parse(at) > delayMs;
  if (oldestDueAt !== null && isOld(oldestDueAt) && isOld(lastAt)) return { state: "delayed", since: oldestDueAt, now };
  return lastAt === null ? { state: "none" } : { state: "running", lastAt, now };
}

function workFact(name: string, work: Work, running: string, last: string): Html | null {
  if (work.state === "unknown") return fact(name, html`<span class="state calm">Unknown</span>`);
  if (work.state === "none") return fact(name, html`<span class="state calm">None yet</span>`);
  const now = Date.parse(work.now);
  if (work.state === "delayed") {
    const since = html`<span class="muted">since ${relativeTimestamp(work.since, now)}</span>`;
    return fact(name, html`<span class="state soon">Delayed</span> ${since}`);
  }
  const latest = html`<span class="muted">${last} ${relativeTimestamp(work.lastAt, now)}</span>`;
  return fact(name, html`<span class="state good">${running}</span> ${latest}`);
}

function heading(status: Status): string {
  if (!isWell(status)) return "Some services are down";
  return [status.polling, status.delivery].some(({ state }) => state === "delayed")
    ? "Tracking pages and API are up, updates are delayed"
    : "Tracking pages and API are up";
}

/** The public status page, which contains no data of accounts, no addresses and no versions. */
export function statusPage(status: Status): Html {
  const row = ([name, outcome]: [string, CheckOutcome]) => {
    const [tone, label] = outcome === "ok" ? ["good", "Up"] : ["bad", "Not responding"];
    return fact(name, html`<span class="state ${tone}">${label}</span>`);
  };
  return layout({
    title: "Status",
    caller: null,
    content: html`
      <section class="narrow card">
        <h1>${heading(status)}</h1>
        <dl>
          ${Object.entries(status.checks).map(row)}
          ${workFact("Carrier updates", status.polling, "Running", "last poll")}
          ${workFact("Webhook delivery", status.delivery, "On schedule", "last attempt")}
        </dl>
        <p><a href="/shipments">All shipments</a></p>
      </section>`,
  });
}
