import { isUuid } from "../identifiers/codes.ts";
import { readInstant } from "../instant.ts";
import type { CustomFieldDefinition, CustomFieldValue } from "./custom-field.ts";

type Definition = Pick<CustomFieldDefinition, "dataType" | "validation" | "optionValues">;

/** The value as stored, or what is wrong with it (completes "value …"). */
export type ReadCustomFieldValue = { readonly value: CustomFieldValue } | { readonly problem: string };

const shortTextMax = 255;
const dateShape = /^\d{4}-\d{2}-\d{2}$/;

function readShortText(value: CustomFieldValue, { validation }: Definition): ReadCustomFieldValue {
  const { minLength = 1, maxLength = shortTextMax } = validation ?? {};
  if (typeof value !== "string") return { problem: "must be a text" };
  const { length } = [...value];
  return length >= minLength && length <= maxLength
    ? { value }
    : { problem: `must have ${minLength} to ${maxLength} characters` };
}

function readNumber(value: CustomFieldValue, { validation }: Definition): ReadCustomFieldValue {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = validation ?? {};
  if (typeof value !== "number" || !Number.isFinite(value)) return { problem: "must be a number" };
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return { problem: `must be at most ${Number.MAX_SAFE_INTEGER} either way: digits of a longer one would be lost` };
  }
  if (value < min) return { problem: `must be at least ${min}` };
  return value > max ? { problem: `must be at most ${max}` } : { value };
}

function readDate(value: CustomFieldValue): ReadCustomFieldValue {
  return typeof value === "string" && dateShape.test(value) && readInstant(value) !== null
    ? { value }
    : { problem: "must be a date such as 2026-11-21" };
}

function readDatetime(value: CustomFieldValue): ReadCustomFieldValue {
  const time = typeof value === "string" && !dateShape.test(value) ? readInstant(value) : null;
  return time === null ? { problem: "must be a time such as 2026-11-21T10:00:00Z" } : { value: time };
}

function readEnum(value: CustomFieldValue, { optionValues }: Definition): ReadCustomFieldValue {
  return typeof value === "string" && optionValues.includes(value)
    ? { value }
    : { problem: `must be one of the options: ${optionValues.slice(0, 20).join(", ") || "there are none yet"}` };
}

function readEnumMulti(value: CustomFieldValue, { optionValues }: Definition): ReadCustomFieldValue {
  return Array.isArray(value) &&
    new Set(value).size === value.length &&
    value.every((one) => optionValues.includes(one))
    ? { value }
    : {
        problem: `must be a list of different options: ${optionValues.slice(0, 20).join(", ") || "there are none yet"}`,
      };
}

/** Checks a value against the type and bounds of its definition. The target of a reference is not looked up. */
export function readCustomFieldValue(definition: Definition, value: CustomFieldValue): ReadCustomFieldValue {
  switch (definition.dataType) {
    case "short_text":
      return readShortText(value, definition);
    case "number":
      return readNumber(value, definition);
    case "date":
      return readDate(value);
    case "datetime":
      return readDatetime(value);
    case "boolean":
      return typeof value === "boolean" ? { value } : { problem: "must be true or false" };
    case "enum":
      return readEnum(value, definition);
    case "enum_multi":
      return readEnumMulti(value, definition);
    case "reference":
      return typeof value === "string" && isUuid(value)
        ? { value: value.toLowerCase() }
        : { problem: "must be the id of the record that it refers to" };
  }
}
