import type { ExceptionResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";

const subjectsShown = 5;

/** Open exceptions of a shipment and its containers, for the top of its page; null without exceptions. */
export function exceptionBand(exceptions: readonly ExceptionResource[]): Html | null {
  const subjects = [...Map.groupBy(exceptions, ({ attributes }) => attributes.number)];
  if (subjects.length === 0) return null;
  const link = ({ id, attributes }: ExceptionResource) => html`<a href="/attention/${id}">${attributes.summary}</a>`;
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
