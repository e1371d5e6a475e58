import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { writeDocumentSchema } from "@svc/jsonapi/documents";
import { bytesMediaType } from "@svc/jsonapi/http";
import type { Route } from "../http/define-route.ts";
import { plainPagePolicy, renderPlainPage } from "../reference/plain-page.ts";
import { routes } from "../routes.ts";
import { buildOpenApi } from "./build-openapi.ts";
import { findExample } from "./operation-examples.ts";
import { committedOpenApi, defaultBaseUrl } from "./published-description.ts";
import recordedExamples from "./recorded-examples.json" with { type: "json" };

const document = buildOpenApi(routes, defaultBaseUrl);

/** Every value in the document under a member of this name. */
function membersNamed(value: unknown, name: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name ? [member] : []),
    ...membersNamed(member, name),
  ]);
}

describe("the published description", () => {
  test("docs/api/openapi.json is up to date (pnpm --filter @svc/api openapi writes it) [spec: P23]", () => {
    expect(JSON.parse(readFileSync(committedOpenApi, "utf8"))).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test("every reference leads somewhere", () => {
    const references = membersNamed(document, "$ref") as string[];
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      const target = reference
        .slice(2)
        .split("/")
        .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document);
      expect([reference, typeof target]).toEqual([reference, "object"]);
    }
  });

  test("operation ids are unique, and every path parameter is described", () => {
    const ids = routes.map((route) => route.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const route of routes) {
      const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect([route.path, Object.keys(route.request.params ?? {})]).toEqual([route.path, named]);
    }
  });

  test("the shipment's required and nullable members are those of the specification [spec: shipment.field.*]", () => {
    const { components } = document as { components: { schemas: Record<string, unknown> } };
    const shipment = components.schemas.Shipment as {
      properties: {
        attributes: { properties: Record<string, { anyOf?: { type: string }[]; type?: string | string[] }> };
      };
      required: string[];
    };
    expect(shipment.required).toEqual(["id", "type", "attributes", "relationships", "links"]);
    const { properties } = shipment.properties.attributes;
    const isNullable = (name: string) =>
      [properties[name]?.type, ...(properties[name]?.anyOf ?? []).map(({ type }) => type)].flat().includes("null");
    for (const name of ["bill_of_lading_number", "normalized_number", "tags", "created_at", "shipping_line_scac"]) {
      expect([name, isNullable(name)]).toEqual([name, false]);
    }
    for (const name of ["ref_numbers", "pod_eta_at", "customer_name", "line_tracking_stopped_reason"]) {
      expect([name, isNullable(name)]).toEqual([name, true]);
    }
  });
});

describe("examples of operations", () => {
  const isJson = ({ streams, mediaTypes = [] }: Route) => !streams && !mediaTypes.includes(bytesMediaType);
  /** The response to a test of a connection depends on the carrier. */
  const withoutExample = ["testCarrierConnection", "sendEdiFile", "listEdiFiles", "getEdiFile"];

  test.each(routes.filter(isJson))("$operationId has recorded ones that its schemas accept", (route) => {
    const { request, status, response } = findExample(route);
    const schema = Object.entries(route.responses).find(([code]) => Number(code) === status)?.[1].schema;
    const hasDocument = Object.values(route.responses).some((one) => one.schema !== undefined);
    // A new operation or a changed schema: record it (tests/spec/recorded-api-examples.long.test.ts), or write the
    // example of a real response into recorded-examples.json.
    if (hasDocument && !withoutExample.includes(route.operationId)) expect(schema?.parse(response)).toBeDefined();
    const { body } = route.request;
    if (body && "document" in body && !body.optional)
      expect(writeDocumentSchema(body.document).parse(request)).toBeDefined();
  });

  test("has no example of a removed operation and no secret in any", () => {
    const known = new Set(routes.map(({ operationId }) => operationId));
    expect(Object.keys(recordedExamples).filter((id) => !known.has(id))).toEqual([]);
    expect(JSON.stringify(recordedExamples)).not.toMatch(/svc_live_|127\.0\.0\.1|localhost:1\d{4}/);
  });
});

describe("the plain reference page", () => {
  const page = renderPlainPage(document);

  test("describes every operation and schema without loading other resources", () => {
    for (const { operationId } of routes) expect(page).toContain(`id="${operationId}"`);
    expect(page).toContain('id="schema-Shipment"');
    expect(page).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
    expect(plainPagePolicy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*';/);
  });

  test("escapes texts of the description", () => {
    const hostile = buildOpenApi(
      routes.slice(0, 1).map((route) => ({ ...route, summary: '<img src=x onerror="alert(1)">' })),
      defaultBaseUrl,
    );
    expect(renderPlainPage(hostile)).not.toContain("<img");
  });
});
