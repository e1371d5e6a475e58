import type { Client, ExceptionResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";

const subjectsShown = 5;

/**
 * Containers over their last free day whose exceptions are snoozed or resolved: they cost on. The most urgent first.
 * `of`: the shipment or the container.
 */
export async function readHandledCosts(
  api: Client,
  of: { readonly shipment: string } | { readonly container: string },
): Promise<readonly ExceptionResource[]> {
  const status = ["snoozed", "resolved"];
  return (await api.exceptions.list({ filter: { ...of, kind: "last_free_day_over", status, ended: false } })).data;
}

/** Lists open exceptions, and those that still cost, for the top of a page. Null without any. */
export function exceptionBand(exceptions: readonly ExceptionResource[]): Html | null {
  const subjects = [...Map.groupBy(exceptions, ({ attributes }) => attributes.number)];
  if (subjects.length === 0) return null;
  const link = ({ id, attributes: { summary, status } }: ExceptionResource) =>
    html`<a href="/attention/${id}">${summary}</a>${status !== "open" && html` <span class="muted">${status}</span>`}`;
  const item = ([number, found]: (typeof subjects)[number]) => {
    const [first] = found;
    const [shipment, container] = [first?.relationships.shipment.data, first?.relationships.container.data];
    const path = `/shipments/${shipment?.id}${container ? `?container=${container.id}` : ""}`;
    return html`<li><a class="number" href="${path}">${number}</a> ${found.map((one, index) => html`${index > 0 && " · "}${link(one)}`)}</li>`;
  };
  const more = subjects.length - subjectsShown;
  return html`
    <section class="band" aria-label="Needs attention"><ul class="plain">${subjects.slice(0, subjectsShown).map(item)}
      ${more > 0 && html`<li>and ${more} more</li>`}</ul></section>`;
}
