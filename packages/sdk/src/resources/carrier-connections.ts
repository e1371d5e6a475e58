import type { PageParameters } from "../documents/query.ts";
import { writeDocument } from "../documents/write-document.ts";
import type { Format } from "../format.ts";
import { plainRecordCalls } from "./plain-records.ts";
import { type CreateOptions, type Reader, type ReadOptions, segment, type WriteOptions } from "./reader.ts";
import { carrierConnectionKind, carrierKind } from "./record-kinds.ts";

type Headers = readonly { readonly name: string; readonly value: string }[];

/** Credentials, sent once, sealed by the service and never returned. */
export type ConnectionCredentials =
  | { readonly kind: "none" }
  | { readonly kind: "api_key"; readonly headers: Headers }
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  | {
      readonly kind: "oauth2_client_credentials";
      readonly client_id: string;
      readonly client_secret: string;
      readonly scope?: string;
      readonly headers?: Headers;
    }
  | {
      readonly kind: "oauth2_private_key_jwt";
      readonly client_id: string;
      readonly tenant: string;
      readonly scope: string;
      /** PEM. */
      readonly certificate: string;
      /** PEM, without passphrase. */
      readonly private_key: string;
    };

export interface NewCarrierConnection {
  readonly scac: string;
  readonly credentials: ConnectionCredentials;
  readonly active?: boolean | undefined;
}

export function carriersResource<F extends Format>(reader: Reader<F>) {
  return {
    /** The carriers that can be connected with credentials alone, and how the account is connected to each. */
    list<G extends Format = F>(parameters: PageParameters = {}, options?: ReadOptions<G>) {
      return reader.list(carrierKind, "/carriers", {}, parameters, options);
    },
  };
}

export function carrierConnectionsResource<F extends Format>(reader: Reader<F>) {
  const path = (id: string) => `/carrier_connections/${segment(id)}`;
  return {
    ...plainRecordCalls(reader, carrierConnectionKind, "/carrier_connections"),
    create<G extends Format = F>(connection: NewCarrierConnection, options?: CreateOptions<G>) {
      const body = writeDocument("carrier_connection", undefined, connection);
      return reader.one(carrierConnectionKind, { method: "POST", path: "/carrier_connections", body }, options);
    },
    update<G extends Format = F>(
      id: string,
      edit: Partial<Omit<NewCarrierConnection, "scac">>,
      options?: WriteOptions<G>,
    ) {
      const body = writeDocument("carrier_connection", id, edit);
      return reader.one(carrierConnectionKind, { method: "PATCH", path: path(id), body }, options);
    },
    /**
     * Makes one test call with the stored credentials and waits up to 20 s: `last_test` has the outcome and what to do,
     * `is_test_running` is true when it has not ended.
     */
    test<G extends Format = F>(id: string, options?: CreateOptions<G>) {
      return reader.one(carrierConnectionKind, { method: "POST", path: `${path(id)}/test` }, options);
    },
  };
}
