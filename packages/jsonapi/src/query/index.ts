export {
  codes,
  decimal,
  deprecated,
  freeTexts,
  ids,
  integer,
  localDate,
  oneChoice,
  oneId,
  oneOf,
  oneText,
  texts,
  timestamp,
  yesOrNo,
} from "./parameters.ts";
export { offsetMax, type ParameterValues, pageSizeMax, type QueryDefinition } from "./query-definition.ts";
export { type Query, readQuery, type SparseFields } from "./read-query.ts";
