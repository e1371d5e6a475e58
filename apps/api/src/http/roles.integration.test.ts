import { expect, test } from "@jest/globals";
import { memberRoles, minRoles } from "@svc/domain/members";
import { started } from "@svc/testkit/started";
import { routes } from "../routes.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

test("every operation that needs the scope write names what a role must be allowed", () => {
  const unnamed = routes.filter(({ scope, action }) => scope === "write" && (action ?? "read") === "read");
  expect(unnamed.map(({ operationId }) => operationId)).toEqual([]);
});

test("a token is refused every operation that its role may not do", async () => {
  const addressOf = (path: string) => path.replace(/\{\w+\}/g, "01890000-0000-7000-8000-000000000000");
  for (const role of memberRoles) {
    const token = await api.createToken(api.account.id, { role });
    for (const { method, path, action = "read", operationId } of routes) {
      if (memberRoles.indexOf(role) >= memberRoles.indexOf(minRoles[action])) continue;
      const { status, body } = await api.request(addressOf(path), { token, method: method.toUpperCase() });
      expect([operationId, role, status]).toEqual([operationId, role, 403]);
      expect(body.errors[0].detail).toContain(`requires the role ${minRoles[action]}`);
    }
  }
});

test("secrets are shown to roles that may use them", async () => {
  const attributes = { url: "https://example.com/hook", active: true, events: ["*"] };
  const { body } = await api.request("/webhooks", { method: "POST", body: { data: { type: "webhook", attributes } } });
  const secretFor = async (role: string) => {
    const token = await api.createToken(api.account.id, { role });
    return (await api.request(`/webhooks/${body.data.id}`, { token })).body.data.attributes.secret;
  };
  expect(await secretFor("developer")).toBe(body.data.attributes.secret);
  expect([await secretFor("operator"), await secretFor("viewer")]).toEqual([null, null]);
});
