import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { routes } from "../routes.ts";
import { insertSharedPlaces } from "../testing/full-account.ts";
import { addressOf, createFilledAccount } from "../testing/read-addresses.ts";
import { startTestApi, type TestResponse } from "../testing/start-test-api.ts";

const unknownId = "0199f0a0-0000-7000-8000-000000000001";

const api = started(startTestApi);
const owner = started(async () => createFilledAccount(api, await insertSharedPlaces(api), 1));
const otherAccount = started(() => api.createAccount({ features: ["container_route"] }));

/** Paths of reference data, which every account may read. */
const shared = /^\/(?:shipping_lines|ports|metro_areas|terminals|vessels)\//;
const recordRoutes = routes.filter(({ path }) => path.includes("{id}") && !shared.test(path));
/** Content that every check of the operation's own lets through. */
const contents: Readonly<Record<string, object>> = {
  WriteParty: { company_name: "x" },
  CreateCustomFieldOption: { label: "x", value: "x" },
  PutCustomField: { api_slug: "field_1", value: "v1" },
  EditCustomField: { value: "v1" },
};

/** The response without the parts that only repeat the requested id. */
const withoutId = ({ status, text, headers }: TestResponse, id: string) => [
  status,
  text.replaceAll(id, "ID").replaceAll(headers.get("x-request-id") ?? "", "REQUEST"),
];

test("responds to another account's record byte by byte as to an unknown one, by every operation [spec: J65, P18, G14]", async () => {
  for (const route of recordRoutes) {
    const { body } = route.request;
    const attributes = (body && "document" in body && contents[body.document.name]) || {};
    const type = body && "document" in body ? body.document.type : "";
    const request = (path: string) =>
      api.request(path, {
        method: route.method.toUpperCase(),
        token: otherAccount.token,
        ...(body && { body: "plain" in body ? { since: "2026-11-21T00:00:00Z" } : { data: { type, attributes } } }),
      });
    const otherPath = addressOf(route, owner).replace("{api_slug}", "field_1");
    const [, , id = ""] = otherPath.split("/");
    const none = await request(otherPath.replace(id, unknownId));
    expect([route.operationId, ...withoutId(await request(otherPath), id)]).toEqual([
      route.operationId,
      ...withoutId(none, unknownId),
    ]);
    expect([route.operationId, none.status]).toEqual([route.operationId, 404]);
  }
});

test("an id that has not the form of one is not found either, and no statement asks for it [spec: J65]", async () => {
  for (const route of recordRoutes.filter(({ method }) => method === "get")) {
    const path = route.path.replace("{api_slug}", "field_1").replaceAll(/\{\w+\}/g, "0199f0a0");
    api.takeStatements();
    const { status, body } = await api.request(path, { token: otherAccount.token });
    expect([route.operationId, status, body.errors[0].code]).toEqual([route.operationId, 404, "not_found"]);
    expect(api.takeStatements()).toEqual([]);
  }
});

test("filters by another account's ids find nothing [spec: P18, G14]", async () => {
  for (const query of [
    `/webhook_notifications?filter[webhook]=${owner.ids.webhooks}`,
    `/custom_fields?filter[definition_id]=${owner.ids.definitions}`,
    `/custom_fields?filter[entity_id]=${owner.ids.shipments}`,
  ]) {
    const [otherResponse, own] = [
      await api.request(query, { token: otherAccount.token }),
      await api.request(query, owner),
    ];
    expect([query, otherResponse.status, otherResponse.body.data, own.body.data?.length]).toEqual([query, 200, [], 1]);
  }
});

test("an id means the same in upper case, and is shown in lower case [spec: J67]", async () => {
  const id = owner.ids.shipments ?? "";
  const { status, body } = await api.request(`/shipments/${id.toUpperCase()}`, {
    method: "PATCH",
    token: owner.token,
    body: { data: { type: "shipment", id, attributes: { tags: ["same"] } } },
  });
  expect([status, body.data?.id]).toEqual([200, id]);
});
