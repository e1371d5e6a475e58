import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

async function createParty(name: string, token?: string): Promise<string> {
  const body = { data: { attributes: { company_name: name } } };
  return (await api.request("/parties", { method: "POST", body, ...(token && { token }) })).body.data.id;
}

const edit = (id: string, members: object) =>
  api.request(`/shipments/${id}`, { method: "PATCH", body: { data: { attributes: {}, ...members } } });
const customer = (id: string | null) => ({
  relationships: { customer: { data: id === null ? null : { type: "party", id } } },
});

test("assigns, keeps and removes the customer with PATCH /shipments/{id}", async () => {
  const id = await insertShipment(api.database, api.account.id);
  const party = await createParty("ACME");
  expect((await edit(id, customer(party))).body.data.attributes.customer_name).toBe("ACME");
  const edited = await edit(id, { attributes: { tags: ["urgent"] } });
  expect(edited.body.data.attributes).toMatchObject({ customer_name: "ACME", tags: ["urgent"] });
  const version = edited.headers.get("etag");
  expect((await edit(id, customer(party))).headers.get("etag")).toBe(version);
  expect((await edit(id, customer(null))).body.data.attributes.customer_name).toBeNull();
});

test("rejects a party of another account, and changes nothing", async () => {
  const id = await insertShipment(api.database, api.account.id);
  const token = await api.createToken((await api.createAccount()).id, { role: "owner" });
  const foreign = await createParty("Theirs", token);
  for (const party of [foreign, "00000000-0000-7000-8000-000000000000"]) {
    const { status, body } = await edit(id, { ...customer(party), attributes: { tags: ["half"] } });
    expect([status, body.errors[0].source]).toEqual([404, { pointer: "/data/relationships/customer" }]);
  }
  expect((await api.request(`/shipments/${id}`)).body.data.attributes.tags).not.toContain("half");
});
