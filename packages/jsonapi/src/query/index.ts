export {
  booleanFlag,
  codes,
  decimal,
  deprecated,
  enumList,
  enumValue,
  freeTexts,
  ids,
  integer,
  localDate,
  oneId,
  oneText,
  texts,
  timestamp,
} from "./parameters.ts";
export { offsetMax, type ParameterValues, pageSizeMax, type QueryDefinition } from "./query-definition.ts";
export { type Query, readQuery, type SparseFields } from "./read-query.ts";
