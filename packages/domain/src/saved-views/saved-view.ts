import { containerStatuses } from "../containers/container.ts";
import { customFieldColumn, customFieldSlug } from "../custom-fields/custom-field-column.ts";
import { exceptionKinds, exceptionStatuses } from "../exceptions/index.ts";
import { equipmentTypes } from "../identifiers/iso-size-type.ts";
import { type Instant, readInstant } from "../instant.ts";
import { overviewStatuses } from "../shipments/index.ts";
import { arrivalChoices, containerConditions, isDay } from "./view-choices.ts";

/** The lists that a view can be saved of. */
export const viewLists = ["shipments", "containers", "exceptions"] as const;
export type ViewList = (typeof viewLists)[number];

/** One value for each filter that is set. */
export type ViewFilters = Readonly<Record<string, string>>;

/** A list with its filters, order and columns under a name (docs/saved-views.md). */
export interface SavedView {
  readonly id: string;
  readonly list: ViewList;
  readonly name: string;
  readonly filters: ViewFilters;
  /** A sort key of the list, with "-" for descending. Null: the order of the list. */
  readonly sort: string | null;
  /** Columns that are shown besides the first one. Empty: the usual ones. */
  readonly columns: readonly string[];
  /** The only member who sees it; null: every member of the account. */
  readonly memberUserId: string | null;
  /** Null when an API token without a user created it. */
  readonly createdByUserId: string | null;
  /** Members whose list opens with this view. */
  readonly defaultOfUserIds: readonly string[];
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

interface ViewFilter {
  /** Values, or what a value is. */
  readonly takes: readonly string[] | string;
  readonly isValid: (value: string) => boolean;
}

interface ViewOptions {
  readonly filters: Readonly<Record<string, ViewFilter>>;
  readonly sorts: readonly string[];
  readonly columns: readonly string[];
  /** Whether the custom fields of its records are columns, too. */
  readonly hasCustomFields?: boolean;
}

const oneOf = (values: readonly string[]): ViewFilter => ({
  takes: values,
  isValid: (value) => values.includes(value),
});
const matching = (takes: string, shape: RegExp): ViewFilter => ({ takes, isValid: (value) => shape.test(value) });
const bothWays = (keys: readonly string[]): string[] => keys.flatMap((key) => [key, `-${key}`]);

const carrier = matching("a SCAC", /^[A-Z]{2,4}$/);
const port = matching("a UN/LOCODE", /^[A-Z]{2}[A-Z0-9]{3}$/);
const vessel = matching("part of a vessel's name or an IMO number, of 1 to 100 characters", /^.{1,100}$/u);
const day: ViewFilter = { takes: "a day, YYYY-MM-DD", isValid: isDay };
const customer = matching("part of a customer's name, of 1 to 100 characters", /^.{1,100}$/u);
const customerName = matching("the name of a customer, of 1 to 200 characters", /^.{1,200}$/u);
const ofCustomer = { customer, customer_name: customerName };
const tag = matching("a tag of 1 to 50 characters", /^.{1,50}$/u);

/** The filters, sort keys and columns of each list. */
export const viewOptions: Readonly<Record<ViewList, ViewOptions>> = {
  shipments: {
    filters: {
      status: oneOf(overviewStatuses),
      carrier,
      port,
      vessel,
      ...ofCustomer,
      tag,
      arrival: oneOf(arrivalChoices),
      updated_after: { takes: "a day or time", isValid: (value) => readInstant(value) !== null },
      tracking: oneOf(["active", "stopped"]),
    },
    sorts: bothWays(["created_at", "updated_at", "last_changed_at", "arrival"]),
    columns: [
      "customer",
      "status",
      "route",
      "containers",
      "departure",
      "arrival",
      "last_free_day",
      "carrier",
      "updated",
    ],
    hasCustomFields: true,
  },
  containers: {
    filters: {
      condition: oneOf(containerConditions),
      status: oneOf(containerStatuses),
      carrier,
      port,
      ...ofCustomer,
      tag,
      tracking: oneOf(["active", "stopped", "any"]),
      returned: oneOf(["any"]),
      vessel,
      equipment: oneOf(equipmentTypes),
      last_free_day_from: day,
      last_free_day_to: day,
      late_days: matching("a number of days from 1 to 365", /^(?:[1-9]|[1-9]\d|[12]\d\d|3[0-5]\d|36[0-5])$/),
      arrival_from: day,
      arrival_to: day,
    },
    sorts: bothWays(["created_at", "updated_at", "last_changed_at", "arrival", "delay", "number", "last_free_day"]),
    columns: [
      "customer",
      "status",
      "equipment",
      "route",
      "last_free_day",
      "pickup",
      "cost",
      "arrival",
      "delay",
      "reason",
      "carrier",
      "updated",
    ],
    hasCustomFields: true,
  },
  exceptions: {
    filters: {
      status: oneOf(exceptionStatuses),
      kind: oneOf(exceptionKinds),
      owner: matching("me, none or the e-mail address of a member", /^(?:me|none|[^\s@]{1,250}@[^\s@]{1,69})$/u),
      ...ofCustomer,
      carrier,
      port_of_discharge: port,
    },
    sorts: [],
    columns: [],
  },
};

type Setting = "filters" | "sort" | "columns";

/** Problem of a setting of a view; filters have the names of those of the list. */
interface ViewProblem {
  readonly setting: Setting;
  /** Name of the filter; null: the problem is the sort key or the columns. */
  readonly name: string | null;
  readonly detail: string;
}

/**
 * Whether the list can show the column. A custom field may be deleted while a view names it, so that every name of one
 * is known.
 */
const hasColumn = ({ columns, hasCustomFields = false }: ViewOptions, column: string): boolean =>
  columns.includes(column) || (hasCustomFields && customFieldSlug(column) !== null);

const columnNames = ({ columns, hasCustomFields = false }: ViewOptions): readonly string[] =>
  hasCustomFields ? [...columns, `${customFieldColumn("")}<slug of a custom field>`] : columns;

const listed = (values: readonly string[]): string => (values.length === 0 ? "none" : values.join(", "));

/** The settings that the list does not have. */
export function viewProblems({
  list,
  filters,
  sort,
  columns,
}: Pick<SavedView, "list" | "filters" | "sort" | "columns">): readonly ViewProblem[] {
  const known = viewOptions[list];
  const filterProblems = Object.entries(filters).flatMap(([name, value]): ViewProblem[] => {
    const filter = Object.hasOwn(known.filters, name) ? known.filters[name] : undefined;
    if (!filter) {
      const names = listed(Object.keys(known.filters));
      return [{ setting: "filters", name, detail: `The list ${list} has no such filter. Filters: ${names}.` }];
    }
    if (filter.isValid(value)) return [];
    const takes = typeof filter.takes === "string" ? filter.takes : `one of: ${listed(filter.takes)}`;
    return [{ setting: "filters", name, detail: `The filter ${name} takes ${takes}.` }];
  });
  const sorts = sort !== null && !known.sorts.includes(sort);
  const unknown = columns.filter((column) => !hasColumn(known, column));
  return [
    ...filterProblems,
    ...(sorts
      ? [{ setting: "sort", name: null, detail: `The list ${list} is sorted by: ${listed(known.sorts)}.` } as const]
      : []),
    ...(unknown.length > 0
      ? [
          {
            setting: "columns",
            name: null,
            detail: `The list ${list} has the columns: ${listed(columnNames(known))}.`,
          } as const,
        ]
      : []),
  ];
}

/** The settings without those that the list no longer has. */
export function applicableSettings<View extends Pick<SavedView, "list" | "filters" | "sort" | "columns">>(view: View) {
  const problems = viewProblems(view);
  const isInvalid = (name: string) =>
    problems.some((problem) => problem.setting === "filters" && problem.name === name);
  const options = viewOptions[view.list];
  return {
    filters: Object.fromEntries(Object.entries(view.filters).filter(([name]) => !isInvalid(name))) as ViewFilters,
    sort: view.sort !== null && options.sorts.includes(view.sort) ? view.sort : null,
    columns: view.columns.filter((column) => hasColumn(options, column)),
  };
}

const leaveOut = (names: readonly string[]): string => `Leave ${names.join(" and ")} out of the view.`;

/** What alerts of a view of exceptions are filtered by; carriers and customers are settings of the alert. */
const alertFilters = ["status", "kind", "owner"];

/** Why alerts cannot be filtered by the view; null: they can. */
export function alertFilterProblem({ list, filters }: Pick<SavedView, "list" | "filters">): string | null {
  if (list === "exceptions") {
    const others = Object.keys(filters).filter((name) => !alertFilters.includes(name));
    if (others.length > 0)
      return `Alerts are not filtered by ${others.join(" and ")} of exceptions. ${leaveOut(others)}`;
    if (!["me", "none"].includes(filters.owner ?? "me")) {
      return "Alerts are filtered by the owners me and none only. Leave other owners out of the view.";
    }
  }
  if (list === "containers") return "Alerts are filtered by views of shipments and of exceptions, not of containers.";
  if (Object.hasOwn(filters, "vessel")) return `Alerts are not filtered by vessel. ${leaveOut(["vessel"])}`;
  const relative = ["arrival", "updated_after"].filter((name) => Object.hasOwn(filters, name));
  if (relative.length === 0) return null;
  return `Alerts are not filtered by times. ${leaveOut(relative)}`;
}
