import { countedBetween, type DemurrageRule, type DemurrageTerms, ruleProblem } from "@svc/domain/demurrage";
import { TrackingError } from "@svc/jsonapi";
import {
  createDemurrageRuleDocument,
  DemurrageRuleResource,
  demurrageRuleResource,
  editDemurrageRuleDocument,
} from "@svc/jsonapi/demurrage";
import { documentOf, pageOf } from "@svc/jsonapi/documents";
import type { DemurrageRuleSettings } from "@svc/persistence/demurrage";
import { defineRoute } from "../http/define-route.ts";
import { found } from "../http/found.ts";
import { defineRecord, deleteRoute, getRoute, listRoute } from "../http/record-routes.ts";
import { checkWritten, createdReply, oneReply } from "../http/replies.ts";
import type { Services } from "../services.ts";
import { canonicalScacs } from "../tracking-requests/number-forms.ts";

const type = "demurrage_rule";
const tag = "Demurrage";
const rulesMax = 500;

const refuse = (detail: string, name: string): TrackingError =>
  TrackingError.of("invalid", detail, { source: { pointer: `/data/attributes/${name}` } });

const record = defineRecord({
  type,
  tag,
  path: "/demurrage_rules/{id}",
  params: { id: { of: "demurrage rule", kind: "uuid", description: "The rule's id." } },
  shown: { description: "The demurrage rule.", schema: documentOf(DemurrageRuleResource) },
  find: ({ demurrageRules }, accountId, { id }) => demurrageRules.find(accountId, id),
  resource: () => demurrageRuleResource,
});

const list = listRoute(record, {
  path: "/demurrage_rules",
  operationId: "listDemurrageRules",
  summary: "List demurrage rules",
  query: { type, list: { sortKeys: { created_at: "instant" } } },
  page: { description: "A page of demurrage rules, newest first.", schema: pageOf(DemurrageRuleResource) },
  list: ({ demurrageRules }, accountId, { page }) => demurrageRules.list(accountId, page),
});

type Attributes = ReturnType<typeof createDemurrageRuleDocument.attributes.parse>;
type Written = { readonly [Name in keyof Attributes]?: Attributes[Name] | undefined };

const wireNames: Partial<Readonly<Record<string, string>>> = {
  countingStart: "counting_start",
  terminalCode: "terminal_code",
  validUntil: "valid_until",
  weekendDays: "weekend_days",
  currencyCode: "currency_code",
  tiers: "tiers",
};

const unique = <Value extends string | number>(values: readonly Value[]): Value[] => [...new Set(values)].toSorted();

/** By the directory of ports, whose aliases name one place. */
async function canonicalLocode({ referenceData }: Services, locode: string): Promise<string> {
  const port = await referenceData.findPort(locode);
  if (port) return port.locode;
  throw refuse(`No port with the UN/LOCODE ${locode} is known. GET /v2/ports/{locode} shows a port.`, "port_locode");
}

/** Over the settings of `present`: with another kind or direction the start of counting is its default again. */
function termsOf(
  written: Written,
  present: DemurrageRule | null,
): DemurrageTerms & Pick<DemurrageRule, "kind" | "direction"> {
  const kind = written.kind ?? present?.kind ?? "demurrage";
  const direction = written.direction ?? present?.direction ?? "import";
  const keepsStart = present?.kind === kind && present.direction === direction;
  const [firstStart = "discharged"] = countedBetween[kind][direction].starts;
  const tiers = written.tiers?.map(({ from_day, amount_per_day }) => ({
    fromDay: from_day,
    amountPerDay: amount_per_day,
  }));
  return {
    kind,
    direction,
    countingStart: written.counting_start ?? (keepsStart ? present.countingStart : firstStart),
    startOffsetDays: written.start_offset_days ?? present?.startOffsetDays ?? 1,
    freeDays: written.free_days ?? present?.freeDays ?? 0,
    freeDayCalendar: written.free_day_calendar ?? present?.freeDayCalendar ?? "calendar_days",
    chargedDayCalendar: written.charged_day_calendar ?? present?.chargedDayCalendar ?? "calendar_days",
    weekendDays: unique(written.weekend_days ?? present?.weekendDays ?? [6, 7]),
    holidays: unique(written.holidays ?? present?.holidays ?? []),
    currencyCode: written.currency_code ?? present?.currencyCode ?? "",
    tiers: tiers ?? present?.tiers ?? [],
  };
}

const orPresent = <Value>(written: Value | undefined, present: Value | undefined): Value | null =>
  written === undefined ? (present ?? null) : written;

/** The settings that the document asks for, over those of `present`. Throws for combinations that make no sense. */
async function settingsOf(
  services: Services,
  written: Written,
  present: DemurrageRule | null,
): Promise<DemurrageRuleSettings> {
  const { carrier_scac: scac, port_locode: locode } = written;
  const [carrierScac] = scac ? canonicalScacs([scac], await services.shippingLines()) : [scac];
  const settings: DemurrageRuleSettings = {
    ...termsOf(written, present),
    name: written.name ?? present?.name ?? "",
    carrierScac: orPresent(carrierScac, present?.carrierScac),
    portLocode: orPresent(locode && (await canonicalLocode(services, locode)), present?.portLocode),
    terminalCode: orPresent(written.terminal_code?.toUpperCase() ?? written.terminal_code, present?.terminalCode),
    equipmentTypes: unique(written.equipment_types ?? present?.equipmentTypes ?? []),
    equipmentLengths: unique(written.equipment_lengths ?? present?.equipmentLengths ?? []),
    validFrom: orPresent(written.valid_from, present?.validFrom),
    validUntil: orPresent(written.valid_until, present?.validUntil),
  };
  const problem = ruleProblem(settings);
  if (problem === null) return settings;
  const place = problem.index === undefined ? "" : `/${problem.index}`;
  throw refuse(problem.detail, `${wireNames[problem.setting] ?? problem.setting}${place}`);
}

const create = defineRoute({
  method: "post",
  path: "/demurrage_rules",
  operationId: "createDemurrageRule",
  summary: "Create a demurrage rule",
  description:
    "Adds free time and charges as agreed with a shipping line or a terminal. For each kind and direction the most specific rule " +
    "applies to a container: first by terminal, then port, carrier and equipment. The charges of containers are computed again in " +
    "the background. docs/demurrage.md.",
  tag,
  scope: "write",
  action: "edit_records",
  request: { query: { type }, body: { document: createDemurrageRuleDocument } },
  responses: { 201: record.shown },
  async handle(exchange) {
    const { services, caller, body } = exchange;
    const { accountId } = caller;
    const rule = { ...(await settingsOf(services, body.attributes, null)), id: services.ids.next() };
    const created = await services.transaction(accountId, (_sql, { demurrageRules }) =>
      demurrageRules.create(accountId, rule, rulesMax),
    );
    if (created === "limit_reached") {
      const detail = `An account may have ${rulesMax} demurrage rules. Delete one first.`;
      throw TrackingError.of("invalid", detail, { source: { pointer: "/data" } });
    }
    return createdReply(exchange, created, demurrageRuleResource);
  },
});

const get = getRoute(record, { operationId: "getDemurrageRule", summary: "Get a demurrage rule" });

const edit = defineRoute({
  method: "patch",
  path: record.path,
  operationId: "editDemurrageRule",
  summary: "Update a demurrage rule",
  description: "Absent attributes are not changed. The charges of containers are computed again in the background.",
  tag,
  scope: "write",
  action: "edit_records",
  request: {
    params: record.params,
    query: { type },
    body: { document: editDemurrageRuleDocument },
    conditional: true,
  },
  responses: { 200: record.shown },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions } = exchange;
    const { accountId } = caller;
    const edited = await services.transaction(accountId, async (_sql, inTransaction) => {
      const { demurrageRules } = inTransaction;
      const present = found("demurrage rule", params.id, await demurrageRules.lock(accountId, params.id));
      checkWritten(false, ifVersions, present);
      return demurrageRules.edit(accountId, present, await settingsOf(inTransaction, body.attributes, present));
    });
    return oneReply(exchange, edited, demurrageRuleResource);
  },
});

const remove = deleteRoute(record, {
  operationId: "deleteDemurrageRule",
  action: "edit_records",
  summary: "Delete a demurrage rule",
  description: "The charges of containers are computed again in the background, by the rules that are left.",
  answer: { status: 204, description: "Deleted." },
  remove: ({ demurrageRules }, accountId, { id }, ifVersions) => demurrageRules.delete(accountId, id, ifVersions),
});

export const demurrageRuleRoutes = [list, create, get, edit, remove];
