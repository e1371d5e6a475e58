import { describe, expect, test } from "@jest/globals";
import { demurrageSettings } from "./demurrage-settings.ts";

describe("settings of a demurrage rule", () => {
  const tiers = [{ fromDay: 1, amountPerDay: "75.00" }];
  const present = demurrageSettings({ name: "Contract", currencyCode: "USD", tiers, startOffsetDays: 0 }, null);

  test("absent settings of a new rule have their defaults", () => {
    expect(present).toMatchObject({
      kind: "demurrage",
      direction: "import",
      countingStart: "discharged",
      freeDayCalendar: "calendar_days",
      startOffsetDays: 0,
      weekendDays: [6, 7],
      carrierScac: null,
      tiers,
    });
    const detention = demurrageSettings({ kind: "detention", direction: "export" }, null);
    expect(detention.countingStart).toBe("empty_out");
  });

  test("absent settings of an edit stay as they are, null removes", () => {
    const limited = demurrageSettings({ carrierScac: "MAEU", validFrom: "2026-01-01" }, present);
    expect(limited).toEqual({ ...present, carrierScac: "MAEU", validFrom: "2026-01-01" });
    expect(demurrageSettings({ carrierScac: null }, limited)).toEqual({ ...present, validFrom: "2026-01-01" });
  });

  test("the start of counting is the default again with another kind or direction only", () => {
    const available = demurrageSettings({ countingStart: "available" }, present);
    expect(demurrageSettings({ freeDays: 3 }, available).countingStart).toBe("available");
    expect(demurrageSettings({ kind: "detention" }, available).countingStart).toBe("full_out");
    expect(demurrageSettings({ kind: "detention", countingStart: "discharged" }, available).countingStart).toBe(
      "discharged",
    );
  });

  test("lists are unique and in order, codes of terminals in capitals", () => {
    const written = { weekendDays: [7, 5, 7], equipmentTypes: ["reefer", "dry", "dry"], terminalCode: "w185" };
    expect(demurrageSettings(written, present)).toMatchObject({
      weekendDays: [5, 7],
      equipmentTypes: ["dry", "reefer"],
      terminalCode: "W185",
    });
  });
});
