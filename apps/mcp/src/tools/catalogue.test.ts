import { describe, expect, test } from "@jest/globals";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { prompts } from "../prompts/catalogue.ts";
import { instructions } from "../protocol/instructions.ts";
import { resources, resourceTemplates } from "../resources/catalogue.ts";
import { tools } from "./catalogue.ts";

const tokens = (value: unknown) => countTokens(JSON.stringify(value));
const descriptions = tools.map((tool) => tool.description);
const names = descriptions.map((description) => description.name);

const writes = ["track_container", "update_shipment"];

describe("the published surface", () => {
  test("equals the stored copy, because every change affects clients", () => {
    expect(descriptions).toMatchSnapshot("tools");
    expect(prompts.map((prompt) => prompt.description)).toMatchSnapshot("prompts");
    expect({ resources, resourceTemplates }).toMatchSnapshot("resources");
    expect(instructions).toMatchSnapshot("instructions");
  });

  test("has the ten tools of the specification, and two more [spec: mcp.tool.*]", () => {
    expect(names).toEqual([
      "search_container",
      "track_container",
      "get_container",
      "get_shipment_details",
      "get_container_transport_events",
      "get_supported_shipping_lines",
      "get_container_route",
      "list_shipments",
      "list_containers",
      "list_tracking_requests",
      "list_changes",
      "update_shipment",
    ]);
  });

  test.each([
    ["search_container", ["query"]],
    ["track_container", ["number", "numberType", "scac", "refNumbers"]],
    ["get_container", ["id", "include"]],
    ["get_shipment_details", ["id", "include_containers"]],
    ["get_container_transport_events", ["id"]],
    ["get_supported_shipping_lines", ["search"]],
    ["get_container_route", ["id"]],
    ["list_shipments", ["status", "port", "carrier", "updated_after", "page", "page_size"]],
    ["list_containers", ["status", "port", "carrier", "updated_after", "page", "page_size"]],
    ["list_tracking_requests", ["filters", "status", "request_type", "page", "page_size"]],
  ])("%s takes %p [spec: mcp.tool.*]", (name, parameters) => {
    const schema = descriptions.find((description) => description.name === name)?.inputSchema;
    expect(Object.keys(schema?.properties ?? {})).toEqual(expect.arrayContaining(parameters));
    expect(schema).toMatchObject({ additionalProperties: false });
  });

  test("has the three prompts and two resources of the specification, and more of the account [spec: mcp.prompt.*, mcp.resource.*]", () => {
    const shapes = prompts.map(({ description }) => [
      description.name,
      description.arguments?.map((argument) => `${argument.name}${argument.required ? "" : "?"}`),
    ]);
    expect(shapes).toEqual([
      ["track-shipment", ["container_number", "carrier?"]],
      ["check-demurrage", ["container_id"]],
      ["analyze-delays", ["container_id"]],
      ["arrivals-this-week", []],
      ["demurrage-risk", ["customer?"]],
      ["customer-status-mail", ["customer"]],
    ]);
    expect(resources.map((resource) => resource.uri)).toEqual(["svc://docs/milestone-glossary", "svc://arrivals"]);
    expect(resourceTemplates.map((template) => template.uriTemplate)).toEqual([
      "svc://container/{id}",
      "svc://shipment/{number}",
    ]);
  });
});

describe.each(descriptions)("$name", ({ name, title, description = "", annotations, inputSchema, outputSchema }) => {
  test("declares its title, all four hints and an output schema", () => {
    expect(title).toMatch(/\w/);
    expect(annotations).toEqual({
      readOnlyHint: !writes.includes(name),
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: writes.includes(name),
    });
    expect(outputSchema).toMatchObject({ type: "object" });
  });

  test("is described in 25 to 70 words, and names only what exists", () => {
    expect(description.split(/\s+/).length).toBeGreaterThanOrEqual(25);
    expect(description.split(/\s+/).length).toBeLessThanOrEqual(70);
    expect(description).toMatch(/^[\x20-\x7e]+$/);
    for (const mentioned of description.match(/\b(?:get|list|search|track|update)_\w+/g) ?? [])
      expect(names).toContain(mentioned);
  });

  test("costs at most 750 tokens of name, description and input schema, and has no redundant schema member", () => {
    expect(tokens({ name, description, inputSchema })).toBeLessThanOrEqual(750);
    expect(JSON.stringify([inputSchema, outputSchema])).not.toMatch(/\$schema|"pattern"|9007199254740991|"null"/);
  });
});

test("tools/list costs at most 4,000 tokens of name, description and input schema, the instructions at most 250", () => {
  expect(
    tokens(descriptions.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  ).toBeLessThanOrEqual(4_000);
  expect(countTokens(instructions)).toBeLessThanOrEqual(250);
});
