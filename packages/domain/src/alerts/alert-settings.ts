import type { AlertSubscriptionSettings } from "./alert-subscription.ts";

const defaults: AlertSubscriptionSettings = {
  name: "",
  frequency: "at_once",
  hour: null,
  weekday: null,
  timeZone: null,
  kinds: [],
  severities: [],
  carriers: [],
  customers: [],
  tags: [],
  savedViewId: null,
  minimumAmount: null,
  minimumAmountCurrency: null,
  includesResolved: false,
  active: true,
};

/**
 * The settings of a new subscription, or of one that is changed: absent settings have their default or stay as they
 * are. Only digests have a time of the day, only weekly ones a day of the week, and only a minimum has a currency.
 */
export function alertSettings(
  written: Partial<AlertSubscriptionSettings>,
  present: AlertSubscriptionSettings | null,
): AlertSubscriptionSettings {
  const settings = { ...(present ?? defaults), ...written };
  const { frequency, hour, weekday, timeZone } = settings;
  const isDigest = frequency !== "at_once";
  return {
    ...settings,
    hour: isDigest ? (hour ?? 8) : null,
    weekday: frequency === "weekly" ? (weekday ?? 1) : null,
    timeZone: isDigest ? (timeZone ?? "UTC") : null,
    minimumAmountCurrency: settings.minimumAmount === null ? null : settings.minimumAmountCurrency,
  };
}
