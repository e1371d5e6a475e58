import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { connectDatabase, type Database, hashPassword, seedReferenceData, uuidV7 } from "@svc/persistence";
import { createLogger } from "@svc/service-kit";
import { createTestDatabase } from "@svc/testkit";
import { Registry } from "prom-client";
import { createDeeplink } from "../create-deeplink.ts";

const migrations = fileURLToPath(new URL("../../../../packages/persistence/prisma/migrations", import.meta.url));
export const password = "kite harbour lamp";

export interface TestAccount {
  readonly id: string;
  readonly email: string;
  /** Scope read. */
  readonly token: string;
}

/** What a request is sent with, besides its path. */
export interface TestRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form, by POST. */
  readonly form?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** The web application over a database of its own, reached over HTTP. Redirects are not followed. */
export interface TestDeeplink {
  readonly database: Database;
  readonly url: string;
  addAccount(options?: { readonly scopes?: string[] }): Promise<TestAccount>;
  request(path: string, request?: TestRequest): Promise<Response>;
  /** The Cookie header of a new login. */
  logIn(account: TestAccount): Promise<string>;
  close(): Promise<void>;
}

const sha256 = (value: string): Buffer<ArrayBuffer> => Buffer.from(createHash("sha256").update(value).digest());

export async function startTestDeeplink(options: { readonly appUrl?: string } = {}): Promise<TestDeeplink> {
  const database = connectDatabase({
    url: await createTestDatabase(migrations),
    applicationName: "test",
    onIdleError: () => undefined,
  });
  await seedReferenceData(database);
  const passwordHash = await hashPassword(password);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = await createDeeplink({
    database,
    appUrl: options.appUrl ?? url,
    apiBaseUrl: "http://localhost:4000/v2",
    trustedProxyCount: 0,
    logger: createLogger({ service: "deeplink-test", level: "silent" }),
    metrics: new Registry(),
  });
  server.on("request", app);

  const request = (path: string, { headers = {}, form, method }: TestRequest = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      redirect: "manual",
      headers,
      method: method ?? (form ? "POST" : "GET"),
      ...(form && { body: new URLSearchParams(form) }),
    });

  return {
    database,
    url,
    request,
    async addAccount({ scopes = ["read"] } = {}) {
      const [id, userId] = [uuidV7.next(), uuidV7.next()];
      const email = `${userId}@example.test`;
      const token = `svc_live_${randomBytes(16).toString("hex")}`;
      const createdAt = new Date();
      await database.prisma.account.create({ data: { id, companyName: "Harbour & Sons", createdAt } });
      await database.prisma.user.create({
        data: { id: userId, email, passwordHash, createdAt, memberships: { create: { accountId: id, role: "owner" } } },
      });
      await database.prisma.apiToken.create({
        data: {
          id: uuidV7.next(),
          accountId: id,
          name: "test",
          hint: token.slice(-4),
          tokenSha256: sha256(token),
          scopes,
          createdAt,
        },
      });
      return { id, email, token };
    },
    async logIn({ email }) {
      const answer = await request("/login", { form: { email, password } });
      return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    },
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await database.close();
    },
  };
}
