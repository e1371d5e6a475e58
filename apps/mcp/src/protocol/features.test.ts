import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { webhookEventNames } from "@svc/domain/webhooks";
import { started } from "@svc/testkit/started";
import { containerId, shipmentId, startFakeApi, unknownId } from "../testing/fake-api.ts";
import { startMcp } from "../testing/start-mcp.ts";

let client: Client;

const api = started(startFakeApi);
const mcp = started(() => startMcp(api.baseUrl));
beforeAll(async () => {
  client = await mcp.connect("svc_test_alpha");
});

const containerUri = `svc://container/${containerId}`;
const glossaryUri = "svc://docs/milestone-glossary";

test("advertises exactly the capabilities that work", () => {
  expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {}, completions: {} });
  expect(client.getServerVersion()).toMatchObject({ name: "svc-mcp", title: "Shipment Tracking Service" });
  expect(client.getInstructions()).toContain("list_shipments(needs_attention=true)");
});

describe("resources [spec: mcp.resource.*]", () => {
  test("a container is the same facts as get_container", async () => {
    const { contents } = await client.readResource({ uri: containerUri });
    expect(contents[0]).toMatchObject({ uri: containerUri, mimeType: "application/json" });
    const tool = await client.callTool({
      name: "get_container",
      arguments: { id: containerId, include: ["shipment", "pod_terminal"] },
    });
    expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(tool.structuredContent);
  });

  test("a container is read by its number or reference too, under the URI that was asked for", async () => {
    for (const uri of ["svc://container/MSKU0000006", "svc://container/PO-1"]) {
      const { contents } = await client.readResource({ uri });
      expect(contents[0]).toMatchObject({ uri });
      expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ container: { id: containerId } });
    }
  });

  test("the glossary explains every event that the service knows", async () => {
    const { contents } = await client.readResource({ uri: glossaryUri });
    const { text } = contents[0] as { text: string };
    for (const name of webhookEventNames) expect(text).toContain(`| \`${name}\` |`);
    const { resources } = await client.listResources();
    expect(resources[0]).toMatchObject({ uri: glossaryUri, size: Buffer.byteLength(text) });
  });

  test.each([
    `svc://container/${unknownId}`,
    "svc://container/MSKU0000011",
    "svc://container/%",
    `svc://container/${containerId}/x`,
    "svc://docs/other",
    "not a uri",
  ])("%s is not found, with the URI in the error", async (uri) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } });
  });
});

describe("prompts [spec: mcp.prompt.*]", () => {
  const textOf = async (name: string, input: Record<string, string>) => {
    const { messages } = await client.getPrompt({ name, arguments: input });
    return messages.map(({ content }) => (content.type === "text" ? content.text : JSON.stringify(content))).join("\n");
  };

  test("track-shipment names the calls, with the number normalized and the carrier", async () => {
    const text = await textOf("track-shipment", { container_number: " msku 000000-6", carrier: "maeu" });
    expect(text).toContain("search_container(query=MSKU0000006)");
    expect(text).toContain("track_container(number=MSKU0000006, scac=MAEU, numberType=container)");
  });

  test.each(["check-demurrage", "analyze-delays"])("%s embeds the container", async (name) => {
    const { messages } = await client.getPrompt({ name, arguments: { container_id: containerId } });
    expect(messages[0]?.content).toMatchObject({ type: "resource", resource: { uri: containerUri } });
    expect(JSON.stringify(messages.at(-1)?.content)).toContain(containerId);
  });

  test.each([
    ["track-shipment", {}, "container_number"],
    ["track-shipment", { container_number: "MSKU\n0000006; call" }, "container_number"],
    ["track-shipment", { container_number: "MSKU0000006", carrier: "Maersk" }, "carrier"],
    ["track-shipment", { container_number: "MSKU0000006", shipper: "x" }, "shipper"],
    ["check-demurrage", { container_id: "MSKU\n0000006; call" }, "container_id"],
    ["check-demurrage", { container_id: unknownId }, "container_id"],
    ["forget-everything", {}, "Unknown prompt"],
  ])("%s with %p is refused and says why", async (name, input, expectedText) => {
    const failure = client.getPrompt({ name, arguments: input });
    await expect(failure).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(expectedText) });
  });
});

describe("completions", () => {
  const complete = async (
    ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string },
    name: string,
    value: string,
  ) => (await client.complete({ ref, argument: { name, value } })).completion;
  const prompt = (name: string) => ({ type: "ref/prompt", name }) as const;
  const template = { type: "ref/resource", uri: "svc://container/{id}" } as const;

  test("complete from the caller's own records", async () => {
    expect(await complete(prompt("track-shipment"), "container_number", "msk")).toEqual({
      values: ["MSKU0000006"],
      total: 1,
      hasMore: false,
    });
    expect((await complete(prompt("track-shipment"), "container_number", "")).values).toEqual(["MSKU0000006"]);
    expect((await complete(prompt("track-shipment"), "carrier", "m")).values.sort()).toEqual(["MAEU", "MSCU"]);
    for (const prefix of ["", "MSKU"]) {
      expect((await complete(prompt("check-demurrage"), "container_id", prefix)).values).toEqual(["MSKU0000006"]);
    }
    expect((await complete(prompt("check-demurrage"), "container_id", containerId.slice(0, 8))).values).toEqual([
      containerId,
    ]);
    for (const typed of ["", containerId.slice(0, 8), "MSKU"]) {
      expect((await complete(template, "id", typed)).values).toEqual([containerId]);
    }
    expect((await complete(template, "id", shipmentId)).values).toEqual([]);
  });

  test.each([
    [prompt("nothing"), "x"],
    [prompt("track-shipment"), "x"],
    [{ type: "ref/resource", uri: "svc://other/{id}" } as const, "id"],
    [template, "x"],
  ])("rejects completions of unknown references: %p %s", async (ref, name) => {
    await expect(complete(ref, name, "a")).rejects.toMatchObject({ code: -32602 });
  });
});
