import { type Html, html } from "@svc/views";
import { fact } from "../pages/fact.ts";
import { layout } from "../pages/layout.ts";

export type CheckOutcome = "ok" | "failing";

/** Outcomes by public name of the component. */
export type StatusChecks = Readonly<Record<string, CheckOutcome>>;

export const isWell = (checks: StatusChecks): boolean => Object.values(checks).every((outcome) => outcome === "ok");

/** The public status page, which contains no data of accounts, no addresses and no versions. */
export function statusPage(checks: StatusChecks): Html {
  const row = ([name, outcome]: [string, CheckOutcome]) => {
    const [tone, label] = outcome === "ok" ? ["good", "Up"] : ["bad", "Not responding"];
    return fact(name, html`<span class="state ${tone}">${label}</span>`);
  };
  return layout({
    title: "Status",
    caller: null,
    content: html`
      <section class="narrow card">
        <h1>${isWell(checks) ? "Tracking pages and API are up" : "Some services are down"}</h1>
        <dl>${Object.entries(checks).map(row)}</dl>
        <p class="muted">Carrier polling and webhook delivery are not checked here.</p>
        <p><a href="/shipments">All shipments</a></p>
      </section>`,
  });
}
