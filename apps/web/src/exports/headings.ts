import { columnHeadings } from "@svc/jsonapi/exports";
import type { DisplayColumn } from "./display-cells.ts";
import type { MoneyColumn } from "./money-columns.ts";

const moneyHeadings: Readonly<Record<MoneyColumn, string>> = {
  fees_amount: "Terminal fees",
  fees_currency_code: "Currency of terminal fees",
  terminal_demurrage_amount: "Terminal demurrage",
  terminal_demurrage_currency_code: "Currency of terminal demurrage",
  rule_demurrage_amount: "Demurrage by own rules",
  rule_demurrage_currency_code: "Currency of demurrage by own rules",
  rule_detention_amount: "Detention and per diem by own rules",
  rule_detention_currency_code: "Currency of detention by own rules",
  cost_so_far_amount: "Cost so far",
  cost_so_far_currency_code: "Currency of the cost so far",
  cost_per_day_amount: "Cost per day",
  cost_per_day_currency_code: "Currency of the cost per day",
};

const displayHeadings: Readonly<Record<DisplayColumn, string>> = {
  status_text: "Status",
  last_event_text: "Latest milestone",
  tracking_stopped_text: "Reason for the stop",
  arrival_local: "Arrival, actual or estimated (local)",
  arrival_kind: "Arrival is",
  arrival_time_zone: "Time zone of the arrival",
  overdue_days: "Arrival overdue (days)",
  departure_estimated_local: "Estimated departure (local)",
  departure_actual_local: "Actual departure (local)",
  departure_time_zone: "Time zone of the departure",
  pickup_appointment_local: "Pickup appointment (local)",
  full_out_local: "Picked up (local)",
  pickup_time_zone: "Time zone of the pickup",
};

/** Headings of the columns of lists in a workbook. */
export const headings = { ...columnHeadings, ...moneyHeadings, ...displayHeadings };
