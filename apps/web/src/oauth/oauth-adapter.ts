import { instant } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import type { OAuthRecord, OAuthRecordRepository } from "@svc/persistence/oauth";
import { tokenScopes } from "@svc/persistence/tokens";
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from "oidc-provider";
import { readSubject } from "./subject.ts";

/** Retention of a client that registered itself and was never granted access. */
const unusedClientMs = 86_400_000;
const nameMax = 100;

const unsupported = (): never => {
  throw new Error("The device flow is not offered.");
};

/**
 * Stores the state of the authorization server. Clients and browsers present identifiers as secrets: their
 * SHA-256 is stored, and `jti`, which repeats the identifier, is left out of the record.
 */
export function createOAuthAdapter(records: OAuthRecordRepository): AdapterFactory {
  return (model): Adapter => {
    const toRecord = (
      id: string,
      { jti: _jti, ...payload }: AdapterPayload,
      expiresInSeconds?: number,
    ): OAuthRecord => {
      const subject = payload.accountId ?? payload.session?.accountId;
      const lifetimeMs = model === "Client" ? unusedClientMs : (expiresInSeconds ?? 0) * 1_000;
      return {
        model,
        id,
        accountId: subject === undefined ? null : readSubject(subject).accountId,
        grantId: model === "Grant" ? id : (payload.grantId ?? null),
        uid: payload.uid ?? null,
        payload,
        expiresAt: instant(Date.now() + lifetimeMs),
      };
    };
    const withId = (id: string, payload: object | null): AdapterPayload | undefined =>
      payload === null ? undefined : { ...payload, ...(model !== "Client" && { jti: id }) };

    return {
      async upsert(id, payload, expiresIn) {
        const record = toRecord(id, payload, expiresIn);
        const { accountId, clientId = "", scope = "" } = payload;
        if (model === "Grant") return records.storeGrant(record, clientId);
        if (model !== "AccessToken") return records.store(record);
        if (accountId === undefined || record.grantId === null) throw new errors.InvalidGrant("The grant has no user.");
        const subject = readSubject(accountId);
        const granted = new Set(scope.split(" "));
        const isStored = await records.storeAccessToken({
          ...record,
          accountId: subject.accountId,
          grantId: record.grantId,
          apiToken: {
            id: uuidV7.next(),
            name: clientId.slice(0, nameMax),
            scopes: tokenScopes.filter((one) => granted.has(one)),
            userId: subject.userId,
          },
        });
        if (!isStored) throw new errors.InvalidGrant("The application was disconnected.");
      },
      find: async (id) => withId(id, await records.find(model, id)),
      async findByUid(uid) {
        const payload = (await records.findByUid(model, uid)) as AdapterPayload | null;
        return payload ?? undefined;
      },
      findByUserCode: async () => unsupported(),
      async consume(id) {
        const isFirst = await records.consume(model, id, Math.floor(Date.now() / 1_000));
        // Only one of several concurrent requests with the same code or refresh token succeeds.
        if (!isFirst) throw new errors.InvalidGrant("It was already used.");
      },
      destroy: (id) => records.remove(model, id),
      revokeByGrantId: (grantId) => records.removeGrant(grantId),
    };
  };
}
