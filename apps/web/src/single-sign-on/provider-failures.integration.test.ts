import { describe, expect, test } from "@jest/globals";
import { startIdentityProvider } from "../testing/identity-provider.ts";
import {
  appUrl,
  begin,
  comeBack,
  cookieOf,
  failures,
  known,
  problemOf,
  providerConfig,
  redirectUris,
  signInContext,
  startSignInContext,
} from "../testing/sign-in-context.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import type { ProviderConfig } from "./provider-config.ts";

startSignInContext();

describe("failures of the provider", () => {
  const webOf = async (config: ProviderConfig): Promise<Response> => {
    await signInContext.app.close();
    signInContext.app = await startTestWeb({ appUrl, database: signInContext.shared, providers: [config] });
    return signInContext.app.request("/login/single-sign-on/harbour?next=/containers");
  };

  test("a refusal, and any other error, is named on the sign-in page", async () => {
    for (const [error, status, problem] of [
      ["access_denied", 403, "Harbour Group refused the sign-in, or you cancelled it there."],
      ["server_error", 502, "Harbour Group refused the sign-in (server_error)."],
      ["<b>secret</b>", 502, "Harbour Group refused the sign-in (unknown)."],
    ] as const) {
      const pending = await begin();
      const query = { error, error_description: "<i>secret</i>", iss: signInContext.provider.issuer };
      const back = new URLSearchParams({ ...query, state: new URL(pending.url).searchParams.get("state") ?? "" });
      const response = await comeBack(pending, `${redirectUris[0]}?${back}`);
      expect([response.status, await problemOf(response)]).toEqual([status, expect.stringContaining(problem)]);
    }
    expect(failures()).toEqual(["authorization_access_denied", "authorization_server_error", "authorization_unknown"]);
    expect(signInContext.app.log()).not.toContain("secret</");
  });

  test.each([
    ["HTML", 200, "text/html", "<html>", "does not answer as an OpenID Connect provider"],
    ["an error", 503, "text/plain", "", "does not answer as an OpenID Connect provider"],
    ["broken JSON", 200, "application/json", "{", "does not answer as an OpenID Connect provider"],
    ["another issuer", 200, "application/json", '{"issuer":"https://evil.example"}', "is not valid for this sign-in"],
  ])("discovery answers with %s", async (_what, status, type, body, problem) => {
    signInContext.provider.answer = (_request, response) =>
      void response.writeHead(status, { "Content-Type": type }).end(body);
    const response = await signInContext.app.request("/login/single-sign-on/harbour?next=/containers");
    expect([response.status, await problemOf(response)]).toEqual([502, expect.stringContaining(problem)]);
    expect(failures()).toHaveLength(1);
    // The next one asks the provider again.
    signInContext.provider.answer = null;
    expect((await begin()).url).toContain(signInContext.provider.issuer);
  });

  test("an issuer that cannot be reached, or is at a private address, is not available", async () => {
    const closed = await webOf({ ...providerConfig(signInContext.provider), issuer: "http://127.0.0.1:1" });
    expect([closed.status, await problemOf(closed)]).toEqual([502, expect.stringContaining("cannot be reached")]);
    const metadata = await webOf({ ...providerConfig(signInContext.provider), issuer: "https://169.254.169.254" });
    expect([metadata.status, await problemOf(metadata)]).toEqual([502, expect.stringContaining("does not call")]);
    expect(failures()).toEqual(["blocked_address"]);
  });

  test("an expired ID token is a matter of clocks, and a wrong client secret of the operator", async () => {
    const late = await startIdentityProvider({ redirectUris, clockSeconds: -600 });
    signInContext.opened.push(late);
    late.users.set("anna", { subject: "1", email: signInContext.account.email, email_verified: true });
    const pending = await webOf(providerConfig(late));
    const attempt = { cookie: cookieOf(pending, "svc_single_sign_on"), url: pending.headers.get("location") ?? "" };
    const response = await comeBack(attempt, await late.logIn(attempt.url, "anna"));
    expect([response.status, await problemOf(response)]).toEqual([502, expect.stringContaining("clocks")]);
    const wrong = await webOf({ ...providerConfig(signInContext.provider), clientSecret: "wrong-secret" });
    const other = { cookie: cookieOf(wrong, "svc_single_sign_on"), url: wrong.headers.get("location") ?? "" };
    const refused = await comeBack(other, await signInContext.provider.logIn(other.url, "anna"));
    expect([refused.status, await problemOf(refused)]).toEqual([502, expect.stringContaining("the client secret")]);
  });

  test("no code, token or secret is logged", async () => {
    const member = await signInContext.app.addMember(signInContext.account, "operator");
    known("anna", member);
    const pending = await begin();
    const url = await signInContext.provider.logIn(pending.url, "anna");
    await comeBack(pending, url);
    await comeBack(pending, url);
    const attempt = JSON.parse(Buffer.from(pending.cookie.split("=")[1] ?? "", "base64url").toString());
    const { searchParams } = new URL(url);
    expect(failures()).toEqual(["token_invalid_grant"]);
    for (const secret of [
      searchParams.get("code"),
      attempt.state,
      attempt.verifier,
      attempt.nonce,
      signInContext.provider.clientSecret,
    ]) {
      expect(signInContext.app.log()).not.toContain(String(secret));
    }
  });
});
