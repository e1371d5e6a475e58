import http from "node:http";
import { beforeAll, expect, test } from "@jest/globals";
import { ediBytesMax, partnerProfiles } from "@svc/edi";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { EdiFileResource, ediPartnerNames, ListedEdiFileResource } from "@svc/jsonapi/edi-files";
import { finishEdiFile } from "@svc/persistence/edi-files";
import { started } from "@svc/testkit/started";
import { startTestApi, type TestAccount } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let account: TestAccount;
beforeAll(async () => {
  account = await api.createAccount();
});

const send = (
  body: string | Uint8Array,
  { query = "", token = account.token, headers = {} }: { query?: string; token?: string; headers?: object } = {},
) =>
  api.request(`/edi${query}`, {
    method: "POST",
    token,
    headers: { "Content-Type": "application/edifact", ...headers },
    body,
  });

const none = { messages: 0, statuses: 0, events: 0, applied: 0, untracked: 0, withoutCarrier: 0, newFacts: 0 };
const fault = { line: 1, segment: 0, tag: null, element: null, message: null, detail: "The file is empty." };

/** Records an outcome as the tracking worker does. */
function finish(id: string, sender: string | null, faults: readonly (typeof fault)[]): Promise<void> {
  const notes = [{ kind: "315", code: "PA", meaning: "Hold", containerNumber: "MSKU0000006", line: 4 }];
  return finishEdiFile(
    api.database.sql,
    { accountId: account.id, id },
    {
      status: faults.length > 0 ? "rejected" : "applied",
      sender,
      controlNumber: null,
      result: {
        syntax: null,
        ...none,
        noteCount: 1,
        notes,
        unmapped: [{ kind: "315", code: "Q9", count: 2, line: 4 }],
        faultCount: faults.length,
        faults,
        acknowledgement: null,
      },
    },
  );
}

test("accepts a file with each partner profile", () => {
  expect([...ediPartnerNames].toSorted()).toEqual(partnerProfiles.map(({ name }) => name).toSorted());
});

test("202: stored once, with the partner of the last time, and read by its account only", async () => {
  const { status, body, headers } = await send("UNB+…", { query: "?name=a.edi" });
  expect([status, documentSchema(EdiFileResource.strict()).safeParse(body).error]).toEqual([202, undefined]);
  const expected = { name: "a.edi", status: "received", partner: "standard", size_bytes: 7, faults: [] };
  expect(body.data.attributes).toMatchObject(expected);
  const again = await send("UNB+…", { query: "?partner=cargosmart&scac=OOLU" });
  expect(again.body.data).toMatchObject({ id: body.data.id, attributes: { partner: "cargosmart", scac: "OOLU" } });
  const stored = await api.database.pool.query("SELECT channel, form FROM event_messages WHERE account_id = $1", [
    account.id,
  ]);
  expect(stored.rows).toEqual([{ channel: "edi", form: "edi" }]);
  const path = new URL(headers.get("location") ?? "").pathname.replace(/^\/v2/, "");
  const otherAccount = await api.createAccount();
  for (const each of [path, `${path}/content`]) {
    expect((await api.request(each, { token: otherAccount.token })).status).toBe(404);
  }
  await finish(body.data.id, null, [fault]);
  const read = await api.request(path, { token: account.token });
  expect(documentSchema(EdiFileResource.strict()).safeParse(read.body).error).toBeUndefined();
  expect(read.body.data.attributes).toMatchObject({
    status: "rejected",
    faults: [fault],
    unmapped_codes_count: 1,
    unmapped_codes: [{ message_type: "315", code: "Q9", count: 2, line: 4 }],
    notes: [{ message_type: "315", container_number: "MSKU0000006" }],
  });
});

test("the bytes are kept as they came, and are downloaded as a file that a browser does not show", async () => {
  const bytes = Buffer.from("UNB+UNOC:3+MÜLLER+\r\n\u0000\u001a'", "latin1");
  const name = encodeURIComponent('../a "b"\u00fc.edi');
  const { body } = await send(bytes, {
    query: `?name=${name}`,
    headers: { "Content-Type": "Text/Plain; charset=ISO-8859-1" },
  });
  const { accountId, token } = { accountId: account.id, token: account.token };
  const response = await fetch(`${api.url}/edi_files/${body.data.id}/content`, {
    headers: { Authorization: `Token ${token}` },
  });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": 'attachment; filename="_a__b__.edi"',
    "x-content-type-options": "nosniff",
    "cache-control": expect.stringContaining("no-store"),
  });
  await api.database.pool.query("DELETE FROM event_messages WHERE account_id = $1 AND id = $2", [
    accountId,
    body.data.id,
  ]);
  const gone = await api.request(`/edi_files/${body.data.id}/content`, { token });
  expect([gone.status, gone.body.errors[0].detail]).toEqual([404, expect.stringContaining("too large")]);
});

test("the same Idempotency-Key replays the first response, and is refused with other bytes", async () => {
  const headers = { "Idempotency-Key": "one file" };
  const first = await send("UNB+1'", { headers });
  const again = await send("UNB+1'", { headers });
  expect([again.status, again.text]).toEqual([202, first.text]);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect((await send("UNB+2'", { headers })).status).toBe(422);
});

test("files are listed newest first, with their counts, by status, source, partner, sender and faults", async () => {
  const { id, token } = await api.createAccount();
  account = { ...account, id, token };
  const sent: string[] = [];
  for (const [index, partner] of ["standard", "cargosmart", "standard"].entries()) {
    sent.push((await send(`UNB+${index}'`, { query: `?partner=${partner}` })).body.data.id);
  }
  const [first = "", second = "", third = ""] = sent;
  await finish(first, "A, B", []);
  await finish(second, "C", [fault]);
  const list = async (query: string): Promise<string[]> => {
    const { status, body } = await api.request(`/edi_files?${query}`, { token });
    expect([query, status, body.errors]).toEqual([query, 200, undefined]);
    return body.data.map((file: { id: string }) => file.id);
  };
  const { body } = await api.request("/edi_files", { token });
  expect(pageSchema(ListedEdiFileResource.strict()).safeParse(body).error).toBeUndefined();
  expect(body.data[1].attributes).toMatchObject({ faults_count: 1, unmapped_codes_count: 1, notes_count: 1 });
  expect(await list("")).toEqual([third, second, first]);
  expect(await list("filter[status]=received,applied")).toEqual([third, first]);
  expect(await list("filter[source]=folder")).toEqual([]);
  expect(await list("filter[partner]=cargosmart")).toEqual([second]);
  expect(await list(`filter[sender]=${encodeURIComponent("A\\, B")}`)).toEqual([first]);
  expect(await list("filter[has_faults]=true")).toEqual([second]);
  expect(await list("filter[has_faults]=false")).toEqual([third, first]);
  expect(await list("sort=created_at&page[size]=2")).toEqual([first, second]);
  expect((await api.request("/edi_files?filter[partner]=unlisted", { token })).status).toBe(400);
});

test("422: not EDI; 400: a partner without a profile, no SCAC, no name; 415: another type; each names the accepted values", async () => {
  for (const body of ["", " ", "{}", '{"content":"UNB"}', "\u0000UNB"]) {
    const refused = await send(body);
    expect([body, refused.status, refused.body.errors[0].detail]).toEqual([
      body,
      422,
      "The body must be an EDI file: it begins with ISA (X12), UNA or UNB (EDIFACT).",
    ]);
  }
  for (const query of ["?partner=unlisted", "?scac=maeu", "?name=a%00", "?name=%20", "?content=UNB"]) {
    expect([query, (await send("UNB", { query })).status]).toEqual([query, 400]);
  }
  for (const type of ["application/json", "application/x-www-form-urlencoded", "text/plain; charset=utf-16"]) {
    const refused = await send("UNB", { headers: { "Content-Type": type } });
    expect([refused.status, refused.body.errors[0].detail]).toEqual([
      415,
      "Content-Type must be application/edi-x12, application/edifact or text/plain, with no charset but UTF-8, US-ASCII or ISO-8859-1.",
    ]);
  }
});

test("a file of 20 MiB is taken, one with a byte more is 413; a third large upload at once waits", async () => {
  const full = Buffer.alloc(ediBytesMax, "UNB+");
  expect((await send(full)).status).toBe(202);
  const over = await send(Buffer.concat([full, Buffer.from("'")]));
  expect([over.status, over.body.errors[0].detail]).toEqual([413, expect.stringContaining("(20 MiB)")]);
  const { hostname, port, pathname } = new URL(api.url);
  const open = () => {
    const request = http.request({
      hostname,
      port,
      method: "POST",
      path: `${pathname}/edi`,
      headers: { Authorization: `Token ${account.token}`, "Content-Type": "text/plain", "Content-Length": "2000000" },
    });
    const responded = new Promise<number | undefined>((resolve) => {
      request.on("response", (response) => resolve(response.resume().statusCode)).on("error", () => resolve(undefined));
    });
    request.write("UNB");
    return { request, responded };
  };
  const [one, two, three] = [open(), open(), open()];
  const refused = await Promise.race([one, two, three].map(({ responded }) => responded));
  expect(refused).toBe(429);
  // A client that disconnects frees its place.
  for (const { request } of [one, two, three]) request.destroy();
  await Promise.all([one, two, three].map(({ responded }) => responded));
  await api.whenIdle();
  expect((await send(full)).status).toBe(202);
}, 60_000);
