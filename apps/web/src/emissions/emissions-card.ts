import { emissionText, energyScopeLabels, totalReasonTexts } from "@svc/domain/emissions";
import type { ContainerEmissionsResource } from "@svc/sdk";
import { calendarDayText, formatNumber, type Html, html, listTable } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import type { LabelledValue } from "../shipments/field-sources.ts";

type Attributes = ContainerEmissionsResource["attributes"];
type Leg = Attributes["legs"][number];
type Emission = Leg["emissions"][number];
type Total = Attributes["totals"][number];

const statusLabels = { planned: "Planned", in_transit: "In transit", completed: "Completed" } as const;

const legText = ({ from, to }: Leg): string => `${from.name ?? "–"} – ${to.name ?? "–"}`;

/** Why there is no total: the legs by sea without a figure and their reasons, with a link to add a missing factor. */
function missingTotal(
  caller: Caller,
  { energy_scope: scope, unknown_reason: reason }: Total,
  legs: readonly Leg[],
): Html | null {
  if (reason !== "leg_missing") return reason && html`${totalReasonTexts[reason]}`;
  const atSea = legs.filter(({ mode }) => mode === "sea");
  const missing = atSea.flatMap((leg) =>
    leg.emissions
      .filter((one) => one.energy_scope === scope && one.grams === null)
      .map(({ unknown_reason, explanation }) => ({ leg, reason: unknown_reason, explanation })),
  );
  const texts = [...Map.groupBy(missing, ({ explanation }) => explanation)].map(([explanation, of]) => {
    const legsText = of.map(({ leg }) => legText(leg)).join(", ");
    return of[0]?.reason === "no_factor"
      ? `No factor for ${of.length === atSea.length ? "this lane" : legsText}.`
      : `No figure for ${legsText}. ${explanation}`;
  });
  const mayAdd = may(caller, "edit_records") && missing.some((one) => one.reason === "no_factor");
  return html`${texts.join(" ")}${mayAdd && html` <a href="/account/emissions/new">Add factor</a>`}`;
}

function totalLine(caller: Caller, total: Total, legs: readonly Leg[]): Html {
  const { energy_scope: scope, grams } = total;
  const label = energyScopeLabels[scope];
  if (grams !== null)
    return html`<p><strong class="big-figure">${emissionText(grams)} CO₂e</strong> ${label.toLowerCase()}</p>`;
  return html`<p>${label}: total not available. ${missingTotal(caller, total, legs)}</p>`;
}

function emissionBlock({ energy_scope: scope, grams, explanation }: Emission): Html {
  if (grams === null) return html`<p class="muted">${explanation}</p>`;
  const label = energyScopeLabels[scope].toLowerCase();
  return html`
    <details><summary>${emissionText(grams)} <span class="muted">${label}</span></summary>
      <p>${explanation}</p></details>`;
}

function legRow(leg: Leg): Html {
  const { departure_date: departure, distance_km: distance } = leg;
  const carriedBy = leg.mode === "inland" ? "Inland" : (leg.vessel_name ?? "–");
  const voyage = leg.voyage_number && html` <span class="muted">${leg.voyage_number}</span>`;
  return html`
    <tr><th scope="row" data-label="Leg">${legText(leg)}</th>
      <td data-label="Carried by">${carriedBy}${voyage}</td>
      <td data-label="Departure">${
        departure === null ? "–" : html`<time datetime="${departure}">${calendarDayText(departure)}</time>`
      } <span class="muted">${statusLabels[leg.status]}</span></td>
      <td data-label="Distance">${distance === null ? "–" : `${formatNumber(distance)} km`}</td>
      <td data-label="CO₂e">${leg.emissions.map(emissionBlock)}</td></tr>`;
}

/** Whether there is a total, or the figure of a leg. */
const hasFigure = ({ totals, legs }: Attributes): boolean =>
  [...totals, ...legs.flatMap(({ emissions }) => emissions)].some(({ grams }) => grams !== null);

/** Why the emissions of a container have no figure, for its facts. Empty: they have one, or need none. */
export function missingEmissions(caller: Caller, attributes: Attributes): readonly LabelledValue[] {
  const [total] = attributes.totals;
  if (attributes.factors_considered === 0 || total === undefined || hasFigure(attributes)) return [];
  const why = missingTotal(caller, total, attributes.legs);
  const text = total.unknown_reason === "leg_missing" ? html`Not calculated. ${why}` : why;
  return [{ term: "CO₂e", value: html`<div class="whole-row">${text}</div>`, field: null }];
}

/** Renders the emissions of a container with each leg by sea; null: there is no figure. */
export function emissionsCard(caller: Caller, attributes: Attributes): Html | null {
  if (attributes.factors_considered === 0 || !hasFigure(attributes)) return null;
  return html`
    <section class="card" id="emissions"><h2>Emissions</h2>
      ${attributes.totals.map((total) => totalLine(caller, total, attributes.legs))}
      <details id="emissions-by-leg"><summary>By leg</summary>
        ${listTable({
          caption: "Emissions of each leg",
          columns: ["Leg", "Carried by", "Departure", "Distance", "CO₂e"],
          rows: attributes.legs.map(legRow),
        })}
        <p class="muted">Legs by sea, by ${attributes.method}, with the
          ${may(caller, "edit_records") ? html`<a href="/account/emissions">emission factors</a>` : "emission factors"}
          of the account.</p></details>
    </section>`;
}
