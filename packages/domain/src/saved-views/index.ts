export {
  alertFilterProblem,
  applicableSettings,
  type SavedView,
  type ViewFilters,
  type ViewList,
  viewLists,
  viewOptions,
  viewProblems,
} from "./saved-view.ts";
export {
  type ArrivalChoice,
  arrivalBetween,
  type ContainerCondition,
  conditionFilters,
  containerConditions,
  dayFilters,
  defaultTracking,
  hidesReturned,
  isDay,
  next7Days,
} from "./view-choices.ts";
export { viewRequest } from "./view-request.ts";
