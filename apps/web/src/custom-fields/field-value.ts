import { instant } from "@svc/domain";
import type { CustomFieldDataType } from "@svc/domain/custom-fields";
import type { CustomFieldResource } from "@svc/jsonapi/custom-fields";
import { calendarDayText, shortTimeText } from "@svc/views";

/** The text of a value as pages show it: dates and times in the format of the reader, options by their labels. */
export function fieldValueText(
  dataType: CustomFieldDataType,
  { value, display_value: text }: Pick<CustomFieldResource["attributes"], "value" | "display_value">,
): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (dataType === "date") return calendarDayText(String(value));
  if (dataType === "datetime") return shortTimeText(instant(String(value)));
  return text ?? "–";
}
