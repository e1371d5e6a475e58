import { describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { Jsona } from "jsona";
import * as kitsuCore from "kitsu-core";
import { insertSharedPlaces } from "../testing/full-account.ts";
import { createFilledAccount } from "../testing/read-addresses.ts";
import { startTestApi, type TestResponse } from "../testing/start-test-api.ts";

/** Client libraries of JSON:API that were not written for this service. */

/** Declarations of the library, whose own ones cannot be resolved from an ES module. */
interface KitsuCore {
  // biome-ignore lint/suspicious/noExplicitAny: objects of every kind.
  deserialise(document: object): any;
  query(parameters: object): string;
  serialise(type: string, attributes: object, method: string, names: object): object;
  error(failure: Error): never;
}
const { deserialise, query, serialise, error: throwWithErrors } = kitsuCore as unknown as KitsuCore;

const api = started(startTestApi);
const account = started(async () => createFilledAccount(api, await insertSharedPlaces(api), 2));

const get = (path: string): Promise<TestResponse> => api.request(path, { token: account.token });
const patch = (path: string, body: object): Promise<TestResponse> =>
  api.request(path, { method: "PATCH", token: account.token, body });

interface ContainerResource {
  readonly id: string;
  readonly container_number: string;
  readonly shipment: Voyage;
  readonly pod_terminal: { readonly name: string; readonly port: { readonly code: string } };
}
interface Voyage {
  readonly id: string;
  readonly tags: readonly string[];
  readonly containers: readonly ContainerResource[];
  readonly port_of_lading: { readonly code: string };
}

const page = "/shipments?include=containers.pod_terminal.port,port_of_lading&sort=created_at";

describe("jsona", () => {
  const jsona = new Jsona();

  test("deserializes a page with its included resources, linked in both directions [spec: G6]", async () => {
    const { body } = await get(page);
    const shipments = jsona.deserialize(body) as unknown as Voyage[];
    expect(shipments.map(({ id }) => id)).toEqual(body.data.map(({ id }: Voyage) => id));
    for (const shipment of shipments) {
      expect(shipment.port_of_lading.code).toBe("USLAX");
      expect(shipment.containers.length).toBeGreaterThan(0);
      for (const container of shipment.containers) {
        expect(container.container_number).toMatch(/^SBXU/);
        expect([container.shipment.id, container.pod_terminal.name, container.pod_terminal.port.code]).toEqual([
          shipment.id,
          "Pier 400",
          "USLAX",
        ]);
      }
    }
  });

  test("makes a body of an edited object, which is taken", async () => {
    const path = `/shipments/${account.ids.shipments}`;
    const edited = { type: "shipment", id: account.ids.shipments ?? "", tags: ["by jsona"] };
    const { status, body } = await patch(path, jsona.serialize({ stuff: edited }));
    expect([status, (jsona.deserialize(body) as unknown as Voyage).tags]).toEqual([200, ["by jsona"]]);
  });
});

describe("kitsu-core", () => {
  const asNamed = { camelCaseTypes: (name: string) => name, pluralTypes: (name: string) => name };

  test("sends its own requests and deserializes the page [spec: G6]", async () => {
    const queryText = query({
      include: "containers,port_of_lading",
      fields: { shipment: "tags,containers,port_of_lading", container: "container_number" },
      filter: { port: "USLAX" },
      page: { size: 1 },
      sort: "created_at",
    });
    const response = await get(`/shipments?${queryText}`);
    expect([response.status, response.body.errors]).toEqual([200, undefined]);
    // It takes the document apart.
    const numbers = response.body.included.flatMap(
      ({ type, attributes }: { type: string; attributes: ContainerResource }) =>
        type === "container" ? [attributes.container_number] : [],
    );
    const { data, links, meta } = deserialise(response.body);
    expect([data.length, meta.page.total, typeof links.next]).toEqual([1, 2, "string"]);
    expect(data[0].port_of_lading.data.code).toBe("USLAX");
    const containers: ContainerResource[] = data[0].containers.data;
    expect(containers.map(({ container_number: number }) => number)).toEqual(numbers);
  });

  test("makes a body of an edited object, which is taken", async () => {
    const path = `/shipments/${account.ids.shipments}`;
    const body = serialise("shipment", { id: account.ids.shipments, tags: ["by kitsu"] }, "PATCH", asNamed);
    const response = await patch(path, body);
    expect([response.status, deserialise(response.body).data.tags]).toEqual([200, ["by kitsu"]]);
  });

  test("reads every error of a 422", async () => {
    const body = serialise(
      "shipment",
      { id: account.ids.shipments, tags: ["a", "a"], colour: "red" },
      "PATCH",
      asNamed,
    );
    const response = await patch(`/shipments/${account.ids.shipments}`, body);
    expect(response.status).toBe(422);
    const failure = Object.assign(new Error("refused"), { response: { data: response.body } });
    const described = {
      status: "422",
      title: expect.any(String),
      detail: expect.any(String),
      code: expect.any(String),
    };
    expect(() => throwWithErrors(failure)).toThrow(failure);
    expect(failure).toMatchObject({
      errors: [
        { ...described, source: { pointer: "/data/attributes/tags" } },
        { ...described, source: { pointer: "/data/attributes/colour" } },
      ],
    });
  });
});
