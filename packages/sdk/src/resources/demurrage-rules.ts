import { wireNames, writeDocument } from "../documents/write-document.ts";
import type { Format } from "../format.ts";
import { plainRecordCalls } from "./plain-records.ts";
import { type CreateOptions, type Reader, segment, type WriteOptions } from "./reader.ts";
import { demurrageRuleKind } from "./record-kinds.ts";

type DayCalendar = "calendar_days" | "working_days";

/** Changes of a rule. An absent member is not changed. In a scope, null or an empty list matches any. */
export interface DemurrageRuleEdit {
  readonly name?: string;
  readonly kind?: "demurrage" | "detention" | "per_diem";
  readonly direction?: "import" | "export";
  /** SCAC of the shipping line. */
  readonly carrierScac?: string | null;
  /** UN/LOCODE of the port of discharge (import) or of lading (export). */
  readonly portLocode?: string | null;
  /** FIRMS or SMDG code of a terminal in that port; imports only. */
  readonly terminalCode?: string | null;
  /** Equipment types, such as `dry` or `reefer`. */
  readonly equipmentTypes?: readonly string[];
  /** Feet. */
  readonly equipmentLengths?: readonly number[];
  /** YYYY-MM-DD: the first day on which counting may start. */
  readonly validFrom?: string | null;
  /** YYYY-MM-DD: the last day on which counting may start. */
  readonly validUntil?: string | null;
  readonly countingStart?: "vessel_arrived" | "discharged" | "available" | "full_out" | "empty_out" | "full_in";
  /** Days after the start at which the first day is counted; 1 is the day after. */
  readonly startOffsetDays?: number;
  readonly freeDays?: number;
  readonly freeDayCalendar?: DayCalendar;
  readonly chargedDayCalendar?: DayCalendar;
  /** 1 is Monday. */
  readonly weekendDays?: readonly number[];
  /** YYYY-MM-DD. */
  readonly holidays?: readonly string[];
  /** ISO 4217. */
  readonly currencyCode?: string;
  /** Price of a day from the n-th charged day on, as decimal text. The first tier begins with day 1. */
  readonly tiers?: readonly { readonly fromDay: number; readonly amountPerDay: string }[];
}

export interface NewDemurrageRule extends DemurrageRuleEdit {
  readonly name: string;
  readonly kind: "demurrage" | "detention" | "per_diem";
  readonly direction: "import" | "export";
  readonly freeDays: number;
  readonly currencyCode: string;
  readonly tiers: readonly { readonly fromDay: number; readonly amountPerDay: string }[];
}

const toDocument = (id: string | undefined, { tiers, ...rule }: DemurrageRuleEdit) =>
  writeDocument("demurrage_rule", id, { ...rule, ...(tiers && { tiers: tiers.map(wireNames) }) });

/** Free time and charges as agreed with shipping lines and terminals. */
export function demurrageRulesResource<F extends Format>(reader: Reader<F>) {
  const path = (id: string) => `/demurrage_rules/${segment(id)}`;
  return {
    ...plainRecordCalls(reader, demurrageRuleKind, "/demurrage_rules"),
    create<G extends Format = F>(rule: NewDemurrageRule, options?: CreateOptions<G>) {
      const body = toDocument(undefined, rule);
      return reader.one(demurrageRuleKind, { method: "POST", path: "/demurrage_rules", body }, options);
    },
    update<G extends Format = F>(id: string, edit: DemurrageRuleEdit, options?: WriteOptions<G>) {
      const body = toDocument(id, edit);
      return reader.one(demurrageRuleKind, { method: "PATCH", path: path(id), body }, options);
    },
  };
}
