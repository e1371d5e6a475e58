import { createHash, randomBytes } from "node:crypto";
import { type Instant, instant } from "@svc/domain";
import {
  connectDatabase,
  type Database,
  type ReplicaOptions,
  type SqlWith,
  type Statement,
  uuidV7,
} from "@svc/persistence";
import { seedReferenceData } from "@svc/persistence/seed";
import { createTestDatabase } from "@svc/testkit";
import { checkStatusIsDescribed } from "./described-statuses.ts";
import { type ServedApiOptions, serveTestApi } from "./serve-test-api.ts";

/** An account with a token for each scope. */
export interface TestAccount {
  readonly id: string;
  readonly token: string;
  readonly readToken: string;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of many kinds.
  readonly body: any;
}

export interface TestRequest {
  readonly method?: string;
  /** Null: no Authorization header. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body, sent as it is when it is a text or bytes, as JSON otherwise. */
  readonly body?: unknown;
}

/** The API with a database of its own, reached over HTTP. */
export interface TestApi {
  readonly url: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly account: TestAccount;
  /** Names of the statements since the last call, without those that look up the token. */
  takeStatements(): string[];
  /** Returns the statements that ran without row-level security. */
  statementsOfAllAccounts(): readonly Statement[];
  setNow(now: Instant): void;
  createAccount(options?: { features?: string[] }): Promise<TestAccount>;
  createToken(
    accountId: string,
    options?: { scopes?: string[]; role?: string; expiresAt?: Date; revokedAt?: Date },
  ): Promise<string>;
  request(path: string, request?: TestRequest): Promise<TestResponse>;
  /** Resolves once no request is being served. */
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

/** Notes every statement that passes through. */
function watchStatements<Values extends readonly unknown[]>(
  sql: SqlWith<Values>,
  note: (statement: Statement) => void,
): SqlWith<Values> {
  return {
    rows(statement, values) {
      note(statement);
      return sql.rows(statement, values);
    },
    execute(statement, values) {
      note(statement);
      return sql.execute(statement, values);
    },
  };
}

export interface TestApiOptions extends ServedApiOptions {
  /** A server of the test's own, without a database name. */
  readonly postgresUrl?: string;
  /** The database of another API, as several processes share one. */
  readonly databaseUrl?: string;
  readonly statementTimeoutMs?: number;
  /** A standby of `postgresUrl`, and what is called for each statement of a read. */
  readonly replica?: { postgresUrl: string; onStatement: ReplicaOptions["onStatement"] };
}

/** Connects to a database with reference data, and notes the statements that run. */
async function openWatchedDatabase(options: TestApiOptions) {
  const { postgresUrl, statementTimeoutMs, replica } = options;
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase(postgresUrl));
  const connected = connectDatabase({
    url: databaseUrl,
    applicationName: "api-test",
    onIdleError: () => undefined,
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
    ...(replica && {
      replica: {
        url: `${replica.postgresUrl}${new URL(databaseUrl).pathname}`,
        onStatement: replica.onStatement,
        onChange: () => undefined,
      },
    }),
  });
  await seedReferenceData(connected);
  const statements: string[] = [];
  const allStatements: Statement[] = [];
  const note = ({ name }: Statement) => statements.push(name || "unnamed");
  const database: Database = {
    ...connected,
    sql: watchStatements(connected.sql, (statement) => {
      note(statement);
      allStatements.push(statement);
    }),
    tenantSql: watchStatements(connected.tenantSql, note),
    tenantTransaction: (accountId, work) =>
      connected.tenantTransaction(accountId, (sql) => work({ ...watchStatements(sql, note), attempt: sql.attempt })),
  };
  return { databaseUrl, connected, database, statements, allStatements };
}

function accountsIn({ prisma }: Database, createdAt: () => Date): Pick<TestApi, "createAccount" | "createToken"> {
  const createToken: TestApi["createToken"] = async (accountId, { scopes = ["read", "write"], ...rest } = {}) => {
    const token = `svc_live_${randomBytes(24).toString("base64url")}`;
    const tokenSha256 = createHash("sha256").update(token).digest();
    const data = { id: uuidV7.next(), accountId, name: "test", hint: token.slice(-4), scopes, role: "owner", ...rest };
    await prisma.apiToken.create({ data: { ...data, tokenSha256, createdAt: createdAt() } });
    return token;
  };
  return {
    createToken,
    async createAccount({ features = [] } = {}) {
      const id = uuidV7.next();
      await prisma.account.create({
        data: { id, companyName: "Test Forwarding", features, createdAt: createdAt() },
      });
      return { id, token: await createToken(id), readToken: await createToken(id, { scopes: ["read"] }) };
    },
  };
}

/** Sends a request, and checks that the OpenAPI document describes the status of the response. */
async function send(
  baseUrl: string,
  path: string,
  { method = "GET", token, headers = {}, body }: TestRequest,
): Promise<TestResponse> {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(path.startsWith("http") ? path : `${baseUrl}${path}`, {
    method,
    redirect: "manual",
    headers: {
      ...(token !== null && { Authorization: `Token ${token}` }),
      ...(body !== undefined && { "Content-Type": "application/vnd.api+json" }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
  });
  checkStatusIsDescribed(method, path.replace(baseUrl, ""), response.status);
  const text = await response.text();
  const isJson = text !== "" && /[/+]json\b/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { databaseUrl, connected, database, statements, allStatements } = await openWatchedDatabase(options);
  let now = instant("2026-11-21T10:00:00.000Z");
  const { url, whenIdle, stop } = await serveTestApi(database, { now: () => now }, options);

  const { createAccount, createToken } = accountsIn(connected, () => new Date(now));
  const account = await createAccount();

  return {
    url,
    databaseUrl,
    database: connected,
    account,
    takeStatements() {
      const executed = statements.filter((name) => name !== "tokens.authenticate");
      statements.length = 0;
      return executed;
    },
    statementsOfAllAccounts: () => allStatements,
    setNow(value) {
      now = value;
    },
    createAccount,
    createToken,
    request: (path, request = {}) => send(url, path, { token: account.token, ...request }),
    whenIdle,
    async close() {
      await stop();
      await connected.close();
    },
  };
}
