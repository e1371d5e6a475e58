import { delayReasonKinds, type ExceptionKind } from "@svc/domain/exceptions";
import { moneyText } from "@svc/domain/money";
import { withContainerArrival } from "@svc/domain/shipments";
import type { ExceptionResource } from "@svc/sdk";
import { calendarDayText, type Html, type HtmlValue, html, localTime } from "@svc/views";
import { voyageText } from "@svc/views/timeline";
import type { ContainerRecord, ShipmentRecord } from "../shipments/api-records.ts";
import { arrivalSummary } from "../shipments/arrival-summary.ts";
import type { Costs } from "../shipments/container-costs.ts";
import { feeTexts, isKnownFact, knownPickupFacts, pickupFacts, placeFacts } from "../shipments/container-facts.ts";
import { factList, type LabelledValue, noSources } from "../shipments/field-sources.ts";
import { chargesPath, perDayText } from "../shipments/key-figures.ts";
import { chargedLater } from "./exception-cost.ts";
import type { ExceptionPageOptions } from "./exception-page-options.ts";
import { pickupStepSentence } from "./pickup-step.ts";

/** Kinds about which the ETA decides; about the others, the pickup of the container. */
const etaRelatedKinds: ReadonlySet<ExceptionKind> = new Set([...delayReasonKinds, "connection_at_risk"]);

/** Whether the pickup decides about a kind of exceptions of containers. */
export const isPickupKind = (kind: ExceptionKind): boolean => !etaRelatedKinds.has(kind);

export const isAboutPickup = ({ exception, container }: ExceptionPageOptions): boolean =>
  container !== null && isPickupKind(exception.attributes.kind);

const answer = (label: string, value: HtmlValue, below: HtmlValue = null): Html => html`
  <div class="answer"><p class="muted">${label}</p>
    <p class="big">${value}</p>
    ${below && html`<p class="muted">${below}</p>`}</div>`;

const money = ({ amount, currency_code: currencyCode }: ExceptionResource["attributes"]["amounts"][number]): string =>
  moneyText({ amount, currencyCode });

/** What the exception costs, and what the next day does; null: no amount is known. */
export function chargedAmounts({ attributes }: ExceptionResource) {
  const { amounts, amount_per_day: perDay, amounts_as_of: day, ended_at: ended, kind } = attributes;
  const price = ended === null && perDay ? `${money(perDay)} per day` : null;
  if (amounts.length > 0) {
    const text = amounts.map(money).join(" + ");
    if (ended !== null) return { label: "Charged as last checked", text, below: null };
    if (day !== null) return { label: "Charged", text, below: `as of ${calendarDayText(day)}` };
    return { label: "Charges", text, below: price };
  }
  const isLater = chargedLater.has(kind);
  return price && { label: "Charges", text: price, below: isLater ? "after the last free day" : null };
}

/** What its container is charged, where an exception, such as a hold, has no charges of its own; null: nothing. */
function chargesOfContainer(costs: Costs | null) {
  const perDay = costs === null ? "" : perDayText(costs);
  const soFar = costs?.soFar.map(moneyText).join(" + ") ?? "";
  if (soFar === "" && perDay === "") return null;
  return soFar === ""
    ? { label: "Charges", text: perDay, below: null }
    : { label: "Charges", text: soFar, below: perDay || null };
}

const chargesAtPickup = ({ exception, costs }: ExceptionPageOptions) =>
  chargedAmounts(exception) || (exception.attributes.ended_at === null ? chargesOfContainer(costs) : null);

const factValue = (facts: readonly LabelledValue[], field: string): HtmlValue =>
  facts.find((one) => one.field === field)?.value;

/** The answers about the pickup: whether it is possible, until when it is free, and what it costs. */
function pickupAnswers(options: ExceptionPageOptions, facts: readonly LabelledValue[]): Html {
  const { container } = options;
  const charged = chargesAtPickup(options);
  // The charges of an exception are a part of those of its container.
  const parts = container === null || chargedAmounts(options.exception) ? [] : feeTexts(container);
  const below = charged && [charged.below, ...(parts.length > 1 ? parts : [])].filter(Boolean);
  return html`
    <div class="answers">
      ${answer("Available for pickup", factValue(facts, "availableForPickup"))}
      <div class="answer"><p class="muted">Last free day</p>
        <p class="big-fact">${factValue(facts, "pickupLfd")}</p></div>
      ${
        charged
          ? answer(
              charged.label,
              container ? html`<a href="${chargesPath(container.id)}">${charged.text}</a>` : charged.text,
              below && below.length > 0 && below.map((text) => html`<span class="below">${text}</span>`),
            )
          : html`<div class="answer"><p class="muted">Charges by the terminal</p>
            <div class="big">${factValue(facts, "feesAtPodTerminal")}</div></div>`
      }
    </div>`;
}

const answered: ReadonlySet<string | null> = new Set(["pickupLfd", "availableForPickup"]);

/** The pickup of the container: what decides in large, where the exception is about it. */
function pickupCard(options: ExceptionPageOptions, container: ContainerRecord, shipment: ShipmentRecord): Html {
  const { now, names } = options;
  const known = knownPickupFacts(container, shipment, now);
  const place = placeFacts(container, names, now).filter(isKnownFact);
  if (!isAboutPickup(options)) {
    return html`<section class="card"><h2>Pickup</h2>${factList([...known, ...place], noSources)}</section>`;
  }
  // Other fees of the container are no part of what the exception is charged.
  const isFeeAnswered = chargedAmounts(options.exception) === null || container.feesAtPodTerminal.length <= 1;
  const isAnswered = (field: string | null) =>
    answered.has(field) || field === null || (isFeeAnswered && field === "feesAtPodTerminal");
  return html`
    <section class="card"><h2>Pickup</h2>
      ${pickupAnswers(options, pickupFacts(container, shipment, now))}
      ${factList([...known.filter(({ field }) => !isAnswered(field)), ...place], noSources)}</section>`;
}

/** What ends the exception, for a container that can be picked up or is held. Null: the facts do not show it. */
export function nextStep(options: ExceptionPageOptions): Html | null {
  const { exception, container, shipment, costs, now } = options;
  const { amount_per_day: perDay, kind } = exception.attributes;
  if (container === null || shipment === null || !isAboutPickup(options)) return null;
  const text = pickupStepSentence({ exception, container, shipment, now });
  const price = perDay ? money(perDay) : costs?.perDay.map(moneyText).join(" + ");
  const cost =
    price && `; each ${chargedLater.has(kind) ? "day after the last free day" : "further day"} costs ${price}`;
  return text === null ? null : html`<p><strong>Next:</strong> ${text}${cost}.</p>`;
}

/** The ETA that was reported first; null: it is the present one, or not known. */
function originalEta({ podOriginalEtaAt: at, podEtaAt, portOfDischarge }: ShipmentRecord): Html | null {
  if (at === null || at === podEtaAt) return null;
  return answer("Original ETA", localTime(at, portOfDischarge?.timeZone ?? null));
}

/** The arrival: with the ETA and the original one in large, where the exception is about it. */
function voyageCard(options: ExceptionPageOptions, shipment: ShipmentRecord): Html {
  const { container, now } = options;
  const arrival = container === null ? shipment : withContainerArrival(container, shipment);
  const containers = container === null ? [] : [container];
  const summary = arrivalSummary({ shipment: arrival, containers, now, kind: "ofShipment", showsLastFreeDay: false });
  const isMinor = isAboutPickup(options);
  const vessel = voyageText(shipment.podVesselName, shipment.podVoyageNumber);
  return html`
    <section class="card${isMinor && " minor"}"><h2>Voyage</h2>
      ${vessel && html`<p>${vessel}</p>`}
      <div class="answers">${summary}${!isMinor && originalEta(arrival)}</div>
    </section>`;
}

/** What the member decides by, the most important card first: the pickup, or where it is about that, the arrival. */
export function subjectCards(options: ExceptionPageOptions): readonly Html[] {
  const { shipment, container } = options;
  if (shipment === null) return [];
  const voyage = voyageCard(options, shipment);
  if (container === null) return [voyage];
  const pickup = pickupCard(options, container, shipment);
  return isAboutPickup(options) ? [pickup, voyage] : [voyage, pickup];
}
