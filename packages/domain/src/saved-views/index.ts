export {
  alertFilterProblem,
  applicableSettings,
  type SavedView,
  type ViewFilters,
  type ViewList,
  type ViewProblem,
  viewLists,
  viewOptions,
  viewProblems,
} from "./saved-view.ts";
export {
  type ArrivalChoice,
  arrivalBetween,
  arrivalChoices,
  type ContainerCondition,
  conditionFilters,
  containerConditions,
} from "./view-choices.ts";
export { viewRequest } from "./view-request.ts";
