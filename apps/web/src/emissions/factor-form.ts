import { distanceBases, energyScopes, factorEquipment } from "@svc/domain/emissions";
import type { EmissionFactorResource, NewEmissionFactor } from "@svc/sdk";
import type { Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";
import { codeText, type FormFields } from "../forms/merge-form.ts";

/** Submitted values, shown again when they are invalid. */
export interface FactorForm {
  readonly name: string;
  readonly energyScope: NewEmissionFactor["energyScope"];
  readonly gramsPerTeuKm: string;
  /** Empty: not chosen yet. There is no default, because a wrong one changes every figure by 15 %. */
  readonly distanceBasis: NewEmissionFactor["distanceBasis"] | "";
  readonly source: string;
  readonly carrierScac: string;
  /** Several are separated by spaces or commas. */
  readonly origins: string;
  readonly destinations: string;
  readonly bothDirections: boolean;
  readonly vesselImo: string;
  /** Empty: every container. */
  readonly equipment: (typeof factorEquipment)[number] | "";
  readonly validFrom: string;
  readonly validUntil: string;
}

export const newForm: FactorForm = {
  name: "",
  energyScope: "well_to_wake",
  gramsPerTeuKm: "",
  distanceBasis: "",
  source: "",
  carrierScac: "",
  origins: "",
  destinations: "",
  bothDirections: false,
  vesselImo: "",
  equipment: "",
  validFrom: "",
  validUntil: "",
};

/** Labels of the fields, as the page shows them. */
export const formFields: FormFields<FactorForm> = {
  name: "Name",
  energyScope: { label: "Energy scope", shownAs: codeText },
  gramsPerTeuKm: "Grams of CO2e per TEU-km",
  distanceBasis: { label: "Distance basis", shownAs: codeText },
  source: "Source",
  carrierScac: "Carrier",
  origins: "Origins",
  destinations: "Destinations",
  bothDirections: "Both directions",
  vesselImo: "Vessel",
  equipment: "Equipment",
  validFrom: "Departure from",
  validUntil: "Departure until",
};

export function formOf({ attributes: factor }: EmissionFactorResource): FactorForm {
  return {
    name: factor.name,
    energyScope: factor.energy_scope,
    gramsPerTeuKm: String(factor.grams_per_teu_km),
    distanceBasis: factor.distance_basis,
    source: factor.source,
    carrierScac: factor.carrier_scac ?? "",
    origins: factor.origins.join(" "),
    destinations: factor.destinations.join(" "),
    bothDirections: factor.both_directions,
    vesselImo: factor.vessel_imo ?? "",
    equipment: factor.equipment ?? "",
    validFrom: factor.valid_from ?? "",
    validUntil: factor.valid_until ?? "",
  };
}

export function readFactorForm(values: FormValues): FactorForm {
  return {
    name: values.text("name"),
    energyScope: energyScopes.find((one) => one === values.text("energyScope")) ?? "well_to_wake",
    gramsPerTeuKm: values.text("gramsPerTeuKm"),
    distanceBasis: distanceBases.find((one) => one === values.text("distanceBasis")) ?? "",
    source: values.text("source"),
    carrierScac: values.text("carrierScac").toUpperCase(),
    origins: values.text("origins").toUpperCase(),
    destinations: values.text("destinations").toUpperCase(),
    bothDirections: values.text("bothDirections") !== "",
    vesselImo: values.text("vesselImo"),
    equipment: factorEquipment.find((one) => one === values.text("equipment")) ?? "",
    validFrom: values.text("validFrom"),
    validUntil: values.text("validUntil"),
  };
}

const splitPlaces = (text: string): string[] => text.split(/[\s,;]+/).filter((place) => place !== "");

/** The factor of the form, for the API, which validates it. */
export function toFactor(form: FactorForm): NewEmissionFactor {
  return {
    name: form.name,
    energyScope: form.energyScope,
    gramsPerTeuKm: Number(form.gramsPerTeuKm),
    distanceBasis: form.distanceBasis || "actual_distance",
    source: form.source,
    carrierScac: form.carrierScac || null,
    origins: splitPlaces(form.origins),
    destinations: splitPlaces(form.destinations),
    bothDirections: form.bothDirections,
    vesselImo: form.vesselImo || null,
    equipment: form.equipment || null,
    validFrom: form.validFrom || null,
    validUntil: form.validUntil || null,
  };
}

/** Rejects only what cannot be sent to the API. */
export function problemsOfForm(form: FactorForm): Problems {
  return {
    ...(form.name === "" && { name: "Enter a name, for example the trade lane." }),
    ...(!/^\d+(?:\.\d+)?$/.test(form.gramsPerTeuKm) && {
      gramsPerTeuKm: "Enter grams of CO2e as a number with a decimal point, for example 62.5.",
    }),
    ...(form.distanceBasis === "" && { distanceBasis: "Choose the distance that the source of the factor means." }),
    ...(form.source === "" && { source: "Enter where the value is from, for example a publication and its year." }),
  };
}
