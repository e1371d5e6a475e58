import type { Carrier, OfferedCarrier, TerminalSource } from "@svc/carriers";
import { type CarrierLimits, unlimited } from "@svc/domain/carrier-connections";
import type { SecretBox, Sql } from "@svc/persistence";
import type { ConnectionTestClaim } from "@svc/persistence/carrier-connections";
import { findConnectionCredentials } from "@svc/persistence/carrier-connections";
import { credentialOf, type SubjectClaim } from "@svc/persistence/tracking";

/** A carrier with the credential that one subject uses. */
export interface ConnectedCarrier {
  readonly scac: string;
  readonly credential: string;
  /** The account of the connection; null: the service's own connection. */
  readonly accountId: string | null;
  /** Null: the carrier is not configured. */
  readonly carrier: Carrier | null;
  readonly limits: CarrierLimits;
  /** False: it replies within this process, without budget and circuit breaker. */
  readonly isRemote: boolean;
}

const cachedConnectionsMax = 1_000;

/** Finds the carrier of each subject: through the account's own connection, else the service's. */
export class CarrierDirectory {
  readonly #offered: ReadonlyMap<string, OfferedCarrier>;
  /** Carriers by the SCAC of a brand that shares their connection. */
  readonly #byBrand: ReadonlyMap<string, OfferedCarrier>;
  readonly #terminals: ReadonlyMap<string, TerminalSource>;
  readonly #sql: Sql;
  readonly #box: SecretBox | null;
  /** Carriers by connection, in order of last use (LRU). A changed connection has another version. */
  readonly #own = new Map<string, { readonly version: number; readonly carrier: Carrier }>();

  /** Connections of accounts cannot be opened when `box` is null. */
  constructor(
    offered: ReadonlyMap<string, OfferedCarrier>,
    terminals: ReadonlyMap<string, TerminalSource>,
    sql: Sql,
    box: SecretBox | null,
  ) {
    this.#offered = offered;
    this.#byBrand = new Map(
      [...offered.values()].flatMap((each) => each.brands.map((brand) => [brand, each] as const)),
    );
    this.#terminals = terminals;
    this.#sql = sql;
    this.#box = box;
  }

  /** Null: neither the account nor the service is connected to the carrier. */
  async find(claim: SubjectClaim): Promise<ConnectedCarrier | null> {
    const terminal = claim.kind === "terminal_container" ? this.#terminal(claim) : null;
    if (terminal !== null) return terminal;
    const isOwn = claim.connection !== null;
    // A brand shares the connections of accounts, whose limits are of the connection.
    const offered = this.#offered.get(claim.scac) ?? (isOwn ? this.#byBrand.get(claim.scac) : undefined);
    const common = { scac: claim.scac, credential: credentialOf(claim), limits: offered?.limits ?? unlimited };
    if (claim.connection === null) {
      if (offered === undefined || offered.shared === null) return null;
      const isRemote = offered.withCredentials !== null;
      return { ...common, accountId: null, carrier: offered.shared, isRemote };
    }
    const carrier = offered ? await this.#ownCarrier(offered, claim, claim.connection) : null;
    return { ...common, accountId: claim.accountId, carrier, isRemote: true };
  }

  /**
   * The carrier for a test call, with the credentials as they are now and without a cached access token. Null: the
   * carrier is not configured for accounts, or the connection was deleted.
   */
  async findForTest({ accountId, id, scac }: ConnectionTestClaim): Promise<ConnectedCarrier | null> {
    const offered = this.#offered.get(scac);
    if (offered === undefined || offered.withCredentials === null) return null;
    if (this.#box === null) throw new Error("SVC_SECRET_KEY is not set, so no credentials can be opened.");
    const found = await findConnectionCredentials(this.#sql, this.#box, accountId, id);
    if (found === null) return null;
    const carrier = offered.withCredentials(found.credentials);
    return { scac, credential: id, accountId, carrier, limits: offered.limits, isRemote: true };
  }

  /** Addresses that requests to the carrier are sent to; null: it is not configured. */
  addressesOf(scac: string): OfferedCarrier["addresses"] {
    return this.#offered.get(scac)?.addresses ?? null;
  }

  /**
   * Returns the addresses and limits with which credentials are checked; null: the carrier is not configured any more.
   */
  forCheck(scac: string): { readonly addresses: OfferedCarrier["addresses"]; readonly limits: CarrierLimits } | null {
    const offered = this.#offered.get(scac);
    if (offered !== undefined) return offered;
    const terminal = this.#terminals.get(scac);
    return terminal === undefined ? null : { addresses: terminal.addresses, limits: unlimited };
  }

  /** Null: it is no source of the operator of this service. Operators of terminals are found like carriers. */
  #terminal(claim: SubjectClaim): ConnectedCarrier | null {
    const terminal = this.#terminals.get(claim.scac);
    if (terminal === undefined) return null;
    const { scac } = claim;
    return {
      scac,
      credential: credentialOf(claim),
      accountId: null,
      carrier: terminal,
      limits: unlimited,
      isRemote: true,
    };
  }

  async #ownCarrier(
    offered: OfferedCarrier,
    { accountId }: SubjectClaim,
    { id, version }: NonNullable<SubjectClaim["connection"]>,
  ): Promise<Carrier | null> {
    const cached = this.#own.get(id);
    if (cached?.version === version) {
      this.#own.delete(id);
      this.#own.set(id, cached);
      return cached.carrier;
    }
    if (this.#box === null || offered.withCredentials === null) return null;
    const found = await findConnectionCredentials(this.#sql, this.#box, accountId, id);
    if (found === null) return null;
    const carrier = offered.withCredentials(found.credentials);
    this.#own.set(id, { version: found.version, carrier });
    const [oldest] = this.#own.keys();
    if (this.#own.size > cachedConnectionsMax && oldest !== undefined) this.#own.delete(oldest);
    return carrier;
  }
}
