import type { Page } from "@svc/domain/lists";
import type { MemberAction } from "@svc/domain/members";
import type { ResourceType } from "@svc/jsonapi";
import type { WriteDocument } from "@svc/jsonapi/documents";
import type { Query, QueryDefinition } from "@svc/jsonapi/query";
import type { z } from "zod";
import type { Services } from "../services.ts";
import type { Caller } from "./authenticator.ts";
import { defineRoute, type PathParameters, type ResponseDefinition, type Route } from "./define-route.ts";
import { checkVersion, preconditionFailed } from "./preconditions.ts";
import { createdReply, listReply, type ResourceMapper, recordDocument, recordReply } from "./replies.ts";
import { requireFound } from "./require-found.ts";

type ValuesOf<Params extends PathParameters> = { readonly [Name in keyof Params]: string };

/** Parts that the operations on one kind of record share. */
export interface RecordKind<Item, Params extends PathParameters> {
  readonly type: ResourceType;
  readonly tag: string;
  /** Path of one record, below /v2. */
  readonly path: `/${string}`;
  /** Parameters of the path; the last one is the record's own id. */
  readonly params: Params;
  /** The reply that shows one record. */
  readonly shown: ResponseDefinition;
  find(services: Services, caller: Caller, params: ValuesOf<Params>): Promise<Item | null>;
  /** The wire form of the records, as the caller may see them. */
  resource(
    services: Services,
    caller: Caller,
    items: readonly Item[],
  ): ResourceMapper<Item> | Promise<ResourceMapper<Item>>;
}

type Described = Pick<Route, "operationId" | "summary" | "description" | "action">;
/** A route whose description follows from its record, unless it has one of its own. */
type PartlyDescribed = Omit<Described, "description"> & Partial<Pick<Described, "description">>;

export function defineRecord<Item, const Params extends PathParameters>(
  kind: RecordKind<Item, Params>,
): RecordKind<Item, Params> {
  return kind;
}

/** The record that the path names. Throws `TrackingError` `not_found` where there is none. */
export async function findRecord<Item, Params extends PathParameters>(
  kind: RecordKind<Item, Params>,
  { services, caller, params }: { services: Services; caller: Caller; params: ValuesOf<Params> },
): Promise<Item> {
  const [name = "", own] = Object.entries(kind.params).at(-1) ?? [];
  const id = (params as Readonly<Record<string, string>>)[name] ?? "";
  return requireFound(own?.of ?? kind.type, id, await kind.find(services, caller, params));
}

/** Defines a route that returns one record, with its version if it has one. */
export function getRoute<Item extends object, Params extends PathParameters>(
  kind: RecordKind<Item, Params>,
  described: PartlyDescribed,
): Route {
  const { type, tag, path, params, shown } = kind;
  return defineRoute({
    method: "get",
    path,
    description: `Returns the ${type.replaceAll("_", " ")} with this id.`,
    ...described,
    tag,
    scope: "read",
    request: { params, query: { type } },
    responses: { 200: shown },
    async handle(exchange) {
      const { services, caller } = exchange;
      const item: Item & { readonly rowVersion?: number } = await findRecord(kind, exchange);
      const toResource = await kind.resource(services, caller, [item]);
      const document = await recordDocument(exchange, toResource(item, services.settings.baseUrl));
      return { status: 200, document, ...(item.rowVersion !== undefined && { version: item.rowVersion }) };
    },
  });
}

/** Defines a route that returns a page of an account's records, the newest first. */
export function listRoute<
  Item extends { readonly id: string; readonly createdAt: string },
  const Definition extends QueryDefinition & {
    readonly list: { readonly sortKeys: { readonly created_at: "instant" } };
  },
>(
  kind: RecordKind<Item, PathParameters>,
  route: PartlyDescribed & {
    /** A path without parameters. */
    readonly path: `/${string}`;
    readonly query: Definition;
    readonly page: ResponseDefinition;
    list(services: Services, caller: Caller, query: Query<Definition>): Promise<Page<Item>>;
  },
): Route {
  const { path, query: definition, page, list, ...described } = route;
  return defineRoute({
    method: "get",
    path,
    description: `Lists the account's ${route.summary.replace(/^List /, "")}, newest first.`,
    ...described,
    tag: kind.tag,
    scope: "read",
    request: { query: definition },
    responses: { 200: page },
    async handle(exchange) {
      const { services, caller, query } = exchange;
      const found = await list(services, caller, query);
      return listReply<Item>(exchange, {
        path,
        page: found,
        resource: await kind.resource(services, caller, found.items),
        sortValues: { created_at: ({ createdAt }) => createdAt },
      });
    },
  });
}

interface Versioned {
  readonly rowVersion: number;
}

type AttributesOf<Document extends WriteDocument> = z.output<Document["attributes"]>;

/** Creates a record from the document in the body, and returns it. */
export function createRoute<Item extends Versioned, Document extends WriteDocument>(
  kind: RecordKind<Item, PathParameters>,
  route: Described & {
    /** A path without parameters. */
    readonly path: `/${string}`;
    readonly action: MemberAction;
    readonly document: Document;
    create(services: Services, caller: Caller, attributes: AttributesOf<Document>): Promise<Item>;
  },
): Route {
  const { document, create, ...described } = route;
  return defineRoute({
    method: "post",
    ...described,
    tag: kind.tag,
    scope: "write",
    request: { query: { type: kind.type }, body: { document } },
    responses: { 201: kind.shown },
    async handle(exchange) {
      const { services, caller, body } = exchange;
      const created = await create(services, caller, body.attributes as AttributesOf<Document>);
      return createdReply(exchange, created, await kind.resource(services, caller, [created]));
    },
  });
}

/** Edits one record in a transaction that locks it, unless If-Match names another version of it, and returns it. */
export function editRoute<Item extends Versioned, Params extends PathParameters, Document extends WriteDocument>(
  kind: RecordKind<Item, Params>,
  route: Described & {
    readonly action: MemberAction;
    readonly document: Document;
    /** Locks the record against changes until the transaction ends. */
    lock(services: Services, caller: Caller, params: ValuesOf<Params>): Promise<Item | null>;
    /** The locked record with the attributes that the document has. */
    edit(services: Services, caller: Caller, present: Item, attributes: AttributesOf<Document>): Promise<Item>;
  },
): Route {
  const { document, lock, edit, ...described } = route;
  return defineRoute({
    method: "patch",
    path: kind.path,
    ...described,
    tag: kind.tag,
    scope: "write",
    request: {
      params: kind.params,
      query: { type: kind.type },
      body: { document },
      conditional: true,
    },
    responses: { 200: kind.shown },
    async handle(exchange) {
      const { services, caller, params, body, ifVersions } = exchange;
      const edited = await services.transaction(caller.accountId, async (_sql, inTransaction) => {
        const present = await findRecord({ ...kind, find: lock }, { services: inTransaction, caller, params });
        checkVersion(ifVersions, present);
        return edit(inTransaction, caller, present, body.attributes as AttributesOf<Document>);
      });
      return recordReply(exchange, edited, await kind.resource(services, caller, [edited]));
    },
  });
}

/** Deletes one record, unless If-Match names another version of it. */
export function deleteRoute<Item, Params extends PathParameters>(
  kind: RecordKind<Item, Params>,
  route: Described & {
    readonly action: MemberAction;
    /** An empty body. */
    readonly response: { readonly status: 200 | 204; readonly description: string };
    /** Whether there was one of such a version. */
    remove(
      services: Services,
      caller: Caller,
      params: ValuesOf<Params>,
      ifVersions: readonly number[] | null,
    ): Promise<boolean>;
  },
): Route {
  const { response, remove, ...described } = route;
  return defineRoute({
    method: "delete",
    path: kind.path,
    ...described,
    tag: kind.tag,
    scope: "write",
    request: { params: kind.params, query: {}, conditional: true },
    responses: { [response.status]: { description: response.description } },
    async handle(exchange) {
      const { services, caller, params, ifVersions } = exchange;
      if (await remove(services, caller, params, ifVersions)) return { status: response.status };
      await findRecord(kind, exchange);
      throw preconditionFailed();
    },
  });
}
