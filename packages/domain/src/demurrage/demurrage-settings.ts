import { countedBetween, type DemurrageSettings } from "./demurrage-rule.ts";

const defaults: DemurrageSettings = {
  name: "",
  kind: "demurrage",
  direction: "import",
  carrierScac: null,
  portLocode: null,
  terminalCode: null,
  equipmentTypes: [],
  equipmentLengths: [],
  validFrom: null,
  validUntil: null,
  countingStart: "discharged",
  startOffsetDays: 1,
  freeDays: 0,
  freeDayCalendar: "calendar_days",
  chargedDayCalendar: "calendar_days",
  weekendDays: [6, 7],
  holidays: [],
  currencyCode: "",
  tiers: [],
};

const unique = <Value extends string | number>(values: readonly Value[]): Value[] => [...new Set(values)].toSorted();

/**
 * The settings of a new rule, or of one that is changed: absent settings have their default or stay as they are. With
 * another kind or direction the start of counting is its default again.
 */
export function demurrageSettings(
  written: Partial<DemurrageSettings>,
  present: DemurrageSettings | null,
): DemurrageSettings {
  const settings = { ...(present ?? defaults), ...written };
  const { kind, direction, terminalCode } = settings;
  const keepsStart = present?.kind === kind && present.direction === direction;
  const [firstStart] = countedBetween[kind][direction].starts;
  return {
    ...settings,
    countingStart: written.countingStart ?? (keepsStart ? null : firstStart) ?? settings.countingStart,
    terminalCode: terminalCode?.toUpperCase() ?? null,
    equipmentTypes: unique(settings.equipmentTypes),
    equipmentLengths: unique(settings.equipmentLengths),
    weekendDays: unique(settings.weekendDays),
    holidays: unique(settings.holidays),
  };
}
