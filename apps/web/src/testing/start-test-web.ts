import { createHash, randomBytes, scryptSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { instant } from "@svc/domain";
import type { MemberRole } from "@svc/domain/members";
import { createEgressFetch } from "@svc/egress";
import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";
import { seedReferenceData } from "@svc/persistence/seed";
import { createLogger } from "@svc/service-kit";
import { createTestDatabase } from "@svc/testkit";
import { Registry } from "prom-client";
import { createWeb } from "../create-web.ts";
import type { WebOptions } from "../web-options.ts";
import { startServices } from "./start-services.ts";
export const password = "kite harbour lamp";
/**
 * Hash of the password at the least cost, in the form of `hashPassword`: at full cost, verifying takes a quarter of a
 * second.
 */
const [N, r, p, salt] = [2, 1, 1, "AAAA"];
const key = scryptSync(password, Buffer.from(salt, "base64url"), 32, { N, r, p }).toString("base64url");
const passwordHash = ["scrypt", N, r, p, salt, key].join("$");

export interface TestAccount {
  readonly id: string;
  /** Id of the account's owner. */
  readonly userId: string;
  readonly email: string;
  /** Scope read. */
  readonly token: string;
}

/** Options of a request. */
export interface TestRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Form fields, sent by POST. */
  readonly form?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** A browser as the server sees it: its cookie and the origin of its forms. */
export interface Visitor {
  readonly cookie: string;
  get(path: string): Promise<Response>;
  post(path: string, form: FormFields, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export type FormFields = Readonly<Record<string, string | readonly string[]>>;

/** The web application with its own database, called over HTTP. Redirects are not followed. */
export interface TestWeb {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly url: string;
  /** Base URL of the API, with /v2; unreachable unless it was started. */
  readonly apiBaseUrl: string;
  addAccount(options?: { readonly scopes?: string[] }): Promise<TestAccount>;
  /** Adds a second user to the account. */
  addMember(account: TestAccount, role: MemberRole): Promise<TestAccount>;
  request(path: string, request?: TestRequest): Promise<Response>;
  /** Everything logged so far. */
  log(): string;
  /** The Cookie header of a new login. */
  logIn(account: TestAccount): Promise<string>;
  /** A visitor with a new login. */
  visit(account: TestAccount): Promise<Visitor>;
  close(): Promise<void>;
}

const defaultSecretKey = randomBytes(32).toString("base64");

const sha256 = (value: string): Buffer<ArrayBuffer> => Buffer.from(createHash("sha256").update(value).digest());

export async function startTestWeb(
  options: {
    readonly appUrl?: string;
    /** Serves the API, too; without it, pages that need it fail. */
    readonly withApi?: boolean;
    /** Starts the webhook worker, which delivers, beside the API. */
    readonly withWorker?: boolean;
    /** Shares the database of another instance. */
    readonly database?: Pick<TestWeb, "databaseUrl">;
    /** Base URL of an API that runs already. */
    readonly runningApi?: string;
    readonly firstOwner?: WebOptions["firstOwner"];
    /** Null: none. */
    readonly secretKey?: string | null;
    /** Default: true. Nothing sends what is put aside. */
    readonly sendsMail?: boolean;
    readonly providers?: WebOptions["providers"];
    readonly extend?: (database: Database, url: string) => NonNullable<WebOptions["extend"]>;
  } = {},
): Promise<TestWeb> {
  const databaseUrl = options.database?.databaseUrl ?? (await createTestDatabase());
  const database = connectDatabase({
    url: databaseUrl,
    applicationName: "test",
    onIdleError: () => undefined,
  });
  await seedReferenceData(database);
  const services = options.withApi ? await startServices({ database, databaseUrl }, options.withWorker ?? false) : null;
  const documents = createEgressFetch({ allowInsecureTargets: false });
  const stopping = new AbortController();
  const log: string[] = [];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const internalApiBaseUrl = services?.apiBaseUrl ?? options.runningApi ?? "http://127.0.0.1:1/v2";
  const app = createWeb({
    database,
    appUrl: options.appUrl ?? url,
    apiBaseUrl: "http://localhost:4000/v2",
    internalApiBaseUrl,
    mcpUrl: "http://localhost:4001/mcp",
    clock: { now: () => instant(Date.now()) },
    trustedProxyCount: 0,
    logger: createLogger({ service: "web-test", destination: { write: (line) => log.push(line) } }),
    metrics: new Registry(),
    documents,
    stopping: stopping.signal,
    firstOwner: options.firstOwner,
    ...(options.providers && { providers: options.providers }),
    sendsMail: options.sendsMail ?? true,
    secretKey: options.secretKey === undefined ? defaultSecretKey : (options.secretKey ?? undefined),
    ...(options.extend && { extend: options.extend(database, options.appUrl ?? url) }),
  });
  server.on("request", app);

  const request = (path: string, { headers = {}, form, method }: TestRequest = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      redirect: "manual",
      headers,
      method: method ?? (form ? "POST" : "GET"),
      ...(form && { body: new URLSearchParams(form) }),
    });

  const logIn = async ({ email }: TestAccount): Promise<string> => {
    const response = await request("/login", { form: { email, password } });
    return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  };

  return {
    database,
    databaseUrl,
    url,
    apiBaseUrl: internalApiBaseUrl,
    request,
    log: () => log.join(""),
    logIn,
    async visit(account) {
      const cookie = await logIn(account);
      return {
        cookie,
        get: (path) => request(path, { headers: { cookie } }),
        post: (path, form, headers = { origin: options.appUrl ?? url }) =>
          fetch(`${url}${path}`, {
            method: "POST",
            redirect: "manual",
            headers: { cookie, ...headers },
            body: new URLSearchParams(
              Object.entries(form).flatMap(([name, values]) =>
                [values].flat().map((value): [string, string] => [name, value]),
              ),
            ),
          }),
      };
    },
    async addMember({ id, token }, role) {
      const userId = uuidV7.next();
      const email = `${role}-${userId}@example.test`;
      const memberships = { create: { accountId: id, role } };
      await database.prisma.user.create({
        data: { id: userId, email, passwordHash, createdAt: new Date(), emailProvenAt: new Date(), memberships },
      });
      return { id, userId, email, token };
    },
    async addAccount({ scopes = ["read"] } = {}) {
      const [id, userId] = [uuidV7.next(), uuidV7.next()];
      const email = `${userId}@example.test`;
      const token = `svc_live_${randomBytes(16).toString("hex")}`;
      const createdAt = new Date();
      await database.prisma.account.create({ data: { id, companyName: "Harbour & Sons", createdAt } });
      await database.prisma.user.create({
        data: {
          id: userId,
          email,
          passwordHash,
          createdAt,
          emailProvenAt: createdAt,
          memberships: { create: { accountId: id, role: "owner" } },
        },
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
      return { id, userId, email, token };
    },
    async close() {
      stopping.abort();
      // Tests leave the bodies of many responses unread, and their connections open.
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      await documents.destroy();
      await services?.stop();
      await database.close();
    },
  };
}
