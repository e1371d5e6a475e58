import type { MemberAction } from "@svc/domain/members";
import type { WriteDocument, WrittenResource } from "@svc/jsonapi/documents";
import type { Query, QueryDefinition } from "@svc/jsonapi/query";
import type { TokenScope } from "@svc/persistence/tokens";
import type { z } from "zod";
import type { RateLimitName } from "../rate-limits/rate-limits.ts";
import type { Services } from "../services.ts";
import type { Caller } from "./authenticator.ts";
import type { Deprecation } from "./deprecation.ts";

/** Accepted values of a path parameter; any other value is not found. */
export interface PathParameter {
  /** Kind of the record, as error messages name it. */
  readonly of: string;
  /** "uuid"; or "code": a UUID or the code by which the thing is known (UN/LOCODE, SCAC, IMO number); or "slug". */
  readonly kind: "uuid" | "code" | "slug";
  readonly description: string;
}

export type BodyDefinition =
  /** A JSON:API document with one resource. */
  | {
      readonly document: WriteDocument;
      readonly optional?: boolean;
      /** Name of the path parameter with the resource's id; default: `id`. Null: none, so the body has no id either. */
      readonly idParameter?: string | null;
      /** The path names no resource: the body's `id` does. */
      readonly hasId?: true;
    }
  /** A JSON object of its own (docs/contract/decisions.md 2: infer, trigger). */
  | { readonly plain: z.ZodObject }
  /** Read and checked by the operation itself; `schema` describes it. */
  | { readonly custom: z.ZodType }
  /** Bytes as they came, which are no JSON. */
  | { readonly bytes: BytesDefinition };

/** A body that is taken as it is. */
export interface BytesDefinition {
  /** Media types in lower case, without parameters. */
  readonly mediaTypes: readonly [string, ...string[]];
  readonly maxBytes: number;
}

export type BodyOf<Body> = Body extends { readonly document: infer Document; readonly optional: true }
  ? WrittenResource<Document> | null
  : Body extends { readonly document: infer Document }
    ? WrittenResource<Document>
    : Body extends { readonly bytes: BytesDefinition }
      ? Buffer
      : Body extends { readonly plain: infer Schema extends z.ZodObject }
        ? z.output<Schema>
        : Body extends { readonly custom: z.ZodType }
          ? unknown
          : null;

/** Path parameters by their names in the path. */
export type PathParameters = Readonly<Record<string, PathParameter>>;

/** A request that passed every check which does not depend on the operation. */
export interface Exchange<Definition extends QueryDefinition, Body, Params extends PathParameters = PathParameters> {
  readonly services: Services;
  readonly caller: Caller;
  readonly params: { readonly [Name in keyof Params]: string };
  readonly query: Query<Definition>;
  readonly body: BodyOf<Body>;
  /** The offered media type that Accept prefers. */
  readonly mediaType: string;
  /** Versions of the record that If-Match allows a write to start from; null: any. */
  readonly ifVersions: readonly number[] | null;
  readonly requestId: string;
  /** W3C trace context of the request; null without tracing. */
  readonly traceparent: string | null;
}

export interface Reply {
  readonly status: 200 | 201 | 202 | 204;
  /** The document; not set: an empty body. */
  readonly document?: object;
  /** The body of a route that streams, written as the client takes it; `headers` has its Content-Type. */
  readonly stream?: AsyncIterable<string | Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Version of the record that is shown, for its ETag. */
  readonly version?: number;
}

export interface ResponseDefinition {
  readonly description: string;
  /** Not set: an empty body. */
  readonly schema?: z.ZodType;
}

export interface RouteDefinition<Definition extends QueryDefinition, Body, Params extends PathParameters> {
  readonly method: "get" | "post" | "patch" | "delete";
  /** Path below /v2, with parameters in braces. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  /** What it does, when to use it, its limits. The published description adds the scope and the role. */
  readonly description: string;
  /** The chapter of the reference that it stands in. */
  readonly tag: string;
  readonly scope: TokenScope;
  /** Action that the caller's role must allow. Default: `read`, which every role allows; required for a write. */
  readonly action?: MemberAction;
  readonly rateLimit?: RateLimitName;
  /** Deprecation in the headers of every response and in the description. */
  readonly deprecated?: Deprecation;
  readonly request: {
    readonly params?: Params;
    readonly query?: Definition;
    readonly body?: Body;
    /** A write of one record, which honours If-Match. */
    readonly conditional?: boolean;
  };
  /** Whether it acts outside the database, so that its effect cannot be committed with the stored response. */
  readonly hasSideEffect?: boolean;
  /** Whether the response is `application/json` and no JSON:API document (docs/contract/decisions.md 2). */
  readonly plainJson?: boolean;
  /** Media types of a response that is no JSON:API document, the preferred one first. */
  readonly mediaTypes?: readonly string[];
  /**
   * Responds with a stream: of rows or changed rows, each of the schema of the response, or of bytes, which the schema
   * does not describe. Changes come with the cursor of the next export.
   */
  readonly streams?: "rows" | "changes" | "bytes";
  /** The successful responses; refusals follow from the definition. */
  readonly responses: Readonly<Record<number, ResponseDefinition>>;
  handle(exchange: Exchange<Definition, Body, Params>): Promise<Reply>;
}

export type Route = RouteDefinition<QueryDefinition, BodyDefinition | undefined, PathParameters>;

/** An operation of the API: checked, limited, served and published from this one definition. */
export function defineRoute<
  const Definition extends QueryDefinition,
  const Body extends BodyDefinition | undefined,
  const Params extends PathParameters = Record<never, PathParameter>,
>(route: RouteDefinition<Definition, Body, Params>): Route {
  return route;
}
