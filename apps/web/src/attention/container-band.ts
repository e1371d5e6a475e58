import { type Container, evaluateExceptions, type Instant, localDateAt, type Shipment } from "@svc/domain";
import { type Html, html } from "../http/html.ts";
import { exceptionWords } from "./exception-words.ts";

const containersShown = 5;

/** Who sets the earliest last free day charges from then on. */
function lastFreeDayOf(container: Container): Instant | null {
  const days = [container.pickupLfdTerminal, container.pickupLfdRail, container.pickupLfdLine].filter(
    (day) => day !== null,
  );
  return days.sort()[0] ?? container.pickupLfd;
}

function exceptionsOf(container: Container, shipment: Shipment, now: Instant) {
  const timeZone = container.podTimezone ?? shipment.portOfDischarge?.timeZone ?? null;
  const lastFreeDay = lastFreeDayOf(container);
  const facts = {
    lastFreeDay: lastFreeDay && (localDateAt(lastFreeDay, timeZone) ?? lastFreeDay.slice(0, 10)),
    timeZone,
    holds: container.holdsAtPodTerminal,
    fees: container.feesAtPodTerminal,
    fullOutAt: container.finalDestinationFullOutAt ?? container.podFullOutAt,
    emptyReturnedAt: container.emptyTerminatedAt,
    // The head of the page says these of the whole shipment.
    delayDays: null,
    hasArrived: true,
    freshness: null,
  };
  return evaluateExceptions(facts, now);
}

/** What keeps containers of a shipment from being picked up or costs money, at the top of its page; nothing while all is well. */
export function containerBand(containers: readonly Container[], shipment: Shipment, now: Instant): Html | null {
  const affected = containers
    .map((container) => ({ container, exceptions: exceptionsOf(container, shipment, now) }))
    .filter(({ exceptions }) => exceptions.length > 0);
  if (affected.length === 0) return null;
  const item = ({ container, exceptions }: (typeof affected)[number]) =>
    html`<li><a class="number" href="/shipments/${shipment.id}?container=${container.id}">${container.number}</a> ${exceptions.map(exceptionWords).join(" · ")}</li>`;
  const more = affected.length - containersShown;
  return html`
    <section class="band" aria-label="Needs attention"><ul class="plain">${affected.slice(0, containersShown).map(item)}
      ${more > 0 && html`<li>and ${more} more</li>`}</ul></section>`;
}
