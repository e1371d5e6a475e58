import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { documentOf } from "@svc/jsonapi/documents";
import { EdiFileResource } from "@svc/jsonapi/edi-files";
import { finishEdiFile } from "@svc/persistence/edi-files";
import { startTestApi, type TestAccount, type TestApi } from "../testing/start-test-api.ts";

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await startTestApi();
  account = await api.createAccount();
});
afterAll(() => api.close());

const post = (body: object, token = account.token) => api.request("/edi_files", { method: "POST", token, body });

test("202: stored once, with the partner of the last time, and read by its account only", async () => {
  const { status, body, headers } = await post({ content: "UNB+…", name: "a.edi" });
  expect([status, documentOf(EdiFileResource.strict()).safeParse(body).error]).toEqual([202, undefined]);
  expect(body.data.attributes).toMatchObject({ status: "received", partner: "standard", size_bytes: 7, faults: [] });
  const again = await post({ content: "UNB+…", partner: "cargosmart", scac: "OOLU" });
  expect(again.body.data).toMatchObject({ id: body.data.id, attributes: { partner: "cargosmart", scac: "OOLU" } });
  const stored = await api.database.pool.query("SELECT channel, form FROM event_messages WHERE account_id = $1", [
    account.id,
  ]);
  expect(stored.rows).toEqual([{ channel: "edi", form: "edi" }]);
  const path = new URL(headers.get("location") ?? "").pathname.replace(/^\/v2/, "");
  expect((await api.request(path, { token: (await api.createAccount()).token })).status).toBe(404);
  const fault = { line: 1, segment: 0, tag: null, element: null, message: null, detail: "The file is empty." };
  const none = { messages: 0, statuses: 0, events: 0, applied: 0, untracked: 0, withoutCarrier: 0, newFacts: 0 };
  const notes = [{ kind: "315", code: "PA", meaning: "Hold", containerNumber: "MSKU0000006", line: 4 }];
  await finishEdiFile(
    api.database.sql,
    { accountId: account.id, id: body.data.id },
    {
      status: "rejected",
      ...{ sender: null, controlNumber: null },
      result: {
        ...{ syntax: null, ...none, noteCount: 1, notes, unmapped: [{ kind: "315", code: "Q9", count: 2, line: 4 }] },
        ...{ faultCount: 1, faults: [fault], acknowledgement: null },
      },
    },
  );
  const read = await api.request(path, { token: account.token });
  expect(documentOf(EdiFileResource.strict()).safeParse(read.body).error).toBeUndefined();
  expect(read.body.data.attributes).toMatchObject({
    status: "rejected",
    faults: [fault],
    unmapped_codes: [{ message_type: "315", code: "Q9", count: 2, line: 4 }],
    notes: [{ message_type: "315", container_number: "MSKU0000006" }],
  });
});

test("422: no content, a partner that has no profile, a carrier that is no SCAC; 413 beyond a mebibyte", async () => {
  const content = "UNB";
  const wrong = [
    ...[{}, { content: "" }, { content: '{"rows":[]}' }, { content: "UNB\ud800" }],
    ...[
      { content, partner: "unlisted" },
      { content, scac: "maeu" },
      { content, name: "a\u0000" },
      { content, name: " " },
    ],
  ];
  for (const body of wrong) expect((await post(body)).status).toBe(422);
  expect((await post({ content: "x".repeat(1_100_000) })).status).toBe(413);
});
