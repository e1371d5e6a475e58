import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { startTestWeb } from "../testing/start-test-web.ts";
import { createLineCatalogue } from "./line-catalogue.ts";

test("shipping lines are read once a minute, and again after a failure", async () => {
  const app = await startTestWeb();
  try {
    let [now, isAway] = [0, false];
    let asked = 0;
    const { sql } = app.database;
    const counted: typeof sql = {
      ...sql,
      rows: (...given) => {
        asked++;
        return isAway ? Promise.reject(new Error("away")) : sql.rows(...given);
      },
    };
    const read = createLineCatalogue(counted, () => now);
    const [first, again] = await Promise.all([read(), read()]);
    expect([first.length > 10, again, asked]).toEqual([true, first, 1]);
    await app.database.prisma.shippingLine.create({
      data: { id: uuidV7.next(), scac: "ZZZZ", name: "Zulu", shortName: "Zulu" },
    });
    now = 59_999;
    expect((await read()).some(({ scac }) => scac === "ZZZZ")).toBe(false);
    now = 60_000;
    isAway = true;
    await expect(read()).rejects.toThrow("away");
    isAway = false;
    expect((await read()).some(({ scac }) => scac === "ZZZZ")).toBe(true);
    expect(asked).toBe(3);
  } finally {
    await app.close();
  }
});
