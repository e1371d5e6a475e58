import { wireNames, writeDocument } from "../documents/write-document.ts";
import type { Format } from "../format.ts";
import { plainRecordCalls } from "./plain-records.ts";
import { type CreateOptions, type Reader, segment, type WriteOptions } from "./reader.ts";
import { demurrageRuleKind } from "./record-kinds.ts";

type DayCalendar = "calendar_days" | "working_days";

/** Changes of a rule. An absent member is not changed. In a scope, null or an empty list matches any. */
export interface DemurrageRuleEdit {
  readonly name?: string | undefined;
  readonly kind?: "demurrage" | "detention" | "per_diem" | undefined;
  readonly direction?: "import" | "export" | undefined;
  /** SCAC of the shipping line. */
  readonly carrierScac?: string | null | undefined;
  /** UN/LOCODE of the port of discharge (import) or of lading (export). */
  readonly portLocode?: string | null | undefined;
  /** FIRMS or SMDG code of a terminal in that port; imports only. */
  readonly terminalCode?: string | null | undefined;
  /** Equipment types, such as `dry` or `reefer`. */
  readonly equipmentTypes?: readonly string[] | undefined;
  /** Feet. */
  readonly equipmentLengths?: readonly number[] | undefined;
  /** YYYY-MM-DD: the first day on which counting may start. */
  readonly validFrom?: string | null | undefined;
  /** YYYY-MM-DD: the last day on which counting may start. */
  readonly validUntil?: string | null | undefined;
  readonly countingStart?:
    | "vessel_arrived"
    | "discharged"
    | "available"
    | "full_out"
    | "empty_out"
    | "full_in"
    | undefined;
  /** Days after the start at which the first day is counted; 1 is the day after. */
  readonly startOffsetDays?: number | undefined;
  readonly freeDays?: number | undefined;
  readonly freeDayCalendar?: DayCalendar | undefined;
  readonly chargedDayCalendar?: DayCalendar | undefined;
  /** 1 is Monday. */
  readonly weekendDays?: readonly number[] | undefined;
  /** YYYY-MM-DD. */
  readonly holidays?: readonly string[] | undefined;
  /** ISO 4217. */
  readonly currencyCode?: string | undefined;
  /** Price of a day from the n-th charged day on, as decimal text. The first tier begins with day 1. */
  readonly tiers?: readonly { readonly fromDay: number; readonly amountPerDay: string }[] | undefined;
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
