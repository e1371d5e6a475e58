import { energyScopeLabels, energyScopes } from "@svc/domain/emissions";
import { type Html, html } from "@svc/views";
import { type RecordForm, recordFormPage } from "../dashboard/record-form.ts";
import { checkbox, choice } from "../forms/choices.ts";
import { carrierChoices } from "../forms/code-choices.ts";
import { field, groupProblem } from "../forms/field.ts";
import { type CarrierChoice, readCarrierMenu } from "../tracking-requests/carrier-menu.ts";
import type { FactorForm } from "./factor-form.ts";

const distanceBasisLabels = {
  actual_distance: "Actual (adds 15 %)",
  shortest_feasible_distance: "Shortest feasible",
} as const;

function scope({ form, problems = {} }: RecordForm<FactorForm>, lines: readonly CarrierChoice[]): Html {
  const input = (label: string, name: "origins" | "destinations" | "vesselImo", hint: string) =>
    field({ label, name, value: form[name], problems, hint });
  const date = (label: string, name: "validFrom" | "validUntil") =>
    field({ label, name, value: form[name], problems, type: "date" });
  const equipment = [
    ["", "Every container"],
    ["dry", "Dry (all but reefers)"],
    ["reefer", "Reefer"],
  ] as const;
  return html`
    <fieldset>
      <legend>Applies to</legend>
      <p class="muted">The most specific factor applies: by vessel, then carrier, lane and equipment.
        A lane is that of one leg, from port to port.</p>
      <div class="fields">
        ${choice(
          { label: "Carrier", name: "carrierScac", chosen: form.carrierScac, problems },
          carrierChoices(lines, form.carrierScac, "All carriers"),
        )}
        ${input("Origins", "origins", "Countries or UN/LOCODEs, such as CN KR JPTYO. Leave empty for any.")}
        ${input("Destinations", "destinations", "Countries or UN/LOCODEs, such as NL DE BE. Leave empty for any.")}
        ${input("Vessel", "vesselImo", "IMO number of seven digits. Leave empty for all vessels.")}
        ${choice({ label: "Equipment", name: "equipment", chosen: form.equipment, problems }, equipment)}
      </div>
      ${checkbox("bothDirections", "Both directions", { isChecked: form.bothDirections })}
      ${groupProblem(problems, "bothDirections")}
      <div class="fields">${date("Departure from", "validFrom")} ${date("Departure until", "validUntil")}</div>
    </fieldset>`;
}

/** `/account/emissions/new` and `/account/emissions/{id}/edit`. */
export async function factorFormPage(options: RecordForm<FactorForm>): Promise<Html> {
  const { caller, id, form, problems = {} } = options;
  const { lines } = await readCarrierMenu(caller.api);
  const scopes = energyScopes.map((one) => [one, energyScopeLabels[one]] as const);
  const bases = [["", "Choose …"], ...Object.entries(distanceBasisLabels)] as const;
  return recordFormPage(options, {
    title: id === null ? "New emission factor" : "Edit emission factor",
    part: "emissions",
    path: "/account/emissions",
    createLabel: "Create factor",
    fields: html`
        ${field({
          label: "Name",
          name: "name",
          value: form.name,
          problems,
          hint: "Shown with the figures, for example the trade lane.",
          maxLength: 100,
          isRequired: true,
        })}
        <div class="fields">
          ${field({
            label: "Grams of CO2e per TEU-km",
            name: "gramsPerTeuKm",
            value: form.gramsPerTeuKm,
            problems,
            hint: "For example 62.5.",
            isRequired: true,
          })}
          ${choice({ name: "energyScope", label: "Energy scope", chosen: form.energyScope, problems }, scopes)}
          ${choice({ name: "distanceBasis", label: "Distance basis", chosen: form.distanceBasis, problems }, bases)}
        </div>
        ${field({
          label: "Source",
          name: "source",
          value: form.source,
          problems,
          hint: "Where the value is from: publication, edition, year.",
          maxLength: 300,
          isRequired: true,
        })}
        ${scope(options, lines)}`,
  });
}
