import { describe, expect, test } from "@jest/globals";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { PartyResource } from "@svc/jsonapi/parties";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

const write = (path: string, method: string, company_name: unknown, token = api.account.token) =>
  api.request(path, { method, token, body: { data: { type: "party", attributes: { company_name } } } });

describe("parties", () => {
  test("201, then read, listed 25 a page and renamed", async () => {
    const { status, headers, body } = await write("/parties", "POST", "Acme Imports");
    expect([status, documentSchema(PartyResource.strict()).safeParse(body).error]).toEqual([201, undefined]);
    expect((await api.request(headers.get("location") ?? "")).body).toEqual(body);
    const list = await api.request("/parties");
    expect(pageSchema(PartyResource.strict()).safeParse(list.body).error).toBeUndefined();
    expect([list.body.data, list.body.meta.page.size]).toEqual([[body.data], 25]);
    const renamed = await write(`/parties/${body.data.id}`, "PATCH", "ACME imports");
    expect([renamed.status, renamed.body.data.attributes.company_name]).toEqual([200, "ACME imports"]);
    expect((await api.request(`/parties/${body.data.id}`)).body).toEqual(renamed.body);
  });

  test("are found by their names, ignoring case", async () => {
    const { body } = await write("/parties", "POST", "Müller, Söhne & Co");
    await write("/parties", "POST", "Müller");
    const found = async (name: string) => {
      const { status, body: list } = await api.request(`/parties?filter[company_name]=${encodeURIComponent(name)}`);
      return [status, list.data?.map(({ id }: { id: string }) => id)];
    };
    expect(await found("MüLLER\\, Söhne & CO")).toEqual([200, [body.data.id]]);
    expect(await found("Söhne")).toEqual([200, []]);
    expect((await found("x".repeat(201)))[0]).toBe(400);
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

  describe("renamed concurrently", () => {
    const createParty = async (name: string) => {
      const { body, headers } = await write("/parties", "POST", name);
      return { id: body.data.id as string, path: `/parties/${body.data.id}`, tag: headers.get("etag") ?? "" };
    };

    /** Sends a rename that waits for another's, which commits meanwhile. Returns its response. */
    async function renameBehind(renamed: { id: string; to: string }, path: string, name: string, headers: object) {
      const { pool } = api.database;
      const other = await pool.connect();
      try {
        await other.query("BEGIN");
        const rename = "UPDATE parties SET company_name = $2, row_version = row_version + 1 WHERE id = $1";
        await other.query(rename, [renamed.id, renamed.to]);
        const body = { data: { attributes: { company_name: name } } };
        const response = api.request(path, { method: "PATCH", headers: { ...headers }, body });
        await eventually("the request waits", async () => {
          const { rowCount } = await pool.query(`SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%parties%'`);
          return rowCount === 1;
        });
        await other.query("COMMIT");
        return await response;
      } finally {
        other.release();
      }
    }

    test.each([
      ["with a key", { "Idempotency-Key": "rename-once" }],
      ["without", {}],
    ])("422: another party gets the name, %s", async (name, headers) => {
      const [one, two] = [await createParty(`One ${name}`), await createParty(`Two ${name}`)];
      const response = await renameBehind({ id: one.id, to: `Wanted ${name}` }, two.path, `WANTED ${name}`, headers);
      expect([response.status, response.body.errors[0].code]).toEqual([422, "duplicate"]);
      expect((await api.request(two.path)).body.data.attributes.company_name).toBe(`Two ${name}`);
    });

    test("412: the edit is tied to the version before", async () => {
      const { id, path, tag } = await createParty("Before");
      const response = await renameBehind({ id, to: "Theirs" }, path, "Ours", { "If-Match": tag });
      expect([response.status, response.body.errors[0].code]).toEqual([412, "precondition_failed"]);
      expect((await api.request(path)).body.data.attributes.company_name).toBe("Theirs");
    });

    test("200: the last one counts, and its tag is that of the record", async () => {
      const { id, path } = await createParty("Former");
      const response = await renameBehind({ id, to: "Passing" }, path, "Lasting", {});
      expect([response.status, response.body.data.attributes.company_name]).toEqual([200, "Lasting"]);
      const headers = { "If-Match": response.headers.get("etag") ?? "" };
      const body = { data: { attributes: { company_name: "Tied" } } };
      expect((await api.request(path, { method: "PATCH", headers, body })).status).toBe(200);
    });

    test("200: both give it the same name", async () => {
      const { id, path } = await createParty("Unnamed");
      const response = await renameBehind({ id, to: "Agreed" }, path, "Agreed", {});
      expect([response.status, (await api.request(path)).body.data]).toEqual([200, response.body.data]);
    });
  });

  test("404: another account's party; its names do not collide with ours", async () => {
    const otherAccount = await api.createAccount();
    const { body } = await write("/parties", "POST", "Shared name");
    expect((await api.request(`/parties/${body.data.id}`, { token: otherAccount.token })).status).toBe(404);
    expect((await write(`/parties/${body.data.id}`, "PATCH", "x", otherAccount.token)).status).toBe(404);
    expect((await write("/parties", "POST", "Shared name", otherAccount.token)).status).toBe(201);
  });
});
