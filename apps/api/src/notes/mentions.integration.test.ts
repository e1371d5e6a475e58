import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { addMember } from "@svc/persistence/testing";
import { started } from "@svc/testkit/started";
import { insertException, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const ids = { shipment: "", exception: "" };

const member = (email: string, accountId = api.account.id) => addMember(api.database, accountId, { email });

beforeAll(async () => {
  const { userId: author } = await member("author@example.com");
  const text = "UPDATE api_tokens SET created_by_user_id = $2 WHERE account_id = $1";
  await api.database.pool.query(text, [api.account.id, author]);
  await member("Ann@example.com");
  await member("ben@example.com");
  await member("stranger@example.com", (await api.createAccount()).id);
});
beforeEach(async () => {
  await api.database.pool.query("DELETE FROM mention_mails");
  ids.shipment = await insertShipment(api.database, api.account.id);
  ids.exception = await insertException(api.database, api.account.id, {
    shipmentId: ids.shipment,
    subjectId: ids.shipment,
  });
});

const paths = { shipment: "shipments", exception: "exceptions" } as const;
const write = (
  type: keyof typeof paths,
  note: string | null,
  headers: Record<string, string> = {},
  more: object = {},
) =>
  api.request(`/${paths[type]}/${ids[type]}`, {
    method: "PATCH",
    body: { data: { type, id: ids[type], attributes: { note, ...more } } },
    headers,
  });
const planned = async () => {
  const text = `SELECT u.email, m.subject_type AS type, m.subject_id AS id, m.note FROM mention_mails m
    JOIN users u ON u.id = m.user_id AND m.account_id = $1 ORDER BY m.id`;
  return (await api.database.pool.query<{ email: string; note: string }>(text, [api.account.id])).rows;
};
const receivers = async () => (await planned()).map(({ email }) => email).toSorted();

describe.each(["shipment", "exception"] as const)("mentions in the note of a %s", (type) => {
  test("a member is mailed once, also when the note is edited later, and others stay text", async () => {
    const note = "Ask @ann@example.com, not @stranger@example.com or @nobody@example.com <b>";
    expect((await write(type, note)).status).toBe(200);
    expect(await planned()).toEqual([{ email: "Ann@example.com", type, id: ids[type], note }]);
    await write(type, `${note} today`);
    await write(type, `${note} today`);
    expect(await receivers()).toEqual(["Ann@example.com"]);
    await write(type, "@ann@example.com @BEN@example.com");
    expect(await receivers()).toEqual(["Ann@example.com", "ben@example.com"]);
  });

  test("the beginning of an address mentions the member if only one has it", async () => {
    await write(type, "@ann and @nora");
    await write(type, "@ann@example.com");
    expect(await receivers()).toEqual(["Ann@example.com"]);
  });

  test("the author is not mailed", async () => {
    await write(type, "@author@example.com @ben@example.com");
    expect(await receivers()).toEqual(["ben@example.com"]);
  });

  test("a member who disabled these mails is not mailed", async () => {
    const receive = (receives: boolean) =>
      api.database.pool.query(
        `UPDATE memberships m SET mention_mails = $2 FROM users u
         WHERE u.id = m.user_id AND m.account_id = $1 AND u.email = 'ben@example.com'`,
        [api.account.id, receives],
      );
    await receive(false);
    await write(type, "@ann@example.com @ben@example.com");
    await receive(true);
    expect(await receivers()).toEqual(["Ann@example.com"]);
  });

  test("a refused edit plans no mail", async () => {
    expect((await write(type, "@ann@example.com", { "If-Match": '"999-x"' })).status).toBe(412);
    const refused = type === "shipment" ? { tags: ["a", "a"] } : { snoozed_until: "2020-01-01T00:00:00Z" };
    expect((await write(type, "@ann@example.com", {}, refused)).status).toBe(422);
    expect(await receivers()).toEqual([]);
  });

  test("a note that cannot be stored with its mail is not stored", async () => {
    await api.database.pool.query("ALTER TABLE mention_mails ADD CONSTRAINT full_disk CHECK (note <> note) NOT VALID");
    const { status } = await write(type, "@ann@example.com");
    await api.database.pool.query("ALTER TABLE mention_mails DROP CONSTRAINT full_disk");
    const { body } = await api.request(`/${paths[type]}/${ids[type]}`);
    expect([status, body.data.attributes.note, await receivers()]).toEqual([500, null, []]);
  });

  test("a repeated request with its idempotency key, and concurrent ones, mail once", async () => {
    const key = { "Idempotency-Key": uuidV7.next() };
    const first = await write(type, "@ann@example.com", key);
    const again = await write(type, "@ann@example.com", key);
    expect([first.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    await Promise.all(["a", "b", "c"].map((end) => write(type, `@ann@example.com @ben@example.com ${end}`)));
    expect(await receivers()).toEqual(["Ann@example.com", "ben@example.com"]);
  });
});

describe("an assigned exception", () => {
  const assign = (id: string, owner: string | null) =>
    api.request(`/exceptions/${id}`, {
      method: "PATCH",
      body: { data: { type: "exception", id, attributes: { owner } } },
    });
  const assigned = async () => {
    const text = `SELECT u.email, m.exception_ids AS ids FROM mention_mails m
      JOIN users u ON u.id = m.user_id AND m.account_id = $1 ORDER BY u.email`;
    return (await api.database.pool.query<{ email: string; ids: string[] }>(text, [api.account.id])).rows;
  };

  test("is mailed to its new owner, with others that the same member assigns meanwhile", async () => {
    const subjectId = await insertShipment(api.database, api.account.id);
    const other = await insertException(api.database, api.account.id, { shipmentId: subjectId, subjectId });
    await Promise.all([assign(ids.exception, "ann@example.com"), assign(other, "ann@example.com")]);
    await assign(ids.exception, "ANN@example.com");
    const [mail, ...others] = await assigned();
    expect([mail?.email, mail?.ids.toSorted(), others]).toEqual([
      "Ann@example.com",
      [ids.exception, other].toSorted(),
      [],
    ]);
  });

  test("is not mailed to the one who assigns it, to no owner, nor to one who disabled these mails", async () => {
    await assign(ids.exception, "author@example.com");
    await assign(ids.exception, null);
    const receive = (receives: boolean) =>
      api.database.pool.query("UPDATE memberships SET mention_mails = $2 WHERE account_id = $1", [
        api.account.id,
        receives,
      ]);
    await receive(false);
    await assign(ids.exception, "ben@example.com");
    await receive(true);
    expect(await assigned()).toEqual([]);
  });
});

test("plans no mail when mail is not configured", async () => {
  const silent = await startTestApi({ sendsMail: false });
  try {
    const id = await insertShipment(silent.database, silent.account.id);
    const users = await silent.database.prisma.membership.findMany({ include: { user: true } });
    const email = users[0]?.user.email ?? "ann@example.com";
    const body = { data: { type: "shipment", id, attributes: { note: `@${email}` } } };
    expect((await silent.request(`/shipments/${id}`, { method: "PATCH", body })).status).toBe(200);
    expect((await silent.database.pool.query("TABLE mention_mails")).rows).toEqual([]);
  } finally {
    await silent.close();
  }
});
