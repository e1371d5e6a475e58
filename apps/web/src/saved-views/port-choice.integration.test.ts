import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const visitor = started(async () => app.visit(await app.addAccount()));

const textAt = async (path: string) => visibleText(await (await visitor.get(path)).text());

test.each(["/shipments", "/containers"])("five letters in the filter by port of %s may be a name", async (list) => {
  for (const [input, locode] of [
    ["Busan", "KRPUS"],
    ["genoa", "ITGOA"],
    ["nhava", "INNSA"],
    ["SHANG", "CNSHA"],
  ]) {
    const { headers } = await visitor.get(`${list}?port=${input}`);
    expect([input, headers.get("location")]).toEqual([input, `${list}?port=${locode}`]);
  }
  for (const locode of ["USLAX", "USCHI"]) expect(await textAt(`${list}?port=${locode}`)).not.toContain("No port");
  expect(await textAt(`${list}?port=qqqqq`)).toContain("No port or place has the UN/LOCODE or name “QQQQQ”");
});
