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
export { describeFigure, emissionText, energyScopeLabels, totalReasonTexts } from "./describe-emissions.ts";
export {
  distanceBases,
  type EmissionFactor,
  energyScopes,
  type FactorSettings,
  factorEquipment,
} from "./emission-factor.ts";
export { factorProblem } from "./factor-problems.ts";
export { factorCriteria } from "./select-factor.ts";
