import { countingStarts, dayCalendars, demurrageKinds, tradeDirections } from "@svc/domain/demurrage";
import type { DemurrageRuleResource, NewDemurrageRule } from "@svc/sdk";
import { weekdays } from "../alerts/alert-text.ts";
import type { Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";
import { splitLines } from "../forms/merge-edit.ts";
import { codeText, type FormFields } from "../forms/merge-form.ts";
import { readPort } from "../saved-views/port-choice.ts";
import { portProblem } from "../saved-views/port-suggestions.ts";

/** Submitted values, shown again when they are invalid. */
export interface DemurrageForm {
  readonly name: string;
  readonly kind: NewDemurrageRule["kind"];
  readonly direction: NewDemurrageRule["direction"];
  readonly carrierScac: string;
  /** A name, until its UN/LOCODE is found. */
  readonly portLocode: string;
  readonly terminalCode: string;
  /** Several are separated by commas. */
  readonly equipmentTypes: string;
  readonly equipmentLengths: string;
  readonly validFrom: string;
  readonly validUntil: string;
  /** Empty: the default of kind and direction. */
  readonly countingStart: string;
  readonly startOffsetDays: string;
  readonly freeDays: string;
  readonly freeDayCalendar: NonNullable<NewDemurrageRule["freeDayCalendar"]>;
  readonly chargedDayCalendar: NonNullable<NewDemurrageRule["chargedDayCalendar"]>;
  readonly weekendDays: readonly string[];
  /** One per line. */
  readonly holidays: string;
  readonly currencyCode: string;
  /** One per line, "5: 150.00": the first charged day, and the amount per day. */
  readonly tiers: string;
}

/** The fields of one tier. */
export interface TierRow {
  readonly day: string;
  readonly amount: string;
}

/** The tiers of a form as rows of fields. */
export const tierRows = (tiers: string): TierRow[] =>
  splitLines(tiers).map((line) => {
    const [day = "", ...amount] = line.split(":");
    return { day: day.trim(), amount: amount.join(":").trim() };
  });

const tiersText = (rows: readonly TierRow[]): string =>
  rows
    .filter(({ day, amount }) => day !== "" || amount !== "")
    .map(({ day, amount }) => `${day}: ${amount}`)
    .join("\n");

export const newForm: DemurrageForm = {
  name: "",
  kind: "demurrage",
  direction: "import",
  carrierScac: "",
  portLocode: "",
  terminalCode: "",
  equipmentTypes: "",
  equipmentLengths: "",
  validFrom: "",
  validUntil: "",
  countingStart: "",
  startOffsetDays: "1",
  freeDays: "",
  freeDayCalendar: "calendar_days",
  chargedDayCalendar: "calendar_days",
  weekendDays: ["6", "7"],
  holidays: "",
  currencyCode: "USD",
  tiers: "",
};

/** Labels of the fields, as the page shows them. */
export const formFields: FormFields<DemurrageForm> = {
  name: "Name",
  kind: { label: "Kind", shownAs: codeText },
  direction: "Direction",
  carrierScac: "Carrier",
  portLocode: "Port",
  terminalCode: "Terminal",
  equipmentTypes: "Equipment types",
  equipmentLengths: "Equipment lengths",
  validFrom: "Valid from",
  validUntil: "Valid until",
  countingStart: { label: "Free time starts at", shownAs: codeText },
  startOffsetDays: "First free day",
  freeDays: "Free days",
  freeDayCalendar: { label: "Free days count", shownAs: codeText },
  chargedDayCalendar: { label: "Charged days count", shownAs: codeText },
  weekendDays: { label: "Non-working days", shownAs: (day) => weekdays[Number(day) - 1] ?? day },
  holidays: { label: "Holidays", isList: true },
  currencyCode: "Currency",
  tiers: "Charges per day",
};

export function formOf({ attributes: rule }: DemurrageRuleResource): DemurrageForm {
  return {
    name: rule.name,
    kind: rule.kind,
    direction: rule.direction,
    carrierScac: rule.carrier_scac ?? "",
    portLocode: rule.port_locode ?? "",
    terminalCode: rule.terminal_code ?? "",
    equipmentTypes: rule.equipment_types.join(", "),
    equipmentLengths: rule.equipment_lengths.join(", "),
    validFrom: rule.valid_from ?? "",
    validUntil: rule.valid_until ?? "",
    countingStart: rule.counting_start,
    startOffsetDays: String(rule.start_offset_days),
    freeDays: String(rule.free_days),
    freeDayCalendar: rule.free_day_calendar,
    chargedDayCalendar: rule.charged_day_calendar,
    weekendDays: rule.weekend_days.map(String),
    holidays: rule.holidays.join("\n"),
    currencyCode: rule.currency_code,
    tiers: tiersText(rule.tiers.map(({ from_day: day, amount_per_day: amount }) => ({ day: String(day), amount }))),
  };
}

const oneOf = <Value extends string>(values: readonly [Value, ...Value[]], text: string): Value =>
  values.find((value) => value === text) ?? values[0];

export function readDemurrageForm(values: FormValues): DemurrageForm {
  const amounts = values.all("tierAmount");
  const tiers = values.all("tierDay").map((day, index) => ({ day: day.trim(), amount: amounts[index]?.trim() ?? "" }));
  return {
    name: values.text("name"),
    kind: oneOf(demurrageKinds, values.text("kind")),
    direction: oneOf(tradeDirections, values.text("direction")),
    carrierScac: values.text("carrierScac").toUpperCase(),
    portLocode: readPort(values.text("portLocode")),
    terminalCode: values.text("terminalCode").toUpperCase(),
    equipmentTypes: values.text("equipmentTypes"),
    equipmentLengths: values.text("equipmentLengths"),
    validFrom: values.text("validFrom"),
    validUntil: values.text("validUntil"),
    countingStart: values.text("countingStart"),
    startOffsetDays: values.text("startOffsetDays"),
    freeDays: values.text("freeDays"),
    freeDayCalendar: oneOf(dayCalendars, values.text("freeDayCalendar")),
    chargedDayCalendar: oneOf(dayCalendars, values.text("chargedDayCalendar")),
    weekendDays: [...new Set(values.all("weekendDays"))],
    holidays: values.text("holidays"),
    currencyCode: values.text("currencyCode").toUpperCase(),
    tiers: tiersText(tiers),
  };
}

const splitText = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");

const isTier = ({ day, amount }: TierRow): boolean => /^\d{1,4}$/.test(day) && /^\d+(?:\.\d+)?$/.test(amount);

/** The rule of the form, for the API, which validates it. */
export function toRule(form: DemurrageForm): NewDemurrageRule {
  const countingStart = countingStarts.find((one) => one === form.countingStart);
  return {
    name: form.name,
    kind: form.kind,
    direction: form.direction,
    carrierScac: form.carrierScac || null,
    portLocode: form.portLocode || null,
    terminalCode: form.terminalCode || null,
    equipmentTypes: splitText(form.equipmentTypes.toLowerCase(), /,/),
    equipmentLengths: splitText(form.equipmentLengths, /[\s,]+/).map(Number),
    validFrom: form.validFrom || null,
    validUntil: form.validUntil || null,
    ...(countingStart && { countingStart }),
    startOffsetDays: Number(form.startOffsetDays),
    freeDays: Number(form.freeDays),
    freeDayCalendar: form.freeDayCalendar,
    chargedDayCalendar: form.chargedDayCalendar,
    weekendDays: form.weekendDays.map(Number),
    holidays: splitText(form.holidays, /[\s,]+/),
    currencyCode: form.currencyCode,
    tiers: tierRows(form.tiers).map(({ day, amount }) => ({ fromDay: Number(day), amountPerDay: amount })),
  };
}

const integerPattern = /^\d{1,3}$/;

/** Rejects only what cannot be sent to the API. */
export function problemsOfForm(form: DemurrageForm): Problems {
  const tiers = tierRows(form.tiers);
  const areLengths = splitText(form.equipmentLengths, /[\s,]+/).every((length) => integerPattern.test(length));
  const port = portProblem(form.portLocode);
  return {
    ...(form.name === "" && { name: "Enter a name, for example the number of the contract." }),
    ...(port !== null && { portLocode: port }),
    ...(!integerPattern.test(form.freeDays) && { freeDays: "Enter the number of free days; 0 for none." }),
    ...(!integerPattern.test(form.startOffsetDays) && {
      startOffsetDays: "Enter a number of days; 1 is the day after.",
    }),
    ...(!areLengths && { equipmentLengths: "Enter lengths in feet, such as 20, 40, separated by commas." }),
    ...(tiers.length === 0 && { tiers: "Enter the amount per day from day 1." }),
    ...(!tiers.every(isTier) && {
      tiers: "Enter a day and an amount in each row, for example 5 and 150.00, or leave the row empty.",
    }),
  };
}
