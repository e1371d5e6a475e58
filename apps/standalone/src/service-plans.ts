import { catalogue, sandboxConnection } from "@svc/carriers/catalogue";
import type { DataFolder } from "./data-folder.ts";
import { type ServiceName, servicePort } from "./ports.ts";
import type { Secrets } from "./secrets.ts";
import type { Stores } from "./stores.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** One service to run: `apps/<name>/dist/main.js` with exactly this environment. */
export interface ServicePlan {
  readonly name: ServiceName;
  readonly port: number;
  readonly environment: Environment;
}

/** The public addresses of the services. */
export interface Addresses {
  readonly api: string;
  readonly mcp: string;
  readonly app: string;
  readonly sandbox: string;
  /** URL of the API with the version prefix. */
  readonly apiBaseUrl: string;
}

export function addressesFrom(portBase: number): Addresses {
  const address = (service: ServiceName) => `http://localhost:${servicePort(service, portBase)}`;
  return {
    api: address("api"),
    mcp: address("mcp"),
    app: address("deeplink"),
    sandbox: address("carrier-sandbox"),
    apiBaseUrl: `${address("api")}/v2`,
  };
}

/** Returns the variables that every program gets from the machine, and the log level. */
function processEnvironment(environment: Environment): Environment {
  const names = ["PATH", "HOME", "NODE_COMPILE_CACHE", "NODE_EXTRA_CA_CERTS", "LOG_LEVEL"];
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

function rateLimits(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith("SVC_RATE_LIMIT_")));
}

/** Carriers besides the sandbox, as the tracking worker reads them; it checks each entry. */
function otherCarriers({ SVC_CARRIERS: text = "[]" }: Environment): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // The message below names the variable, and no value: it holds credentials.
  }
  throw new Error("SVC_CARRIERS must be a JSON array of carrier connections.");
}

/** Connections to the lines of the catalogue that the sandbox imitates, except those that are configured. */
function imitatedCarriers(sandbox: string, configured: readonly unknown[]): readonly unknown[] {
  const scacs = new Set(
    configured.map((each) => {
      const { scac, catalogue: name } = (each ?? {}) as { readonly scac?: unknown; readonly catalogue?: unknown };
      return name ?? scac;
    }),
  );
  return catalogue
    .filter(({ scac }) => !scacs.has(scac))
    .map((entry) => sandboxConnection(entry, `${sandbox}/lines/${entry.scac.toLowerCase()}`));
}

/** What the tracking worker reads from the sandbox. */
const sandboxSources = (sandbox: string) => ({
  carrier: { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox, headers: { "Consumer-Key": "demo" } },
  terminal: { code: "SBXT", protocol: "svc-terminal-1", baseUrl: sandbox, headers: { "Consumer-Key": "demo" } },
  ais: { name: "sandbox", protocol: "aishub", url: `${sandbox}/ais/ws.php`, username: "demo", everySeconds: 3 },
});

/** Destination of alerts by e-mail: the mail server of the environment, or a folder (mail-catcher.ts). */
export interface MailPlan {
  readonly smtpUrl: string;
  readonly from: string | undefined;
  /** Not set: mails are sent. */
  readonly folder: string | undefined;
}

/** Plans each service with its own variables and no others, so that the demo proves that each can run alone. */
export function planServices(options: {
  readonly portBase: number;
  readonly data: DataFolder;
  readonly secrets: Secrets;
  readonly stores: Stores;
  readonly mail: MailPlan;
  readonly environment: Environment;
  /** Whether the sandbox imitates the lines of the catalogue. */
  readonly lines: boolean;
}): ServicePlan[] {
  const { portBase, data, secrets, stores, mail, environment, lines } = options;
  const { apiBaseUrl, app, mcp, sandbox } = addressesFrom(portBase);
  const database = { DATABASE_URL: stores.databaseUrl };
  const addresses = { SVC_BASE_URL: apiBaseUrl, SVC_APP_URL: app };
  const metrics = { SVC_METRICS_TOKEN: secrets.token };
  const clock = { SVC_CLOCK_URL: `${sandbox}/_sandbox/clock` };
  // Only this local mode may deliver to plain http on this machine.
  const webhooks = { SVC_SECRET_KEY: secrets.secretKey, SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true" };
  const { carrier, terminal, ais } = sandboxSources(sandbox);
  const others = otherCarriers(environment);
  const imitated = lines ? imitatedCarriers(sandbox, others) : [];
  const own: Record<ServiceName, Environment> = {
    "carrier-sandbox": {
      ...metrics,
      SVC_SANDBOX_DATA_DIR: data.sandbox,
      SVC_SANDBOX_LINES: String(lines),
      SVC_SANDBOX_TIME_SCALE: environment.SVC_SANDBOX_TIME_SCALE,
    },
    api: {
      ...database,
      ...metrics,
      ...addresses,
      ...clock,
      ...webhooks,
      ...rateLimits(environment),
      REDIS_URL: stores.redisUrl,
      SVC_MAIL_FROM: mail.from,
    },
    "tracking-worker": {
      ...database,
      ...clock,
      SVC_BASE_URL: apiBaseUrl,
      SVC_SECRET_KEY: secrets.secretKey,
      SVC_CARRIERS: JSON.stringify([carrier, ...imitated, ...others]),
      SVC_TERMINALS: JSON.stringify([terminal]),
      SVC_AIS_SOURCES: environment.SVC_AIS_SOURCES ?? JSON.stringify([ais]),
      SVC_EDI_FOLDER: environment.SVC_EDI_FOLDER,
    },
    "webhook-worker": {
      ...database,
      ...clock,
      ...webhooks,
      ...addresses,
      SVC_QUEUE_URL: stores.queueUrl,
      SVC_SMTP_URL: mail.smtpUrl,
      SVC_MAIL_FROM: mail.from,
    },
    mcp: { ...metrics, SVC_API_BASE_URL: apiBaseUrl, SVC_APP_URL: app, SVC_MCP_URL: `${mcp}/mcp` },
    deeplink: {
      ...database,
      ...metrics,
      ...addresses,
      ...clock,
      SVC_API_BASE_URL: apiBaseUrl,
      SVC_MCP_URL: `${mcp}/mcp`,
      SVC_EGRESS_ALLOW: environment.SVC_EGRESS_ALLOW,
      SVC_MAIL_FROM: mail.from,
      SVC_SECRET_KEY: secrets.secretKey,
      SVC_CAUGHT_MAIL_DIR: mail.folder,
      SVC_SIGN_IN_PROVIDERS: environment.SVC_SIGN_IN_PROVIDERS,
    },
  };
  return (Object.keys(own) as ServiceName[]).map((name) => {
    const port = servicePort(name, portBase);
    return { name, port, environment: { ...processEnvironment(environment), ...own[name], PORT: String(port) } };
  });
}
