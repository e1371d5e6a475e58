import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { documentOf, PartyResource, pageOf } from "@svc/jsonapi";
import { startTestApi, type TestApi } from "../testing/start-test-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const write = (path: string, method: string, company_name: unknown, token = api.account.token) =>
  api.request(path, { method, token, body: { data: { type: "party", attributes: { company_name } } } });

describe("parties", () => {
  test("201, then read, listed 25 a page and renamed", async () => {
    const { status, headers, body } = await write("/parties", "POST", "Acme Imports");
    expect([status, documentOf(PartyResource.strict()).safeParse(body).error]).toEqual([201, undefined]);
    expect((await api.request(headers.get("location") ?? "")).body).toEqual(body);
    const list = await api.request("/parties");
    expect(pageOf(PartyResource.strict()).safeParse(list.body).error).toBeUndefined();
    expect([list.body.data, list.body.meta.page.size]).toEqual([[body.data], 25]);
    const renamed = await write(`/parties/${body.data.id}`, "PATCH", "ACME imports");
    expect([renamed.status, renamed.body.data.attributes.company_name]).toEqual([200, "ACME imports"]);
    expect((await api.request(`/parties/${body.data.id}`)).body).toEqual(renamed.body);
  });

  test("412: renamed in the meantime", async () => {
    const created = await write("/parties", "POST", "First name");
    const path = `/parties/${created.body.data.id}`;
    const body = (company_name: string) => ({ data: { attributes: { company_name } } });
    const headers = { "If-Match": created.headers.get("etag") ?? "" };
    expect((await api.request(path, { method: "PATCH", headers, body: body("Second name") })).status).toBe(200);
    expect((await api.request(path, { method: "PATCH", headers, body: body("Third name") })).status).toBe(412);
    expect((await api.request(path, { method: "PATCH", headers, body: body("Second name") })).status).toBe(412);
    expect((await api.request(path)).body.data.attributes.company_name).toBe("Second name");
  });

  test("422: a name that is taken, in any case of letters, also by a race; and an empty one", async () => {
    await write("/parties", "POST", "Taken");
    const again = await write("/parties", "POST", "TAKEN");
    expect([again.status, again.body.errors[0].code]).toEqual([422, "duplicate"]);
    const other = await write("/parties", "POST", "Other");
    expect((await write(`/parties/${other.body.data.id}`, "PATCH", "taken")).status).toBe(422);
    const raced = await Promise.all(Array.from({ length: 10 }, () => write("/parties", "POST", "Raced")));
    expect(raced.filter(({ status }) => status === 201)).toHaveLength(1);
    const two = await Promise.all(["A", "B"].map(async (name) => (await write("/parties", "POST", name)).body.data.id));
    const renamed = await Promise.all(two.map((id) => write(`/parties/${id}`, "PATCH", "Same")));
    expect(renamed.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect((await write("/parties", "POST", "  ")).body.errors[0].code).toBe("blank");
  });

  test("404: another account's party; its names do not collide with ours", async () => {
    const stranger = await api.createAccount();
    const { body } = await write("/parties", "POST", "Shared name");
    expect((await api.request(`/parties/${body.data.id}`, { token: stranger.token })).status).toBe(404);
    expect((await write(`/parties/${body.data.id}`, "PATCH", "x", stranger.token)).status).toBe(404);
    expect((await write("/parties", "POST", "Shared name", stranger.token)).status).toBe(201);
  });
});
