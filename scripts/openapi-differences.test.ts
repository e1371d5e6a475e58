import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { breakingChanges } from "./openapi-differences.ts";

const committed = fs.readFileSync(path.resolve(import.meta.dirname, "../docs/api/openapi.json"), "utf8");
const shipment = {
  type: "object",
  properties: {
    tags: { type: "array", items: { type: "string", maxLength: 50 } },
    kind: { enum: ["bill", "booking"] },
    holder: { anyOf: [{ $ref: "#/components/schemas/Shipment" }, { type: "null" }] },
    weight: { type: ["number", "null"] },
  },
  required: ["tags", "kind"],
};
const operation = {
  parameters: [{ in: "query", name: "sort", schema: { type: "string" } }],
  requestBody: {
    required: false,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Shipment" } } },
  },
  responses: {
    200: {
      headers: { ETag: {} },
      content: { "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Shipment" } } } },
    },
    404: { description: "Unknown." },
  },
};
const description = {
  paths: { "/shipments": { get: {}, post: operation } },
  components: { schemas: { Shipment: shipment } },
};

/** The description with every occurrence of a text replaced. */
const changed = (from: unknown, to: unknown): typeof description => {
  const [text, replacement] = [from, to].map((part) => JSON.stringify(part).slice(1, -1)) as [string, string];
  const before = JSON.stringify(description);
  expect(before).toContain(text);
  return JSON.parse(before.replaceAll(text, replacement));
};

const at = "POST /shipments";
const request = `${at} (application/json)`;
const responseBody = `${at} 200 (application/json)[]`;

test.each<[string, unknown, unknown, string[]]>([
  ["a path", { "/shipments": 1 }, { "/others": 1 }, [`${at}: is gone.`]],
  ["an operation", { post: 1 }, { put: 1 }, [`${at}: is gone.`]],
  ["a parameter", { name: "sort" }, { name: "order" }, [`${at}: query parameter sort is gone.`]],
  ["a header", { ETag: {} }, { Other: {} }, [`${at} 200: the header ETag is gone.`]],
  ["an answer", { 200: 1 }, { 202: 1 }, [`${at}: never answers 200 now.`]],
  ["a property", { weight: 1 }, { load: 1 }, [`${request}.weight: is gone.`, `${responseBody}.weight: is gone.`]],
  ["a required property", ["tags", "kind"], ["tags", "kind", "weight"], [`${request}.weight: is required now.`]],
  ["a property that may be missing", ["tags", "kind"], ["tags"], [`${responseBody}.kind: is not always there now.`]],
  ["a value of a request", ["bill", "booking"], ["bill"], [`${request}.kind: does not accept "booking" now.`]],
  ["a narrower text", { maxLength: 50 }, { maxLength: 40 }, [`${request}.tags[]: has maxLength 40 now.`]],
  ["a body that is needed", { required: false }, { required: true }, [`${at}: needs a body now.`]],
  [
    "a narrower type",
    { type: ["number", "null"] },
    { type: ["number"] },
    [`${request}.weight: is number now, not number or null.`],
  ],
  [
    "a wider type",
    { type: ["number", "null"] },
    { type: ["number", "null", "string"] },
    [`${responseBody}.weight: is number or null or string now, not number or null.`],
  ],
])("%s breaks clients", (_name, from, to, expected) => {
  const [before, after] =
    typeof from === "object" && !Array.isArray(from) ? [keyOrPart(from), keyOrPart(to)] : [[from], [to]];
  expect(breakingChanges(description, changed(before, after))).toEqual(expected);
});

/** `{ name: 1 }` stands for the name alone. */
function keyOrPart(part: unknown): unknown {
  const [[name, value] = []] = Object.entries(part as object);
  return value === 1 ? [name] : part;
}

test("reports neither additions nor unchanged parts as breaking", () => {
  const more = changed(["bill", "booking"], ["bill", "booking", "container"]);
  const paths = { ...more.paths, "/more": { get: operation } };
  expect(breakingChanges(description, { ...more, paths })).toEqual([]);
  expect(breakingChanges(JSON.parse(committed), JSON.parse(committed))).toEqual([]);
});

test("a body that may be null too is wider for requests and a change for responses", () => {
  const nullable = { anyOf: [{ $ref: "#/components/schemas/Shipment" }, { type: "null" }] };
  const withSchema = (schema: object) => ({
    ...description,
    paths: {
      "/shipments": { get: {}, post: { ...operation, requestBody: { content: { "application/json": { schema } } } } },
    },
  });
  const [plain, wider] = [withSchema({ $ref: "#/components/schemas/Shipment" }), withSchema(nullable)];
  expect(breakingChanges(plain, wider)).toEqual([]);
  expect(breakingChanges(wider, plain)).not.toEqual([]);
});

test("an attribute that goes from the description of this API is noticed wherever it is answered [spec: G18]", () => {
  const after = JSON.parse(committed);
  delete after.components.schemas.Shipment.properties.attributes.properties.pod_eta_at;
  const changes = breakingChanges(JSON.parse(committed), after);
  expect(
    changes.some((change) => change.startsWith("GET /shipments/{id} 200") && change.includes("pod_eta_at: is gone")),
  ).toBe(true);
});
