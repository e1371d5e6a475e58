import type { DataFolder } from "./data-folder.ts";
import { portOf, type ServiceName } from "./ports.ts";
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
  /** With the version prefix. */
  readonly apiBaseUrl: string;
}

export function addressesFrom(portBase: number): Addresses {
  const address = (service: ServiceName) => `http://localhost:${portOf(service, portBase)}`;
  return {
    api: address("api"),
    mcp: address("mcp"),
    app: address("deeplink"),
    sandbox: address("carrier-sandbox"),
    apiBaseUrl: `${address("api")}/v2`,
  };
}

/** What any program needs of the machine, and how much it logs. */
function processEnvironment(environment: Environment): Environment {
  const names = ["PATH", "HOME", "NODE_EXTRA_CA_CERTS", "LOG_LEVEL"];
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

/** Each service with its own variables and no others, so that the demo proves that each can run alone. */
export function planServices(given: {
  readonly portBase: number;
  readonly data: DataFolder;
  readonly secrets: Secrets;
  readonly stores: Stores;
  readonly environment: Environment;
}): ServicePlan[] {
  const { portBase, data, secrets, stores, environment } = given;
  const { apiBaseUrl, app, mcp, sandbox } = addressesFrom(portBase);
  const database = { DATABASE_URL: stores.databaseUrl };
  const addresses = { SVC_BASE_URL: apiBaseUrl, SVC_APP_URL: app };
  const metrics = { SVC_METRICS_TOKEN: secrets.token };
  const clock = { SVC_CLOCK_URL: `${sandbox}/_sandbox/clock` };
  // Only this local mode may deliver to plain http on this machine.
  const webhooks = { SVC_SECRET_KEY: secrets.secretKey, SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true" };
  const carriers = [{ scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox, headers: { "Consumer-Key": "demo" } }];
  const terminals = [
    { code: "SBXT", protocol: "svc-terminal-1", baseUrl: sandbox, headers: { "Consumer-Key": "demo" } },
  ];
  const own: Record<ServiceName, Environment> = {
    "carrier-sandbox": {
      ...metrics,
      SVC_SANDBOX_DATA_DIR: data.sandbox,
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
    },
    "tracking-worker": {
      ...database,
      ...clock,
      SVC_BASE_URL: apiBaseUrl,
      SVC_SECRET_KEY: secrets.secretKey,
      SVC_CARRIERS: JSON.stringify([...carriers, ...otherCarriers(environment)]),
      SVC_TERMINALS: JSON.stringify(terminals),
      SVC_EDI_FOLDER: environment.SVC_EDI_FOLDER,
    },
    "webhook-worker": { ...database, ...webhooks, SVC_BASE_URL: apiBaseUrl, SVC_QUEUE_URL: stores.queueUrl },
    mcp: { ...metrics, SVC_API_BASE_URL: apiBaseUrl, SVC_APP_URL: app, SVC_MCP_URL: `${mcp}/mcp` },
    deeplink: {
      ...database,
      ...metrics,
      ...addresses,
      ...clock,
      SVC_API_BASE_URL: apiBaseUrl,
      SVC_MCP_URL: `${mcp}/mcp`,
      SVC_EGRESS_ALLOW: environment.SVC_EGRESS_ALLOW,
    },
  };
  return (Object.keys(own) as ServiceName[]).map((name) => {
    const port = portOf(name, portBase);
    return { name, port, environment: { ...processEnvironment(environment), ...own[name], PORT: String(port) } };
  });
}
