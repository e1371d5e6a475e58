import { describe, expect, test } from "@jest/globals";
import { instant } from "../instant.ts";
import { alertFilterProblem, applicableSettings, type SavedView, viewProblems } from "./saved-view.ts";
import { viewRequest } from "./view-request.ts";

type Settings = Pick<SavedView, "list" | "filters" | "sort" | "columns">;

const view = (more: Partial<Settings>): Settings => ({
  list: "shipments",
  filters: {},
  sort: null,
  columns: [],
  ...more,
});
const now = instant("2026-11-25T12:00:00.000Z");
const request = (more: Partial<Settings>, memberEmail: string | null = "ann@example.com") =>
  decodeURIComponent(viewRequest(view(more), { now, memberEmail }));

describe("saved views", () => {
  test.each<[Partial<Settings>, string]>([
    [{}, "/shipments"],
    [{ filters: { port: "DEHAM" } }, "/shipments?filter[port]=DEHAM"],
    [{ filters: { status: "in_transit" } }, "/shipments?filter[status]=in_transit"],
    [{ sort: "-last_changed_at" }, "/shipment_overviews?sort=-last_changed_at"],
    [
      { filters: { status: "pending", tag: "a,b" }, sort: "-arrival" },
      "/shipment_overviews?filter[status]=pending&filter[tag]=a\\,b&sort=-arrival",
    ],
    [{ filters: { updated_after: "2026-11-20" } }, "/shipments?filter[updated_after]=2026-11-20T00:00:00.000Z"],
    [
      { filters: { customer: "Ops, Retail", port: "DEHAM" }, sort: "arrival" },
      "/shipment_overviews?filter[end_port]=DEHAM&filter[customer]=Ops\\,+Retail&sort=arrival",
    ],
    [{ filters: { customer_name: "Ops, Retail" } }, "/shipment_overviews?filter[customer_name]=Ops\\,+Retail"],
    [{ list: "containers" }, "/container_overviews?filter[empty_returned]=false&filter[tracking_stopped]=false"],
    [
      {
        list: "containers",
        filters: {
          tracking: "any",
          vessel: "SBX",
          equipment: "reefer",
          last_free_day_to: "2026-12-31",
          late_days: "3",
          arrival_from: "2026-12-01",
        },
      },
      "/container_overviews?filter[equipment]=reefer&filter[vessel]=SBX&filter[last_free_day_before]=2027-01-01&filter[delayed_by_days]=3&filter[arrival_after]=2026-11-30T23:59:59.999Z",
    ],
    [{ list: "containers", filters: { returned: "any" } }, "/container_overviews?filter[tracking_stopped]=false"],
    [
      { list: "containers", filters: { tracking: "any", condition: "late" } },
      "/container_overviews?filter[delayed_by_days]=2",
    ],
    [
      { list: "containers", filters: { condition: "last_free_day" } },
      "/container_overviews?filter[last_free_day_within_days]=3",
    ],
    [{ list: "exceptions", filters: { owner: "me" } }, "/exceptions?filter[status]=open&filter[owner]=ann@example.com"],
    [
      {
        list: "exceptions",
        filters: { owner: "bo@example.com", carrier: "MAEU", customer: "A, B", port_of_discharge: "DEHAM" },
      },
      "/exceptions?filter[status]=open&filter[carrier]=MAEU&filter[port_of_discharge]=DEHAM&filter[owner]=bo@example.com&filter[customer]=A\\,+B",
    ],
  ])("the records of %j are those of %s", (settings, expected) => {
    expect(request(settings)).toBe(expected);
  });

  test("names settings that the list does not have, and omits them", () => {
    const outdated = view({
      filters: { port: "DEHAM", colour: "red", status: "sunk" },
      sort: "size",
      columns: ["route", "x", "custom_fields.cost_centre", "custom_fields.Cost"],
    });
    expect(viewProblems(outdated).map(({ setting, name }) => [setting, name])).toEqual([
      ["filters", "colour"],
      ["filters", "status"],
      ["sort", null],
      ["columns", null],
    ]);
    expect(applicableSettings(outdated)).toEqual({
      filters: { port: "DEHAM" },
      sort: null,
      columns: ["route", "custom_fields.cost_centre"],
    });
    expect(viewProblems(view({ filters: { toString: "x" } }))).toHaveLength(1);
  });

  test("alerts take views of shipments and exceptions, without filters by times", () => {
    expect(alertFilterProblem(view({ filters: { carrier: "MAEU" } }))).toBeNull();
    expect(alertFilterProblem(view({ list: "exceptions", filters: { owner: "me" } }))).toBeNull();
    expect(alertFilterProblem(view({ filters: { arrival: "next_7_days" } }))).toContain("Leave arrival out");
    expect(alertFilterProblem(view({ filters: { vessel: "SBX" } }))).toContain("Leave vessel out");
    expect(alertFilterProblem(view({ list: "containers" }))).toContain("not of containers");
    const exceptionViewProblem = (filters: Settings["filters"]) =>
      alertFilterProblem(view({ list: "exceptions", filters }));
    expect(exceptionViewProblem({ carrier: "MAEU", customer: "Kite" })).toContain("Leave carrier and customer out");
    expect(exceptionViewProblem({ owner: "bo@example.com" })).toContain("owners me and none only");
  });
});
