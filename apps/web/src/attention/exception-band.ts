import { type Exception, exceptionSummary } from "@svc/domain/exceptions";
import { type Html, html } from "../http/html.ts";

const subjectsShown = 5;

/** Open exceptions of a shipment and its containers, for the top of its page; null without exceptions. */
export function exceptionBand(exceptions: readonly Exception[]): Html | null {
  const subjects = [...Map.groupBy(exceptions, ({ number }) => number)];
  if (subjects.length === 0) return null;
  const link = (one: Exception) => html`<a href="/attention/${one.id}">${exceptionSummary(one)}</a>`;
  const item = ([number, found]: (typeof subjects)[number]) => {
    const [first] = found;
    const path = `/shipments/${first?.shipmentId}${first?.containerId ? `?container=${first.containerId}` : ""}`;
    return html`<li><a class="number" href="${path}">${number}</a> ${found.map((one, index) => html`${index > 0 && " · "}${link(one)}`)}</li>`;
  };
  const more = subjects.length - subjectsShown;
  return html`
    <section class="band" aria-label="Needs attention"><ul class="plain">${subjects.slice(0, subjectsShown).map(item)}
      ${more > 0 && html`<li>and ${more} more</li>`}</ul></section>`;
}
