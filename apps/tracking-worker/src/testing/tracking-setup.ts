import { CarrierConnection, createCarriers, type OfferedCarrier, type TerminalSource } from "@svc/carriers";
import { dayMs, type Instant, instant } from "@svc/domain";
import type { InitialCustomField } from "@svc/domain/custom-fields";
import { compactNumber } from "@svc/domain/identifiers";
import { defaultStopThresholds } from "@svc/domain/tracking";
import type { RequestType } from "@svc/domain/tracking-requests";
import { createSecretBox, type Database, uuidV7 } from "@svc/persistence";
import { type CachedPlaceDirectory, loadPlaceDirectory } from "@svc/persistence/reference-data";
import { seedReferenceData } from "@svc/persistence/seed";
import { openTestDatabase } from "@svc/persistence/testing";
import { claimDueSubjects, type SubjectClaim, startTracking } from "@svc/persistence/tracking";
import { createLogger } from "@svc/service-kit";
import { Registry } from "prom-client";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import { CarrierAccessGate } from "../carriers/carrier-access-gate.ts";
import { CarrierDirectory } from "../carriers/carrier-directory.ts";
import { CarrierSlots } from "../carriers/carrier-slots.ts";
import { arrivalNoticeDirectory, carriersByBrand, terminalDirectory } from "../carriers/terminal-directory.ts";
import { createMetrics } from "../metrics.ts";
import { type PollerOptions, pollSubject } from "../poll/poll-subject.ts";
import { Semaphore } from "../poll/semaphore.ts";
import { UnchangedPolls } from "../poll/unchanged-polls.ts";
import { type DcsaCarrier, startDcsaCarrier } from "./dcsa-carrier.ts";

/** A clock that stands still until it is moved. */
export interface ManualClock {
  now(): Instant;
  scale(): number;
  advance(ms: number): void;
}

/** Encrypts the credentials of accounts' connections. */
export const secretKey = Buffer.alloc(32, 7).toString("base64");

const startMs = Date.UTC(2026, 0, 10);

export interface RequestOptions {
  readonly accountId?: string;
  readonly requestType?: RequestType;
  /** Null: to be detected from the number. */
  readonly scac?: string | null;
  readonly refNumbers?: readonly string[];
  readonly shipmentTags?: readonly string[];
  readonly customerId?: string;
  readonly initialCustomFields?: readonly InitialCustomField[];
}

/** The pipeline from a committed request to a committed shipment, with a carrier behind HTTP. */
export interface TrackingSetup {
  readonly database: Database;
  readonly line: DcsaCarrier;
  readonly clock: ManualClock;
  readonly context: TrackingContext;
  readonly poller: PollerOptions;
  readonly accountId: string;
  readonly databaseUrl: string;
  newAccount(): Promise<string>;
  /** An active webhook of the account, for these events. @returns its id. */
  subscribe(events: readonly string[], accountId?: string): Promise<string>;
  request(number: string, options?: RequestOptions): Promise<string>;
  /** Resets the clock and the state of the carrier access. */
  reset(): Promise<void>;
  claim(owner?: string): Promise<SubjectClaim[]>;
  /** Polls every due subject once. @returns their number. */
  pollDue(): Promise<number>;
  row<Row extends object>(text: string, ...values: readonly unknown[]): Promise<Row>;
  rows<Row extends object>(text: string, ...values: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export const carrierScac = "MAEU";

/** Carriers and clock that replace the defaults of the setup. */
export interface OtherSources {
  readonly clock: ManualClock;
  readonly carriers: (places: CachedPlaceDirectory) => ReadonlyMap<string, OfferedCarrier>;
  readonly terminals: ReadonlyMap<string, TerminalSource>;
}

/** A worker's context of the sources and the clock. */
function trackingContext(
  sources: Pick<TrackingContext, "database" | "places" | "clock">,
  carriers: ReadonlyMap<string, OfferedCarrier>,
  terminals: ReadonlyMap<string, TerminalSource>,
): TrackingContext {
  return {
    ...sources,
    terminalsAt: terminalDirectory(carriers, terminals),
    arrivalNoticesOf: arrivalNoticeDirectory(carriers, terminals),
    brands: carriersByBrand(carriers),
    terminalPlaces: (scac: string) => carriers.get(scac)?.terminalPlaces ?? [],
    requestRules: { retryLimit: 14, manifestMs: 7 * dayMs },
    stopThresholds: defaultStopThresholds,
    baseUrl: "https://api.test/v2",
    random: () => 0,
  };
}

type Queries = Pick<TrackingSetup, "row" | "rows">;

function queriesOf({ pool }: Database): Queries {
  const rows = async <Row extends object>(text: string, ...values: readonly unknown[]): Promise<Row[]> =>
    (await pool.query<Row>(text, [...values])).rows;
  return {
    rows,
    async row<Row extends object>(text: string, ...values: readonly unknown[]) {
      const [row] = await rows<Row>(text, ...values);
      if (row === undefined) throw new Error(`No row: ${text}`);
      return row;
    },
  };
}

async function insertAccount({ rows }: Queries, now: Instant): Promise<string> {
  const id = uuidV7.next();
  await rows(
    "INSERT INTO accounts (id, company_name, features, created_at) VALUES ($1, 'Harbour', '{rail_deadlines}', $2)",
    id,
    now,
  );
  return id;
}

async function insertWebhook(
  { rows }: Queries,
  accountId: string,
  events: readonly string[],
  now: Instant,
): Promise<string> {
  const id = uuidV7.next();
  await rows(
    `INSERT INTO webhooks (account_id, id, url, events, sealed_secret, created_at, updated_at)
     VALUES ($1, $2, 'https://subscriber.test', $3, '', $4, $4)`,
    accountId,
    id,
    events,
    now,
  );
  return id;
}

/** Requests tracking as the API does. @returns the id of the request. */
async function requestTracking(
  { sql }: Database,
  accountId: string,
  number: string,
  { options, now }: { readonly options: RequestOptions; readonly now: Instant },
): Promise<string> {
  const id = uuidV7.next();
  const created = await startTracking(sql, accountId, {
    id,
    subjectId: uuidV7.next(),
    requestType: options.requestType ?? "bill_of_lading",
    requestNumber: number,
    normalizedNumber: compactNumber(number),
    scac: options.scac === undefined ? carrierScac : options.scac,
    autoDetectScac: options.scac === null,
    refNumbers: options.refNumbers ?? [],
    shipmentTags: options.shipmentTags ?? [],
    customerId: options.customerId ?? null,
    initialCustomFields: options.initialCustomFields ?? [],
    createdByTokenId: uuidV7.next(),
    createdByUserId: null,
    now,
  });
  if (created.kind !== "created") throw new Error(`The request for ${number} is a ${created.kind}.`);
  return id;
}

export async function setUpTracking(other?: OtherSources): Promise<TrackingSetup> {
  const database = await openTestDatabase();
  await seedReferenceData(database);
  const line = await startDcsaCarrier();
  let nowMs = startMs;
  const clock: ManualClock = other?.clock ?? {
    now: () => instant(nowMs),
    scale: () => 1,
    advance(ms) {
      nowMs += ms;
    },
  };
  const places = await loadPlaceDirectory(database.sql);
  const connection = { scac: carrierScac, protocol: "dcsa-2.2", baseUrl: line.baseUrl };
  const carriers = other?.carriers(places) ?? createCarriers([CarrierConnection.parse(connection)]);
  const terminals: ReadonlyMap<string, TerminalSource> = other?.terminals ?? new Map();
  const context = trackingContext({ database, places, clock }, carriers, terminals);
  const metrics = createMetrics(new Registry(), () => 0);
  const logger = createLogger({ service: "test", level: "silent" });
  let carrierSlots = new CarrierSlots(4, () => performance.now(), clock.now);
  const createGate = () =>
    new CarrierAccessGate({ database, clock, slots: carrierSlots, metrics, logger, random: () => 0 });
  let access = createGate();
  const box = createSecretBox(secretKey);
  const transactions = new Semaphore(4);
  const poller: PollerOptions = {
    context,
    directory: new CarrierDirectory(carriers, terminals, database.sql, box),
    access,
    slots: carrierSlots,
    transactions,
    unchanged: new UnchangedPolls(context, transactions, logger),
    metrics,
    logger,
  };
  const queries = queriesOf(database);
  const newAccount = (): Promise<string> => insertAccount(queries, clock.now());
  const accountId = await newAccount();
  const claim = (owner = "test"): Promise<SubjectClaim[]> =>
    claimDueSubjects(database.sql, {
      now: clock.now(),
      owner,
      leaseMs: 10_000,
      limit: 50,
      credentialLimits: new Map(),
      brands: context.brands,
      otherLimit: 50,
    });
  return {
    database,
    line,
    clock,
    context,
    poller,
    accountId,
    databaseUrl: database.url,
    newAccount,
    ...queries,
    subscribe: (events, account = accountId) => insertWebhook(queries, account, events, clock.now()),
    request: (number, options = {}) =>
      requestTracking(database, options.accountId ?? accountId, number, { options, now: clock.now() }),
    async reset() {
      nowMs = startMs;
      await access.close();
      await queries.rows("DELETE FROM carrier_access");
      carrierSlots = new CarrierSlots(4, () => performance.now(), clock.now);
      access = createGate();
      Object.assign(poller, { access, slots: carrierSlots });
    },
    claim,
    async pollDue() {
      const claims = await claim();
      await Promise.all(claims.map((each) => pollSubject(poller, each, new AbortController().signal)));
      return claims.length;
    },
    async close() {
      await access.close();
      await Promise.all([...carriers.values(), ...terminals.values()].map((source) => source.close()));
      await line.close();
      await database.close();
    },
  };
}
