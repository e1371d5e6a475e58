import { countingStartLabels, countingStarts, demurrageKindLabels, demurrageKinds } from "@svc/domain/demurrage";
import { type Html, html } from "@svc/views";
import { weekdays } from "../alerts/alert-text.ts";
import { type RecordForm, recordFormPage } from "../dashboard/record-form.ts";
import { checkbox, choice } from "../forms/choices.ts";
import { carrierChoices, currencyChoices } from "../forms/code-choices.ts";
import { field, groupProblem, textArea } from "../forms/field.ts";
import { portSuggestions, readPlaces } from "../saved-views/port-suggestions.ts";
import { type CarrierChoice, readCarrierMenu } from "../tracking-requests/carrier-menu.ts";
import { type DemurrageForm, type TierRow, tierRows } from "./demurrage-form.ts";

function scope({ form, problems = {} }: RecordForm<DemurrageForm>, lines: readonly CarrierChoice[], ports: Html): Html {
  const input = (label: string, name: keyof DemurrageForm & string, hint: string) =>
    field({ label, name, value: String(form[name]), problems, hint });
  const date = (label: string, name: "validFrom" | "validUntil") =>
    field({ label, name, value: form[name], problems, type: "date" });
  return html`
    <fieldset>
      <legend>Applies to</legend>
      <p class="muted">The most specific rule applies: by terminal, then port, carrier and equipment.</p>
      <div class="fields">
        ${choice(
          { label: "Carrier", name: "carrierScac", chosen: form.carrierScac, problems },
          carrierChoices(lines, form.carrierScac, "All carriers"),
        )}
        ${field({
          label: "Port",
          name: "portLocode",
          value: form.portLocode,
          problems,
          hint: "Name or UN/LOCODE: of discharge or, for exports, of loading. Leave empty for all ports.",
          maxLength: 60,
          list: "ports",
        })}
        ${input("Terminal", "terminalCode", "FIRMS or SMDG code, imports only. Leave empty for all terminals.")}
        ${input("Equipment types", "equipmentTypes", "For example dry, reefer. Leave empty for all types.")}
        ${input("Equipment lengths", "equipmentLengths", "In feet, for example 20, 40. Leave empty for all lengths.")}
      </div>
      ${ports}
      <div class="fields">${date("Valid from", "validFrom")} ${date("Valid until", "validUntil")}</div>
    </fieldset>`;
}

const calendars = [
  ["calendar_days", "Calendar days"],
  ["working_days", "Working days only"],
] as const;

function counting({ form, problems = {} }: RecordForm<DemurrageForm>): Html {
  const starts = [
    ["", "Usual event"],
    ...countingStarts.map((start) => [start, countingStartLabels[start]] as const),
  ] as const;
  const days = new Set(form.weekendDays);
  const select = (
    name: "countingStart" | "freeDayCalendar" | "chargedDayCalendar",
    label: string,
    values: Parameters<typeof choice>[1],
  ) => choice({ name, label, chosen: form[name], problems }, values);
  return html`
    <fieldset>
      <legend>Free time</legend>
      <div class="fields">
        ${select("countingStart", "Free time starts at", starts)}
        ${field({
          label: "First free day",
          name: "startOffsetDays",
          value: form.startOffsetDays,
          problems,
          hint: "Days after that event: 0 is the same day, 1 the next.",
          type: "number",
        })}
        ${field({ label: "Free days", name: "freeDays", value: form.freeDays, problems, type: "number" })}
        ${select("freeDayCalendar", "Free days count", calendars)}
        ${select("chargedDayCalendar", "Charged days count", calendars)}
      </div>
      <p class="label" id="weekdays">Non-working days</p>
      <div class="actions" role="group" aria-labelledby="weekdays">
        ${weekdays.map((day, index) => {
          const value = String(index + 1);
          return checkbox("weekendDays", day.slice(0, 3), { value, isChecked: days.has(value) });
        })}</div>
      ${groupProblem(problems, "weekendDays")}
      ${textArea({
        label: "Holidays",
        name: "holidays",
        value: form.holidays,
        problems,
        hint: "Dates such as 2026-12-25, one per line.",
        rows: 3,
      })}
    </fieldset>`;
}

const emptyRowsCount = 4;

/** The tiers, and empty rows for more, so that adding one needs no JavaScript. */
function tierTable(tiers: string): Html {
  const entered = tierRows(tiers);
  const first: TierRow[] = entered.length === 0 ? [{ day: "1", amount: "" }] : entered;
  const rows = [...first, ...Array.from({ length: emptyRowsCount }, () => ({ day: "", amount: "" }))];
  return html`
    <table role="presentation" class="tiers">
      <tr>
        <td><label for="tier-day">From charged day</label></td>
        <td><label for="tier-amount">Amount per day</label></td>
      </tr>
      ${rows.map(
        ({ day, amount }, index) => html`
        <tr>
          <td><input${index === 0 && html` id="tier-day"`} name="tierDay" value="${day}" inputmode="numeric"
            maxlength="4" autocomplete="off" aria-label="From charged day, row ${index + 1}"></td>
          <td><input${index === 0 && html` id="tier-amount"`} name="tierAmount" value="${amount}" inputmode="decimal"
            maxlength="20" autocomplete="off" aria-label="Amount per day, row ${index + 1}"></td>
        </tr>`,
      )}
    </table>`;
}

/** `/account/demurrage/new` and `/account/demurrage/{id}/edit`. */
export async function demurrageFormPage(options: RecordForm<DemurrageForm>): Promise<Html> {
  const { caller, id, form, problems = {} } = options;
  const [{ lines }, places] = await Promise.all([readCarrierMenu(caller.api), readPlaces(caller.api)]);
  const kinds = demurrageKinds.map((kind) => [kind, demurrageKindLabels[kind]] as const);
  const directions = [
    ["import", "Import"],
    ["export", "Export"],
  ] as const;
  return recordFormPage(options, {
    title: id === null ? "New demurrage rule" : "Edit demurrage rule",
    part: "demurrage",
    path: "/account/demurrage",
    createLabel: "Create rule",
    fields: html`
        ${field({
          label: "Name",
          name: "name",
          value: form.name,
          problems,
          hint: "Shown with the charges, for example the number of the contract.",
          maxLength: 100,
          isRequired: true,
        })}
        <div class="fields">
          ${choice({ name: "kind", label: "Kind", chosen: form.kind, problems }, kinds)}
          ${choice({ name: "direction", label: "Direction", chosen: form.direction, problems }, directions)}
        </div>
        ${scope(options, lines, portSuggestions(places))}
        ${counting(options)}
        <fieldset>
          <legend>Charges</legend>
          <div class="fields">${choice(
            { label: "Currency", name: "currencyCode", chosen: form.currencyCode, problems },
            currencyChoices(form.currencyCode),
          )}</div>
          ${tierTable(form.tiers)}
          ${groupProblem(problems, "tiers")}
        </fieldset>`,
  });
}
