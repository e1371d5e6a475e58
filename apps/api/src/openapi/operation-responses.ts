import { bytesMediaType, csvMediaType, documentMediaTypes, jsonMediaType } from "@svc/jsonapi/http";
import type { Route } from "../http/define-route.ts";
import type { JsonSchemas } from "./json-schemas.ts";
import { exampleOf } from "./operation-examples.ts";

const header = (description: string, schema: object = { type: "string" }) => ({ description, schema });

export const sharedHeaders = {
  "X-Request-Id": header("Id of the request, also in every error; the client's own when it sent a plain word."),
  "API-Version": header("Version of this description."),
  RateLimit: header('What is left of the limit, for example `"default";r=99;t=60`: requests and seconds.'),
  "RateLimit-Policy": header('The limit, for example `"default";q=100;w=60`: requests in seconds.'),
  ETag: header("Changes with the answer. What stands before the dash is the version of the record."),
  "Export-Cursor": header("Of a complete export: `since` of the next one, which starts where this one ends."),
  Location: header("Address of the created resource.", { type: "string", format: "uri" }),
  Link: header("Of a list: the same links to other pages as in the document (RFC 8288), unless they are very long."),
  "Idempotency-Replayed": header(
    "`true` when the answer is the first one's of the same Idempotency-Key; the ids of its errors are that request's.",
  ),
  "Retry-After": header("Seconds to wait.", { type: "integer", minimum: 1 }),
  Deprecation: header("Since when the operation should not be used: `@` and Unix seconds (RFC 9745)."),
  Sunset: header("From when the operation may be gone (RFC 8594)."),
  "WWW-Authenticate": header("The scheme: Token."),
} as const;

type HeaderName = keyof typeof sharedHeaders;

const headers = (...names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const always: HeaderName[] = ["X-Request-Id", "API-Version"];
const limited: HeaderName[] = [...always, "RateLimit", "RateLimit-Policy"];

const refusals: Readonly<Record<number, { name: string; description: string; headers: HeaderName[] }>> = {
  400: { name: "BadRequest", description: "A malformed body, or an unknown or bad parameter.", headers: limited },
  401: {
    name: "Unauthorized",
    description: "The token is missing or not valid.",
    headers: [...always, "WWW-Authenticate"],
  },
  403: { name: "Forbidden", description: "The token or the account may not do this.", headers: limited },
  404: { name: "NotFound", description: "Unknown here, or of another account.", headers: limited },
  406: { name: "NotAcceptable", description: "Accept admits no media type that the service has.", headers: limited },
  409: {
    name: "Conflict",
    description:
      "Another type or id than the address says, a record whose state does not allow it, or a request in progress with this Idempotency-Key.",
    headers: limited,
  },
  412: { name: "PreconditionFailed", description: "The record has changed since If-Match was read.", headers: limited },
  413: {
    name: "ContentTooLarge",
    description: "The body has more than 1 MiB, or than the operation takes.",
    headers: limited,
  },
  415: { name: "UnsupportedMediaType", description: "The body has another media type.", headers: limited },
  422: {
    name: "UnprocessableContent",
    description: "The content is refused, every fault named; or the Idempotency-Key was used for another request.",
    headers: limited,
  },
  429: {
    name: "TooManyRequests",
    description:
      "The rate limit of the account, or of requests without a valid token from this address, is exceeded. Retry after the seconds in Retry-After.",
    headers: [...limited, "Retry-After"],
  },
  500: { name: "InternalServerError", description: "Our fault.", headers: always },
  503: { name: "ServiceUnavailable", description: "Not ready now.", headers: [...always, "Retry-After"] },
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
const contentOf = (mediaType: string, document: object): object => {
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
  const onAnswers: HeaderName[] = route.deprecated ? [...limited, "Deprecation", "Sunset"] : limited;
  for (const [status, { description, schema }] of Object.entries(route.responses)) {
    const names: HeaderName[] = [...onAnswers];
    if (route.streams === "changes") names.push("Export-Cursor");
    else if (schema && !route.streams && !(route.plainJson && route.method !== "get")) names.push("ETag");
    if (route.request.query?.list || route.request.query?.wholeList) names.push("Link");
    if (route.method !== "get") names.push("Idempotency-Replayed");
    if (status === "201") names.push("Location");
    const document = schema && { schema: schemas.add(schema, "output") };
    const recorded = exampleOf(route);
    const example = recorded.status === Number(status) ? recorded.response : undefined;
    const types = route.plainJson ? [jsonMediaType] : (route.mediaTypes ?? documentMediaTypes);
    responses[status] = {
      description,
      headers: headers(...names),
      ...(document && {
        content: Object.fromEntries(
          types.map((type, index) => [
            type,
            { ...contentOf(type, document), ...(index === 0 && example && { example }) },
          ]),
        ),
      }),
    };
  }
  if (route.method === "get" && !route.streams)
    responses[304] = { description: "Not modified.", headers: headers(...onAnswers, "ETag") };
  for (const status of refusalStatuses(route)) {
    responses[status] = { $ref: `#/components/responses/${refusals[status]?.name}` };
  }
  return responses;
}
