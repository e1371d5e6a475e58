import { describe, expect, test } from "@jest/globals";
import type { CustomFieldDataType, CustomFieldValidation, CustomFieldValue } from "./custom-field.ts";
import { readCustomFieldValue } from "./custom-field-value.ts";

const read = (
  dataType: CustomFieldDataType,
  value: CustomFieldValue,
  validation: CustomFieldValidation | null = null,
) => readCustomFieldValue({ dataType, validation, optionValues: ["red", "green"] }, value);

describe("a value of each type", () => {
  test.each<[CustomFieldDataType, CustomFieldValue, CustomFieldValue, CustomFieldValidation | null]>([
    ["short_text", "PO 7", "PO 7", null],
    ["short_text", "🚢🚢", "🚢🚢", { minLength: 2, maxLength: 2 }],
    ["number", -0.5, -0.5, null],
    ["number", 3, 3, { min: 3, max: 3 }],
    ["date", "2028-02-29", "2028-02-29", null],
    ["datetime", "2026-11-21T10:00:00+02:00", "2026-11-21T08:00:00.000Z", null],
    ["boolean", false, false, null],
    ["enum", "red", "red", null],
    ["enum_multi", ["green", "red"], ["green", "red"], null],
    ["enum_multi", [], [], null],
    ["reference", "0199F0A0-0000-7000-8000-000000000001", "0199f0a0-0000-7000-8000-000000000001", null],
  ])("%s takes %j as %j", (dataType, value, stored, validation) => {
    expect(read(dataType, value, validation)).toEqual({ value: stored });
  });

  test.each<[CustomFieldDataType, CustomFieldValue, CustomFieldValidation | null]>([
    ["short_text", 7, null],
    ["short_text", "x".repeat(256), null],
    ["short_text", "abc", { maxLength: 2 }],
    ["number", "7", null],
    ["number", JSON.parse("9007199254740993"), null],
    ["number", -1e300, null],
    ["number", 2, { min: 3 }],
    ["number", 4, { max: 3 }],
    ["date", "2026-02-30", null],
    ["date", "2026-11-21T10:00:00Z", null],
    ["datetime", "2026-11-21", null],
    ["datetime", "2026-02-30T10:00:00Z", null],
    ["datetime", "2026-11-21T24:00:00Z", null],
    ["datetime", "0000-01-01T00:00:00Z", null],
    ["boolean", "true", null],
    ["enum", "blue", null],
    ["enum", ["red"], null],
    ["enum_multi", "red", null],
    ["enum_multi", ["red", "red"], null],
    ["enum_multi", ["red", "blue"], null],
    ["reference", "SBXL1", null],
  ])("%s refuses %j", (dataType, value, validation) => {
    expect(read(dataType, value, validation)).toEqual({ problem: expect.stringMatching(/^must be|^must have/) });
  });
});
