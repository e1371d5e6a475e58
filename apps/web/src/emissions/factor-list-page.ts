import { energyScopeLabels } from "@svc/domain/emissions";
import type { EmissionFactorResource } from "@svc/sdk";
import { actionsColumn, type Html, html } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { may } from "../access/callers.ts";
import {
  deleteLink,
  deleteRecordPage,
  type ListedRecords,
  recordListPage,
  validityText,
} from "../dashboard/record-list-page.ts";

const path = "/account/emissions";

type Attributes = EmissionFactorResource["attributes"];

/** "MAEU, CN KR → NL, vessel 9321483, reefer", or "Every leg". */
function scopeText(factor: Attributes): string {
  const { origins, destinations, both_directions: bothDirections } = factor;
  const placeText = (places: readonly string[]): string => (places.length === 0 ? "any" : places.join(" "));
  const hasLane = origins.length + destinations.length > 0;
  const parts = [
    factor.carrier_scac,
    hasLane && `${placeText(origins)} ${bothDirections ? "↔" : "→"} ${placeText(destinations)}`,
    factor.vessel_imo !== null && `vessel ${factor.vessel_imo}`,
    factor.equipment,
  ];
  return parts.filter(Boolean).join(", ") || "Every leg";
}

function row({ id, attributes: factor }: EmissionFactorResource, mayEdit: boolean): Html {
  return html`
    <tr>
      <th scope="row" data-label="Name">${
        mayEdit ? html`<a class="row-link" href="${path}/${id}/edit">${factor.name}</a>` : factor.name
      }</th>
      <td data-label="g CO2e per TEU-km">${factor.grams_per_teu_km}
        <span class="muted">${energyScopeLabels[factor.energy_scope].toLowerCase()}${
          factor.distance_basis === "actual_distance" && ", +15\u00A0%"
        }</span></td>
      <td data-label="Applies to">${scopeText(factor)}</td>
      <td data-label="Departure">${validityText(factor.valid_from, factor.valid_until)}</td>
      <td data-label="Source">${factor.source}</td>
      <td>${mayEdit && deleteLink(`${path}/${id}`, factor.name)}</td>
    </tr>`;
}

/** `GET /account/emissions`. */
export function factorListPage(listed: ListedRecords, factors: readonly EmissionFactorResource[]): Html {
  const mayEdit = may(listed.caller, "edit_records");
  return recordListPage(listed, {
    title: "Emission factors",
    part: "emissions",
    path,
    apiPath: "/emission_factors",
    newLabel: "New factor",
    links: html`<a href="${path}/import">Import a file</a>`,
    columns: ["Name", "g CO2e per TEU-km", "Applies to", "Departure", "Source", actionsColumn],
    rows: factors.map((factor) => row(factor, mayEdit)),
    empty: {
      heading: "No factors yet",
      text:
        "A factor is the grams of CO2e per TEU and km of a carrier, a trade lane or a vessel. The service has none of " +
        "its own; enter those of your carriers or of a publication. Containers then show what they emit on each leg by sea.",
    },
  });
}

export const deleteFactorPage = (caller: SignedInCaller, { id, attributes }: EmissionFactorResource): Html =>
  deleteRecordPage(caller, {
    part: "emissions",
    path,
    id,
    name: attributes.name,
    button: "Delete factor",
    effect: "Legs are then computed with the factors that are left.",
  });
