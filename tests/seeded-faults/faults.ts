/** A seeded defect, and the test that must detect it. */
export interface SeededFault {
  readonly name: string;
  /** Path from the root of the repository. */
  readonly file: string;
  /** Stands in the file once; `becomes` takes its place. */
  readonly code: string;
  readonly becomes: string;
  readonly noticedBy: {
    /** Path from the root of the repository. */
    readonly file: string;
    /** A part of the test's title, as Jest prints it. */
    readonly title: string;
  };
}

const api = "apps/api/src";
const wire = "packages/jsonapi/src";
const documents = `${api}/http/documents.integration.test.ts`;
const conformance = `${api}/http/conformance.integration.test.ts`;
const shipments = `${api}/shipments/shipment-routes.integration.test.ts`;

/** Twelve defects of an HTTP API that no single tool sees all of, and some that cost data. */
export const seededFaults: readonly SeededFault[] = [
  {
    name: "the content type has a charset",
    file: `${api}/http/serve-route.ts`,
    code: "route.plainJson ? jsonMediaType : named;",
    becomes: '(route.plainJson ? jsonMediaType : named) + "; charset=utf-8";',
    noticedBy: { file: conformance, title: "Accept: */* gives 200" },
  },
  {
    name: "a refusal is no document of errors",
    file: `${wire}/errors.ts`,
    code: "  return { errors };",
    becomes: "  return { error: errors[0] };",
    noticedBy: { file: conformance, title: "404 as JSON:API: /nothing" },
  },
  {
    name: "an attribute has another type",
    file: `${wire}/shipments/shipment-resource.ts`,
    code: "attributes: attributes.of(shipment),",
    becomes: 'attributes: { ...attributes.of(shipment), tags: shipment.tags.join(",") },',
    noticedBy: { file: documents, title: "/shipments/{id} is a document of JSON:API" },
  },
  {
    name: "a resource has no link to itself",
    file: `${wire}/shipments/shipment-resource.ts`,
    code: "links: { self: ",
    becomes: "meta: { self: ",
    noticedBy: { file: documents, title: "/shipments/{id} is a document of JSON:API" },
  },
  {
    name: "the primary resource is included once more",
    file: `${api}/includes/load-included.ts`,
    code: ".filter(([key]) => !primaryKeys.has(key))",
    becomes: "",
    noticedBy: { file: documents, title: "/shipments/{id} is a document of JSON:API" },
  },
  {
    name: "something is included that nothing leads to",
    file: `${api}/includes/load-included.ts`,
    code: "primary.map((resource) => known.get(keyOf(resource)) ?? resource)",
    becomes: "primary",
    noticedBy: { file: documents, title: "/containers/{id} is a document of JSON:API" },
  },
  {
    name: "a document has a member of its own",
    file: `${wire}/documents/resource-document.ts`,
    code: "    ...members,\n  };",
    becomes: "    ...members,\n    tookMs: 1,\n  };",
    noticedBy: { file: documents, title: "/shipments is a document of JSON:API" },
  },
  {
    name: "an unknown query parameter is passed over",
    file: `${wire}/query/read-query.ts`,
    code: "  reportUnknown(text, definition);",
    becomes: "",
    noticedBy: { file: conformance, title: "foo=1" },
  },
  {
    name: "an unknown address gets a page",
    file: `${api}/http/unknown-path.ts`,
    code: "return (request, response) => {",
    becomes:
      'return (request, response) => {\n    if (request.path) return void response.status(404).send("<h1>Not found</h1>");',
    noticedBy: {
      file: `${api}/http/refusals.integration.test.ts`,
      title: "sends errors as application/json to a client that admits no other type",
    },
  },
  {
    name: "a malformed id reaches the database",
    file: `${api}/http/admit-request.ts`,
    code: "if (!pathShapes[kind].test(value)) throw notFound(of, value);",
    becomes: "",
    noticedBy: {
      file: shipments,
      title: "404: another account's shipment, an unknown id and a malformed one are the same",
    },
  },
  {
    name: "a body of another build is taken apart",
    file: `${wire}/documents/write-document.ts`,
    code: '  if (!isJsonObject(data)) throw malformed("data must be an object.", at);',
    becomes: "",
    noticedBy: { file: shipments, title: "400: data null" },
  },
  {
    name: "repeated tags are stored",
    file: `${wire}/documents/text.ts`,
    code: "if (repeated.length > 0) {",
    becomes: "if (repeated.length > 1_000) {",
    noticedBy: { file: shipments, title: "422: repeated tags are refused" },
  },
  {
    name: "If-Match is not looked at",
    file: `${api}/http/admit-request.ts`,
    code: 'route.request.conditional ? parseIfMatch(request.headers["if-match"]) : null',
    becomes: "null",
    noticedBy: { file: `${api}/parties/party-routes.integration.test.ts`, title: "412: renamed in the meantime" },
  },
  {
    name: "those who make webhooks at once do not wait for each other",
    file: "packages/persistence/src/webhooks/webhook-repository.ts",
    code: "sql.execute(acquireLock, [accountId]),",
    becomes: "Promise.resolve(),",
    noticedBy: {
      file: `${api}/webhooks/webhook-limit.integration.test.ts`,
      title: "concurrent requests, without a key",
    },
  },
  {
    name: "503 does not say when to ask again",
    file: `${api}/http/send.ts`,
    code: '...(status === 503 && { "Retry-After": retryAfterSeconds }),',
    becomes: "",
    noticedBy: {
      file: `${api}/http/database-unreachable.integration.test.ts`,
      title: "a statement that outlasts its time",
    },
  },
];
