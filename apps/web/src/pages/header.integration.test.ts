import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startTestWeb } from "../testing/start-test-web.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());

async function headerOf(role: "viewer" | "operator", path: string): Promise<string> {
  const visitor = await app.visit(await app.addMember(account, role));
  return /<header>.*?<\/header>/s.exec(await (await visitor.get(path)).text())?.[0] ?? "";
}

test("offers Track on every page to members who may track", async () => {
  for (const path of ["/attention", "/account/display", "/no-such-page"]) {
    expect(await headerOf("operator", path)).toContain('href="/track"');
    expect(await headerOf("viewer", path)).not.toContain('href="/track"');
  }
});
