import { addMs, hourMs, instant } from "@svc/domain";
import type { ExceptionKind } from "@svc/domain/exceptions";
import { type Database, type SecretBox, uuidV7 } from "@svc/persistence";
import { type AlertSettings, createAlertSubscriptionRepository } from "@svc/persistence/alerts";
import { notifyExceptions, writeExceptions } from "@svc/persistence/exceptions";
import { createMemberRepository } from "@svc/persistence/members";
import { eventually } from "@svc/testkit";

const at = instant("2026-11-20T10:00:00.000Z");

const atOnce: AlertSettings = {
  name: "Urgent",
  frequency: "at_once",
  hour: null,
  weekday: null,
  timeZone: null,
  nextDigestAt: null,
  url: null,
  kinds: [],
  severities: [],
  carriers: [],
  customers: [],
  tags: [],
  savedViewId: null,
  minimumAmount: null,
  minimumAmountCurrency: null,
  includesResolved: false,
  active: true,
};
/** The tracking clock in real time. */
export const clock = { now: () => instant(Date.now()) };

export const dailyAlert: AlertSettings = {
  ...atOnce,
  name: "Morning",
  frequency: "daily",
  hour: 8,
  timeZone: "Europe/Berlin",
};

/** Waits until the assertion holds. */
export const soon = (assertion: () => Promise<void> | void) =>
  eventually(
    "the assertion holds",
    async () => {
      await assertion();
      return true;
    },
    60_000,
  );

interface AlertAccount {
  readonly accountId: string;
  readonly userId: string;
  readonly email: string;
}

/** Accounts with alert subscriptions, and exceptions that open and end as by the rules. */
export function createAlertHarness(database: Database, box: SecretBox) {
  const query = async <Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await database.pool.query<Row>(text, values)).rows;
  const subscriptions = createAlertSubscriptionRepository(database.sql, box);

  async function newAccount(companyName = "Northwind") {
    const [accountId, userId] = [uuidV7.next(), uuidV7.next()];
    const email = `${userId}@example.com`;
    await query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, $2, now())", accountId, companyName);
    await query("INSERT INTO users (id, email, password_hash, created_at) VALUES ($1, $2, 'x', now())", userId, email);
    await query("INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'owner')", accountId, userId);
    return { accountId, userId, email };
  }

  async function subscribe(
    { accountId, userId }: AlertAccount,
    settings: Partial<AlertSettings> = {},
  ): Promise<string> {
    const draft = { ...atOnce, ...settings, id: uuidV7.next(), channel: "email" as const, userId, mailbox: null };
    const created = await subscriptions.create(accountId, draft, 100);
    if (typeof created === "string") throw new Error(created);
    return created.id;
  }

  async function subscribeMailbox(
    { accountId }: AlertAccount,
    mailbox: string,
    settings: Partial<AlertSettings> = {},
  ): Promise<string> {
    const receiver = { channel: "email", userId: null, mailbox } as const;
    const draft = { ...atOnce, active: false, ...settings, ...receiver, id: uuidV7.next() };
    const created = await subscriptions.create(accountId, draft, 100);
    if (typeof created === "string") throw new Error(created);
    return created.id;
  }

  async function subscribeChannel(
    { accountId }: AlertAccount,
    channel: "slack" | "teams",
    url: string,
  ): Promise<string> {
    const created = await subscriptions.create(
      accountId,
      { ...atOnce, id: uuidV7.next(), channel, userId: null, mailbox: null, url },
      100,
    );
    if (typeof created === "string") throw new Error(created);
    return created.id;
  }

  /** Opens exceptions of tracking requests as the rules do, and makes their alerts due. */
  async function open({ accountId }: AlertAccount, numbers: readonly string[], kind = "hold"): Promise<string[]> {
    const ids: string[] = [];
    for (const number of numbers) {
      const [requestId, id] = [uuidV7.next(), uuidV7.next()];
      await query(
        `INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status,
          created_at, updated_at) VALUES ($1, $2, 'bill_of_lading', $3, $3, 'MAEU', 'pending', now(), now())`,
        accountId,
        requestId,
        number,
      );
      await query(
        `INSERT INTO exceptions (account_id, id, kind, severity, priority, subject_id, tracking_request_id, details,
          opened_at, created_at, updated_at) VALUES ($1, $2, $3, 'critical', 11000, $4, $4, $5, $6, $6, $6)`,
        accountId,
        id,
        kind,
        requestId,
        { holds: ["freight"], amounts: [{ amount: 450, currencyCode: "USD" }] },
        at,
      );
      ids.push(id);
    }
    await change(accountId, ids, []);
    return ids;
  }

  async function addView({ accountId }: AlertAccount, list: string, filters: object): Promise<string> {
    const id = uuidV7.next();
    await query(
      `INSERT INTO saved_views (account_id, id, list, name, filters, columns, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, '{}', now(), now())`,
      accountId,
      id,
      list,
      id,
      filters,
    );
    return id;
  }

  /**
   * Opens a hold, or another exception, of a shipment of MAEU from Shanghai to Rotterdam that is in transit, tagged
   * "reefer", has three references and arrives two days late.
   */
  async function openOfShipment({ accountId }: AlertAccount, number: string, kind = "hold"): Promise<void> {
    const [shipmentId, id, customerId] = [uuidV7.next(), uuidV7.next(), uuidV7.next()];
    await query("INSERT INTO vessels (id, name) VALUES ($1, 'SBX ALPHA') ON CONFLICT DO NOTHING", uuidV7.next());
    await query(
      `INSERT INTO parties (account_id, id, company_name, created_at, updated_at)
        VALUES ($1, $2, 'Customer of ' || $3, $4, $4)`,
      accountId,
      customerId,
      number,
      at,
    );
    await query(
      `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind,
        shipping_line_scac, tags, port_of_lading_id, port_of_discharge_id,
        pol_etd_at, pol_atd_at, created_at, updated_at, customer_id, ref_numbers, pod_voyage_number, pod_vessel_id,
        pod_original_eta_at, pod_eta_at)
      SELECT $1, $2, $3, $3, 'bill_of_lading', 'MAEU', '{reefer}', pol.id, pod.id, $4, $4, $4, $4, $5,
        '{PO-1,PO-2,PO-3}', '001E', vessel.id, '2026-12-20T05:00:00Z', '2026-12-21T23:30:00Z'
      FROM ports pol JOIN ports pod ON pod.locode = 'NLRTM'
      JOIN vessels vessel ON vessel.name = 'SBX ALPHA' WHERE pol.locode = 'CNSHA'`,
      accountId,
      shipmentId,
      number,
      at,
      customerId,
    );
    await query(
      `INSERT INTO exceptions (account_id, id, kind, severity, priority, subject_id, shipment_id, details,
        opened_at, created_at, updated_at) VALUES ($1, $2, $6, 'critical', 11000, $3, $3, $4, $5, $5, $5)`,
      accountId,
      id,
      shipmentId,
      { holds: ["freight"], amounts: [] },
      at,
      kind,
    );
    await change(accountId, [id], []);
  }

  const describe = () => "[]";

  async function change(
    accountId: string,
    openedIds: readonly string[],
    resolvedIds: readonly string[],
  ): Promise<void> {
    await database.transaction((sql) => {
      const members = () => createMemberRepository(sql).list(accountId);
      return notifyExceptions(sql, accountId, { openedIds, resolvedIds, now: at, describe, members });
    });
    await makeDue(accountId);
  }

  /** Replaces exceptions of tracking requests by those of the next step of their case, as the rules do. */
  async function supersede({ accountId }: AlertAccount, ids: readonly string[], kind: ExceptionKind): Promise<void> {
    const found = [{ kind, severity: "critical", containerId: null, details: { days: 1 } }] as const;
    const checked = { subjectType: "tracking_request", isNew: false, found, nextCheckAt: null } as const;
    const rows = await query<{ subjectId: string }>(
      `SELECT subject_id AS "subjectId" FROM exceptions WHERE id = ANY($1::uuid[])`,
      ids,
    );
    const subjects = rows.map((row) => ({ ...row, ...checked, resolution: "cleared" as const }));
    await database.transaction(async (sql) => {
      const now = addMs(at, hourMs);
      const changes = await writeExceptions(sql, accountId, subjects, now);
      const members = () => createMemberRepository(sql).list(accountId);
      await notifyExceptions(sql, accountId, { ...changes, now, describe, members });
    });
    await makeDue(accountId);
  }

  async function makeDue(accountId: string): Promise<void> {
    await query(
      "UPDATE alert_items SET due_at = now() - interval '1 second' WHERE account_id = $1 AND due_at IS NOT NULL",
      accountId,
    );
  }

  const sendTest = async ({ accountId }: AlertAccount, id: string) => {
    const limits = { ofAccount: 20, ofSubscription: 5 };
    const subscription = await subscriptions.find(accountId, id);
    if (!subscription) throw new Error(`There is no subscription ${id}.`);
    return database.transaction((sql) =>
      createAlertSubscriptionRepository(sql, box).enqueueTest(accountId, subscription, limits),
    );
  };
  const find = ({ accountId }: AlertAccount, id: string) => subscriptions.find(accountId, id);
  const messagesOf = (id: string) =>
    query<{ attempts: number; sent_at: string | null; failed_at: string | null; error: string | null }>(
      "SELECT attempts, sent_at, failed_at, error FROM alert_messages WHERE subscription_id = $1 ORDER BY created_at",
      id,
    );

  /** Reads the items and messages of the account that are due now. */
  const due = (accountId: string) =>
    query(
      `SELECT 1 FROM alert_items WHERE account_id = $1 AND due_at <= now() UNION ALL
       SELECT 1 FROM alert_messages WHERE account_id = $1 AND next_attempt_at <= now()`,
      accountId,
    );

  return {
    due,
    query,
    newAccount,
    subscribe,
    subscribeMailbox,
    subscribeChannel,
    addView,
    open,
    openOfShipment,
    change,
    supersede,
    sendTest,
    find,
    messagesOf,
  };
}
