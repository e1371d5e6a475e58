import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import type { ProviderConfig } from "../single-sign-on/provider-config.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { startTestWeb, type TestAccount, type TestWeb } from "./start-test-web.ts";

export const appUrl = "http://127.0.0.1:49999";
export const domain = "example.test";
export const redirectUris = ["harbour", "trusted", "open"].map(
  (name) => `${appUrl}/login/single-sign-on/${name}/callback`,
);

/** The web application with a provider, by which its users sign in. */
interface SignInContext {
  /** Shares its database with `app`. */
  shared: TestWeb;
  provider: IdentityProvider;
  /** One for each test, because attempts are limited for each client. */
  app: TestWeb;
  account: TestAccount;
  /** Closed after the test. */
  readonly opened: IdentityProvider[];
}

/** Set by the hooks of `startSignInContext`. */
export const signInContext = { opened: [] as IdentityProvider[] } as unknown as SignInContext;

export const providerConfig = ({ issuer, clientId, clientSecret }: IdentityProvider): ProviderConfig => ({
  name: "harbour",
  label: "Harbour Group",
  issuer,
  clientId,
  clientSecret,
  domains: [domain],
  verifiedEmailClaim: "email_verified",
  coversTwoFactor: false,
  join: null,
  networks: [],
});

/** Registers the hooks of a test file. */
export function startSignInContext(): void {
  beforeAll(async () => {
    signInContext.shared = await startTestWeb();
    signInContext.provider = await startIdentityProvider({ redirectUris });
    signInContext.account = await signInContext.shared.addAccount();
  });
  beforeEach(async () => {
    signInContext.provider.answer = null;
    signInContext.provider.users.clear();
    const config = providerConfig(signInContext.provider);
    signInContext.app = await startTestWeb({
      appUrl,
      database: signInContext.shared,
      providers: [
        config,
        { ...config, name: "trusted", coversTwoFactor: true },
        { ...config, name: "open", join: { accountId: signInContext.account.id, role: "operator" } },
      ],
    });
  });
  afterEach(async () => {
    await signInContext.app.close();
    await Promise.all(signInContext.opened.splice(0).map((one) => one.close()));
  });
  afterAll(async () => {
    await signInContext.provider.close();
    await signInContext.shared.close();
  });
}

export const cookieOf = (response: Response, name: string): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0] ?? "")
    .find((cookie) => cookie.startsWith(`${name}=`)) ?? "";

export interface PendingSignIn {
  readonly cookie: string;
  readonly url: string;
}

export async function begin(name = "harbour", next = "/containers"): Promise<PendingSignIn> {
  const response = await signInContext.app.request(`/login/single-sign-on/${name}?next=${encodeURIComponent(next)}`);
  expect(response.status).toBe(302);
  return { cookie: cookieOf(response, "svc_single_sign_on"), url: response.headers.get("location") ?? "" };
}

/** The browser returns from the provider. */
export const comeBack = ({ cookie }: PendingSignIn, url: string): Promise<Response> => {
  const { pathname, search } = new URL(url);
  return signInContext.app.request(`${pathname}${search}`, { headers: { cookie } });
};

export async function signIn(user: string, name = "harbour", next = "/containers"): Promise<Response> {
  const pending = await begin(name, next);
  return comeBack(pending, await signInContext.provider.logIn(pending.url, user));
}

export const session = (response: Response): string => cookieOf(response, "svc_session");
export const open = async (cookie: string, path = "/account/sessions") =>
  (await signInContext.app.request(path, { headers: { cookie } })).status;
export const problemOf = async (response: Response): Promise<string> =>
  /<div class="notice is-error" role="alert">([^<]*)</.exec(await response.text())?.[1]?.replaceAll("&#39;", "'") ?? "";
export const failures = (): string[] =>
  signInContext.app
    .log()
    .split("\n")
    .filter((line) => line.includes("single_sign_on.failed"))
    .map((line) => String(JSON.parse(line).reason));
export const actions = async ({ id }: TestAccount) =>
  (
    await signInContext.app.database.prisma.auditEvent.findMany({ where: { accountId: id }, orderBy: { id: "asc" } })
  ).map(({ actorName, action, changes }) => ({ actorName, action, changes }));

/** A user of the provider with a member's address. */
export function known(name: string, { email }: Pick<TestAccount, "email">, isVerified = true): void {
  signInContext.provider.users.set(name, { subject: `subject-of-${name}-${email}`, email, email_verified: isVerified });
}
