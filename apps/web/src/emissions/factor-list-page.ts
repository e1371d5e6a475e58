import { energyScopeLabels } from "@svc/domain/emissions";
import type { EmissionFactorResource } from "@svc/sdk";
import { actionsColumn, type Html, html, listTable } from "@svc/views";
import { may } from "../access/callers.ts";
import { accountLayout } from "../account/account-layout.ts";
import type { SignedInCaller } from "../dashboard/dashboard-routes.ts";
import { pageLinks } from "../pages/page-links.ts";
import { sameFromApi } from "../pages/same-from-api.ts";

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
  const { valid_from: from, valid_until: until } = factor;
  const validity = from === null && until === null ? "Always" : `${from ?? "…"} to ${until ?? "…"}`;
  return html`
    <tr>
      <th scope="row" data-label="Name">${
        mayEdit ? html`<a class="row-link" href="${path}/${id}/edit">${factor.name}</a>` : factor.name
      }</th>
      <td data-label="g CO2e per TEU-km">${factor.grams_per_teu_km}
        <span class="muted">${energyScopeLabels[factor.energy_scope].toLowerCase()}${
          factor.distance_basis === "actual_distance" && ", + 15 %"
        }</span></td>
      <td data-label="Applies to">${scopeText(factor)}</td>
      <td data-label="Departure">${validity}</td>
      <td data-label="Source">${factor.source}</td>
      <td>${mayEdit && html`<a href="${path}/${id}/delete" aria-label="Delete ${factor.name}">Delete</a>`}</td>
    </tr>`;
}

/** `GET /account/emissions`. */
export function factorListPage(options: {
  readonly caller: SignedInCaller;
  readonly apiBaseUrl: string;
  readonly factors: readonly EmissionFactorResource[];
  readonly number: number;
  readonly hasMore: boolean;
  readonly notice: string | undefined;
}): Html {
  const { caller, apiBaseUrl, factors, number, hasMore, notice } = options;
  const mayEdit = may(caller, "edit_records");
  const columns = ["Name", "g CO2e per TEU-km", "Applies to", "Departure", "Source", actionsColumn];
  const rows = factors.map((factor) => row(factor, mayEdit));
  const empty = html`
    <section class="card empty"><h2>There are no factors yet</h2>
      <p>A factor is the grams of CO2e per TEU and km of a carrier, a trade lane or a vessel.
        The service has none of its own; enter those of your carriers or of a publication.
        Containers then show what they emit on each leg by sea.</p>
    </section>`;
  return accountLayout({
    title: "Emission factors",
    caller,
    part: "emissions",
    notice,
    content: html`
      <div class="title"><h1>Emission factors</h1>
        ${
          mayEdit &&
          html`<span class="actions"><a href="${path}/import">Import a file</a>
            <a class="button" href="${path}/new">New factor</a></span>`
        }</div>
      ${factors.length === 0 ? empty : listTable({ caption: "Emission factors", columns, rows })}
      ${pageLinks({ number, hasMore, addressOf: (page) => `${path}?page=${page}` })}
      ${sameFromApi(apiBaseUrl, [{ path: "/emission_factors" }])}`,
  });
}

export function deleteFactorPage(caller: SignedInCaller, { id, attributes }: EmissionFactorResource): Html {
  return accountLayout({
    title: `Delete ${attributes.name}`,
    caller,
    part: "emissions",
    content: html`
      <section class="narrow card">
        <h1>Delete ${attributes.name}?</h1>
        <p>Legs are then computed with the factors that are left.</p>
        <form method="post" action="${path}/${id}/delete"><button class="danger">Delete factor</button></form>
        <p><a href="${path}">Cancel</a></p>
      </section>`,
  });
}
