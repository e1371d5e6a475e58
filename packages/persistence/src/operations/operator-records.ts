import type { AccountRow } from "../administration/administration.ts";
import type { Database } from "../database.ts";

/** A user in one account; a user of two accounts has two. */
export interface UserRow {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly role: string;
  readonly createdAt: Date;
}

/** A carrier connection of an account, without its credentials. */
export interface ConnectionRow {
  readonly id: string;
  readonly accountId: string;
  readonly scac: string;
  readonly credentialKind: string;
  readonly isActive: boolean;
  readonly isTestRunning: boolean;
  /** The outcome of the last test call, as the API shows it. */
  readonly lastTest: unknown;
}

/** Records of all accounts, for the operator. Not reachable by requests of users. */
export interface OperatorRecords {
  /** Users of one account, or of all. */
  listUsers(accountId: string | undefined): Promise<UserRow[]>;
  listConnections(accountId: string | undefined): Promise<ConnectionRow[]>;
  findConnection(id: string): Promise<ConnectionRow | null>;
  /** Replaces the paid features. Null when there is no such account. */
  setFeatures(accountId: string, features: readonly string[]): Promise<AccountRow | null>;
}

const connectionFields = {
  id: true,
  accountId: true,
  scac: true,
  credentialKind: true,
  active: true,
  testRequestedAt: true,
  lastTest: true,
} as const;

interface StoredConnection extends Pick<ConnectionRow, "id" | "accountId" | "scac" | "credentialKind" | "lastTest"> {
  readonly active: boolean;
  readonly testRequestedAt: Date | null;
}

const toConnection = ({ active, testRequestedAt, lastTest, ...row }: StoredConnection): ConnectionRow => ({
  ...row,
  isActive: active,
  isTestRunning: testRequestedAt !== null,
  lastTest,
});

export function createOperatorRecords({ prisma }: Pick<Database, "prisma">): OperatorRecords {
  const accountFilter = (accountId: string | undefined) => (accountId === undefined ? {} : { accountId });
  return {
    async listUsers(accountId) {
      const found = await prisma.membership.findMany({
        where: accountFilter(accountId),
        select: { accountId: true, role: true, user: { select: { id: true, email: true, createdAt: true } } },
        orderBy: [{ accountId: "asc" }, { userId: "asc" }],
      });
      return found.map(({ user, ...membership }) => ({ ...user, ...membership }));
    },
    async listConnections(accountId) {
      const orderBy = [{ accountId: "asc" }, { scac: "asc" }] as const;
      const found = await prisma.carrierConnection.findMany({
        where: accountFilter(accountId),
        select: connectionFields,
        orderBy: [...orderBy],
      });
      return found.map(toConnection);
    },
    async findConnection(id) {
      const found = await prisma.carrierConnection.findUnique({ where: { id }, select: connectionFields });
      return found && toConnection(found);
    },
    async setFeatures(id, features) {
      await prisma.account.updateMany({ where: { id }, data: { features: [...features] } });
      return prisma.account.findUnique({ where: { id } });
    },
  };
}
