import { describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));

const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));

const read = async (path: string): Promise<string> => {
  const response = await visitor.get(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};
describe("connecting a carrier", () => {
  test("begins on the list of carriers, which says what each needs", async () => {
    const markup = await read("/carriers");
    expect(markup).toContain('href="/carriers/MAEU" aria-label="Connect Maersk"');
    const pageText = visibleText(markup);
    expect(pageText).toMatch(
      /Available None of these has been run .* Shipping lines \(\d+\) .* Maersk MAEU Consumer key and client secret Connect/,
    );
    expect(pageText).toMatch(/Terminal operators \(\d+\) .* APM Terminals APMT/);
  });

  test("has one page: earlier addresses of the form lead there", async () => {
    const addressOf = async (path: string) => (await visitor.get(path)).headers.get("location");
    expect(await addressOf("/carriers/connect?scac=MAEU")).toBe("/carriers/MAEU");
    for (const query of ["", "?scac=NONE", "?scac=MAEU&scac=HLCU"]) {
      expect(await addressOf(`/carriers/connect${query}`)).toBe("/carriers#available");
    }
  });

  test("says for which carriers tracking requests wait, on the list and on their pages", async () => {
    const [id, subjectId, createdAt] = [uuidV7.next(), uuidV7.next(), new Date()];
    const nextPollAt = new Date(createdAt.getTime() + 86_400_000);
    const [scac, kind, number] = ["HLCU", "bill_of_lading", "HLCU1"];
    const subject = { id: subjectId, accountId: account.id, scac, kind, number, nextPollAt, createdAt };
    await app.database.prisma.trackingSubject.create({ data: subject });
    await app.database.prisma.trackingRequest.create({
      data: {
        accountId: account.id,
        id,
        subjectId,
        scac,
        requestType: kind,
        requestNumber: number,
        normalizedNumber: number,
        status: "pending",
        createdAt,
        updatedAt: createdAt,
      },
    });
    const waiting = "Tracking requests wait for a connection of Hapag-Lloyd.";
    expect(visibleText(await read("/carriers"))).toContain(`${waiting} Connect`);
    expect(visibleText(await read("/carriers/HLCU"))).toContain(waiting);
    expect(visibleText(await read("/carriers/MAEU"))).not.toContain("wait for a connection");
  });

  test("the search finds it by the verb and the start of a name or SCAC", async () => {
    for (const input of ["connect mae", "con maeu"]) {
      expect(await read(`/track/search?${new URLSearchParams({ q: input })}`)).toContain('href="/carriers/MAEU"');
    }
    expect(await read("/track/search?q=maersk")).not.toContain('href="/carriers/MAEU"');
    expect(await read("/track/search?q=connect%20hap")).not.toContain('href="/carriers/MAEU"');
  });
});

/** Connects a carrier by the first form of its page. */
async function connect(member: Pick<typeof visitor, "get" | "post">, scac: string): Promise<void> {
  const [form = ""] =
    /<form class="card form"[\s\S]*?<\/form>/.exec(await (await member.get(`/carriers/${scac}`)).text()) ?? [];
  const [, choice = ""] = /name="choice" value="([^"]*)"/.exec(form) ?? [];
  const fields = [...form.matchAll(/<input [^>]*name="([\w.]+)"/g)].map(([, name = ""]) => [name, "x"]);
  expect((await member.post(`/carriers/${scac}`, { ...Object.fromEntries(fields), choice })).status).toBe(303);
}

test("the form to replace credentials is open once the carrier rejected them", async () => {
  const { prisma } = app.database;
  const owner = await app.addAccount();
  const reader = await app.visit(owner);
  const carrier = async () => (await reader.get("/carriers/CMDU")).text();
  await connect(reader, "CMDU");
  expect(await carrier()).toContain("<details><summary>Replace the credentials");
  const connection = await prisma.carrierConnection.findFirstOrThrow({ where: { accountId: owner.id } });
  const access = { credential: connection.id, accountId: owner.id, day: new Date(), rejectionCount: 1 };
  await prisma.carrierAccess.create({ data: { ...access, lastErrorAt: new Date(), lastError: "rejected" } });
  expect(await carrier()).toContain("<details open><summary>Replace the credentials");
});

test("credentials without a success yet are not shown as connected, and their test is the main action", async () => {
  const reader = await app.visit(await app.addAccount());
  const carrier = async () => (await reader.get("/carriers/CMDU")).text();
  await connect(reader, "CMDU");
  const markup = await carrier();
  expect(markup).toContain('<span class="state soon">Not tested</span>');
  expect(markup).toContain('<button aria-describedby="test-hint">Test connection');
  expect(visibleText(await (await reader.get("/carriers")).text())).toMatch(/CMA CGM CMDU .*?Not tested/);
});

test("lists connections that need something first, and tags unverified carriers once one is verified", async () => {
  const owner = await app.addAccount();
  const reader = await app.visit(owner);
  for (const scac of ["CMDU", "MAEU"]) await connect(reader, scac);
  const page = async () => visibleText(await (await reader.get("/carriers")).text());
  expect(await page()).toMatch(/CMA CGM CMDU Not tested .*None of these has been run/);
  const { prisma } = app.database;
  const proven = await prisma.carrierConnection.findFirstOrThrow({ where: { accountId: owner.id, scac: "CMDU" } });
  const access = { credential: proven.id, accountId: owner.id, answerCount: 1, lastSuccessAt: new Date() };
  await prisma.carrierAccess.create({ data: access });
  const text = await page();
  expect(text).toMatch(/Your connections .*Maersk MAEU Not tested .*CMA CGM CMDU Connected .*Available/);
  expect(text).not.toContain("None of these has been run");
  expect(text).toMatch(/Hapag-Lloyd HLCU .*? Unverified/);
});
