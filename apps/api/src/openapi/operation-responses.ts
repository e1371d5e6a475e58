import { bytesMediaType, csvMediaType, documentMediaTypes, jsonMediaType } from "@svc/jsonapi/http";
import type { Route } from "../http/define-route.ts";
import type { JsonSchemas } from "./json-schemas.ts";
import { findExample } from "./operation-examples.ts";

const header = (description: string, schema: object = { type: "string" }) => ({ description, schema });

export const sharedHeaders = {
  "X-Request-Id": header("Id of the request, also in every error; the client's own when it sent a plain word."),
  "API-Version": header("Version of this description."),
  RateLimit: header('Remaining part of the limit, for example `"default";r=99;t=60`: requests and seconds.'),
  "RateLimit-Policy": header('The limit, for example `"default";q=100;w=60`: requests in seconds.'),
  ETag: header("Entity tag, which changes with the response. The part before the dash is the version of the record."),
  "Export-Cursor": header(
    "Value for `since` of the next export, which starts where this one ends. Present if the export is complete.",
  ),
  Location: header("Address of the created resource.", { type: "string", format: "uri" }),
  Link: header("Links of a list to other pages, as in the document (RFC 8288), unless they are very long."),
  "Idempotency-Replayed": header(
    "`true` for the stored response to an earlier request with the same Idempotency-Key. Errors in it have the id of that request.",
  ),
  "Retry-After": header("Seconds to wait.", { type: "integer", minimum: 1 }),
  Deprecation: header("Time since when the operation should not be used: `@` and Unix seconds (RFC 9745)."),
  Sunset: header("Time from which the operation may be removed (RFC 8594)."),
  "WWW-Authenticate": header("The scheme: Token."),
} as const;

type HeaderName = keyof typeof sharedHeaders;

const headers = (...names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const always: HeaderName[] = ["X-Request-Id", "API-Version"];
const limited: HeaderName[] = [...always, "RateLimit", "RateLimit-Policy"];

const refusals: Readonly<Record<number, { name: string; description: string; headers: HeaderName[] }>> = {
  400: {
    name: "BadRequest",
    description: "The body is malformed, or a parameter is unknown or not valid.",
    headers: limited,
  },
  401: {
    name: "Unauthorized",
    description: "The token is missing or not valid.",
    headers: [...always, "WWW-Authenticate"],
  },
  403: { name: "Forbidden", description: "The token or the account is not allowed to do this.", headers: limited },
  404: { name: "NotFound", description: "The record does not exist, or belongs to another account.", headers: limited },
  406: {
    name: "NotAcceptable",
    description: "The Accept header admits no media type that the service has.",
    headers: limited,
  },
  409: {
    name: "Conflict",
    description:
      "The body has another type or id than the URL, a record whose state does not allow it, or a request in progress with this Idempotency-Key.",
    headers: limited,
  },
  412: { name: "PreconditionFailed", description: "The record has changed since If-Match was read.", headers: limited },
  413: {
    name: "ContentTooLarge",
    description: "The body is larger than 1 MiB, or than the operation accepts.",
    headers: limited,
  },
  415: { name: "UnsupportedMediaType", description: "The media type of the body is not supported.", headers: limited },
  422: {
    name: "UnprocessableContent",
    description:
      "The content is refused, and every fault is named; or the Idempotency-Key was used for another request.",
    headers: limited,
  },
  429: {
    name: "TooManyRequests",
    description:
      "The rate limit of the account, or of requests without a valid token from this address, is exceeded. Retry after the seconds in Retry-After.",
    headers: [...limited, "Retry-After"],
  },
  500: { name: "InternalServerError", description: "The service failed.", headers: always },
  503: {
    name: "ServiceUnavailable",
    description: "The service is not ready now.",
    headers: [...always, "Retry-After"],
  },
};

/** One component for each refusal. */
export function sharedResponses(errorSchema: object): Record<string, object> {
  return Object.fromEntries(
    Object.values(refusals).map(({ name, description, headers: names }) => [
      name,
      {
        description,
        headers: headers(...names),
        content: Object.fromEntries(documentMediaTypes.map((type) => [type, { schema: errorSchema }])),
      },
    ]),
  );
}

/** Schema of a response that is no JSON; code generators read it as bytes. */
export const bytesContent = { schema: { type: "string", format: "binary" } } as const;

/** OpenAPI 3.1 describes no columns. */
const createContent = (mediaType: string, document: object): object => {
  if (mediaType === bytesMediaType) return bytesContent;
  return mediaType === csvMediaType ? { schema: { type: "string" } } : document;
};

function refusalStatuses(route: Route): number[] {
  const { params = {}, body, conditional } = route.request;
  const isWrite = route.method !== "get";
  return [
    400,
    401,
    403,
    ...(Object.keys(params).length > 0 || body ? [404] : []),
    406,
    // Every write takes an Idempotency-Key, which may be in use or used up.
    ...(isWrite ? [409] : []),
    ...(conditional ? [412] : []),
    ...(body ? [413, 415] : []),
    ...(isWrite ? [422] : []),
    429,
    500,
    503,
  ];
}

export function operationResponses(route: Route, schemas: JsonSchemas): Record<string, object> {
  const responses: Record<string, object> = {};
  const onResponses: HeaderName[] = route.deprecated ? [...limited, "Deprecation", "Sunset"] : limited;
  for (const [status, { description, schema }] of Object.entries(route.responses)) {
    const names: HeaderName[] = [...onResponses];
    if (route.streams === "changes") names.push("Export-Cursor");
    else if (schema && !route.streams && !(route.plainJson && route.method !== "get")) names.push("ETag");
    if (route.request.query?.list || route.request.query?.wholeList) names.push("Link");
    if (route.method !== "get") names.push("Idempotency-Replayed");
    if (status === "201") names.push("Location");
    const document = schema && { schema: schemas.add(schema, "output") };
    const recorded = findExample(route);
    const example = recorded.status === Number(status) ? recorded.response : undefined;
    const types = route.plainJson ? [jsonMediaType] : (route.mediaTypes ?? documentMediaTypes);
    responses[status] = {
      description,
      headers: headers(...names),
      ...(document && {
        content: Object.fromEntries(
          types.map((type, index) => [
            type,
            { ...createContent(type, document), ...(index === 0 && example && { example }) },
          ]),
        ),
      }),
    };
  }
  if (route.method === "get" && !route.streams)
    responses[304] = { description: "The record has not been modified.", headers: headers(...onResponses, "ETag") };
  for (const status of refusalStatuses(route)) {
    responses[status] = { $ref: `#/components/responses/${refusals[status]?.name}` };
  }
  return responses;
}
