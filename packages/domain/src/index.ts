export { compareText } from "./compare-text.ts";
export { countText, plural } from "./count-text.ts";
export {
  addMs,
  dayMs,
  hourMs,
  type Instant,
  instant,
  instantOrNull,
  minuteMs,
  msBetween,
  readInstant,
  toEpochMs,
} from "./instant.ts";
export { canonicalJson, isJsonObject, type JsonObject, jsonEqual } from "./json.ts";
export {
  addDays,
  daysBetween,
  type LocalDate,
  localDateAt,
  localDateOrUtc,
  startOfLocalDate,
  type TimeZoneOf,
  zoneOffsetMs,
} from "./local-time.ts";
export { camelCase, snakeCase } from "./name-case.ts";
export { omit } from "./omit.ts";
export type { Clock, IdGenerator } from "./ports.ts";
