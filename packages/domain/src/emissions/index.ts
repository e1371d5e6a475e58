export {
  type ContainerEmissions,
  computeEmissions,
  emissionMethod,
  type LegEmissions,
  legReasons,
  legStatuses,
  seaDistanceAdjustment,
  totalReasons,
} from "./compute-emissions.ts";
export { describeScopedEmissions, emissionText, energyScopeLabels, totalReasonTexts } from "./describe-emissions.ts";
export {
  distanceBases,
  type EmissionFactor,
  emissionFactorFields,
  energyScopes,
  type FactorSettings,
  factorEquipment,
  factorSettingFields,
} from "./emission-factor.ts";
export { factorProblem } from "./factor-problems.ts";
export { factorSettings } from "./factor-settings.ts";
export { factorCriteria } from "./select-factor.ts";
