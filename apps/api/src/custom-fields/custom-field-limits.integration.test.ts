import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started, startedEach } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const account = startedEach(() => api.createAccount());

const create = (apiSlug: string, entityType = "Shipment") => {
  const attributes = { entity_type: entityType, api_slug: apiSlug, display_name: apiSlug, data_type: "short_text" };
  return api.request("/custom_field_definitions", {
    method: "POST",
    token: account.token,
    body: { data: { attributes } },
  });
};

const addDefinitions = (count: number) => {
  const at = new Date();
  const type = { entityType: "Shipment", dataType: "short_text", displayName: "Field", createdAt: at, updatedAt: at };
  return api.database.prisma.customFieldDefinition.createMany({
    data: Array.from({ length: count }, (_, index) => ({
      accountId: account.id,
      id: uuidV7.next(),
      apiSlug: `field_${index}`,
      ...type,
    })),
  });
};

test("refuses more than 100 definitions of an entity type, also of concurrent requests", async () => {
  await addDefinitions(98);
  const responses = await Promise.all(Array.from({ length: 8 }, (_, index) => create(`concurrent_${index}`)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 201, 422, 422, 422, 422, 422, 422]);
  expect(await api.database.prisma.customFieldDefinition.count({ where: { accountId: account.id } })).toBe(100);
  expect((await create("another")).body.errors).toEqual([
    expect.objectContaining({
      code: "limit_reached",
      source: { pointer: "/data" },
      detail: "Shipment has the maximum of 100 custom field definitions. Delete one that is not used.",
    }),
  ]);
  expect((await create("another", "Container")).status).toBe(201);
});

test("a deleted definition makes room", async () => {
  await addDefinitions(99);
  const { body } = await create("last");
  expect((await create("another")).status).toBe(422);
  await api.request(`/custom_field_definitions/${body.data.id}`, { method: "DELETE", token: account.token });
  expect((await create("another")).status).toBe(201);
});

test("refuses more than 100 options of a definition, also of concurrent requests", async () => {
  const [at, definitionId] = [new Date(), uuidV7.next()];
  const record = { accountId: account.id, createdAt: at, updatedAt: at };
  const names = { entityType: "Shipment", dataType: "enum", displayName: "Crowded", apiSlug: "crowded" };
  await api.database.prisma.customFieldDefinition.create({ data: { ...record, id: definitionId, ...names } });
  await api.database.prisma.customFieldOption.createMany({
    data: Array.from({ length: 98 }, (_, index) => ({
      ...record,
      id: uuidV7.next(),
      definitionId,
      label: `Option ${index}`,
      value: `option_${index}`,
    })),
  });
  const add = (value: string) =>
    api.request(`/custom_field_definitions/${definitionId}/options`, {
      method: "POST",
      token: account.token,
      body: { data: { attributes: { label: value, value, position: null } } },
    });
  const responses = await Promise.all(["a", "b", "c", "d"].map(add));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 201, 422, 422]);
  expect((await add("e")).body.errors).toEqual([
    expect.objectContaining({
      code: "limit_reached",
      source: { pointer: "/data" },
      detail: "The definition has the maximum of 100 options. Delete one that is not used.",
    }),
  ]);
});
