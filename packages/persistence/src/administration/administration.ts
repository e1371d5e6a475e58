import type { MemberRole } from "@svc/domain/members";
import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import type { TokenScope } from "../tokens/token-repository.ts";

export interface AccountRow {
  readonly id: string;
  readonly companyName: string;
  /** Enabled paid features. */
  readonly features: readonly string[];
  /** Whether members sign in by single sign-on only. */
  readonly requiresSingleSignOn: boolean;
  /** Whether members without a second factor have to set it up. */
  readonly requiresTwoFactor: boolean;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
  readonly closedAt: Date | null;
  /** Time at which a closed account is erased. */
  readonly eraseAfter: Date | null;
}

/** Metadata of an API token; of the token itself only the hash is stored. */
export interface TokenRow {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The token's last four characters. */
  readonly hint: string;
  readonly scopes: readonly string[];
  readonly role: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface NewToken {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly role: MemberRole;
  readonly hint: string;
  readonly tokenSha256: Buffer;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** Operations of the service's operator, across all accounts. Not reachable by requests of users. */
export interface Administration {
  listAccounts(): Promise<AccountRow[]>;
  findAccount(id: string): Promise<AccountRow | null>;
  createAccount(account: Pick<AccountRow, "companyName" | "features" | "createdAt">): Promise<AccountRow>;
  /** Null when there is no such account. */
  renameAccount(id: string, companyName: string): Promise<AccountRow | null>;
  /** Tokens of one account, or of all. */
  listTokens(accountId: string | undefined): Promise<TokenRow[]>;
  createToken(token: NewToken): Promise<TokenRow>;
  /**
   * Revokes a token. Null when there is no such token; a token that is already revoked keeps its time of revocation.
   */
  revokeToken(id: string, at: Date): Promise<TokenRow | null>;
}

const tokenFields = {
  id: true,
  accountId: true,
  name: true,
  hint: true,
  scopes: true,
  role: true,
  createdAt: true,
  lastUsedAt: true,
  expiresAt: true,
  revokedAt: true,
} as const;

export function createAdministration({ prisma }: Pick<Database, "prisma">): Administration {
  return {
    listAccounts: () => prisma.account.findMany({ orderBy: { id: "asc" } }),
    findAccount: (id) => prisma.account.findUnique({ where: { id } }),
    createAccount: ({ features, ...account }) =>
      prisma.account.create({ data: { ...account, id: uuidV7.next(), features: [...features] } }),
    async renameAccount(id, companyName) {
      await prisma.account.updateMany({ where: { id }, data: { companyName } });
      return prisma.account.findUnique({ where: { id } });
    },
    listTokens: (accountId) =>
      prisma.apiToken.findMany({
        where: accountId === undefined ? {} : { accountId },
        select: tokenFields,
        orderBy: { id: "asc" },
      }),
    createToken: ({ tokenSha256, scopes, ...token }) =>
      prisma.apiToken.create({
        data: { ...token, id: uuidV7.next(), scopes: [...scopes], tokenSha256: new Uint8Array(tokenSha256) },
        select: tokenFields,
      }),
    async revokeToken(id, at) {
      await prisma.apiToken.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } });
      return prisma.apiToken.findUnique({ where: { id }, select: tokenFields });
    },
  };
}
