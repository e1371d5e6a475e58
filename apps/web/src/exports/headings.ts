import { columnHeadings } from "@svc/jsonapi/exports";
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
};

/** Headings of the columns of lists in a workbook. */
export const headings = { ...columnHeadings, ...moneyHeadings };
