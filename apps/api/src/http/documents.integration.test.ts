import { describe, expect, test } from "@jest/globals";
import { type ResourceType, resourceSchemas } from "@svc/jsonapi";
import { started } from "@svc/testkit/started";
import { insertSharedPlaces } from "../testing/full-account.ts";
import { addressOf, addressWithAll, createFilledAccount, reads } from "../testing/read-addresses.ts";
import { insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

interface Identifier {
  readonly type: string;
  readonly id: string;
}
interface Resource extends Identifier {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<
    Record<
      string,
      {
        readonly data?: Identifier | readonly Identifier[] | null;
        readonly links?: { related?: string; self?: string };
      }
    >
  >;
  readonly links?: { readonly self?: string };
}
interface Document {
  readonly data?: Resource | readonly Resource[] | null;
  readonly included?: readonly Resource[];
  readonly links?: Readonly<Record<string, string | null>>;
}

const api = started(startTestApi);
const account = started(async () => createFilledAccount(api, await insertSharedPlaces(api), 2));

const get = (address: string) => api.request(address, { token: account.token });
const keyOf = ({ type, id }: Identifier): string => `${type} ${id}`;
const resourcesOf = ({ data }: Document): readonly Resource[] => [data ?? []].flat();
const linksOf = ({ relationships = {} }: Resource): Identifier[] =>
  Object.values(relationships).flatMap(({ data }) => data ?? []);

const memberName = /^[a-zA-Z0-9](?:[\w-]*[a-zA-Z0-9])?$/;
const utcTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const isZone = (name: unknown): boolean => {
  try {
    return typeof name === "string" && new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};
const isOnly = (object: object, allowed: readonly string[]): boolean =>
  Object.keys(object).every((name) => allowed.includes(name));

function resourceProblems(resource: Resource): string[] {
  const { attributes = {}, relationships = {} } = resource;
  const problems: string[] = [];
  if (!isOnly(resource, ["id", "type", "attributes", "relationships", "links", "meta"])) problems.push("a member");
  if (typeof resource.id !== "string" || typeof resource.type !== "string") problems.push("identity");
  const names = [...Object.keys(attributes), ...Object.keys(relationships)];
  if (new Set(names).size !== names.length) problems.push("an attribute named as a relationship");
  if (names.includes("id") || names.includes("type")) problems.push("a field named id or type");
  problems.push(...names.filter((name) => !memberName.test(name)));
  for (const [name, relationship] of Object.entries(relationships)) {
    if (!("data" in relationship) && !relationship.links && !("meta" in relationship)) problems.push(`empty ${name}`);
    if (relationship.links?.self) problems.push(`a relationship that could be asked by itself: ${name}`);
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) continue;
    if (name.endsWith("_at") && !(typeof value === "string" && utcTime.test(value))) problems.push(`time ${name}`);
    if (name.endsWith("_timezone") && !isZone(value)) problems.push(`zone ${name}`);
  }
  return problems.map((problem) => `${keyOf(resource)}: ${problem}`);
}

/** Returns the violations of JSON:API 1.1 in a document of resources (Document Structure, Compound Documents). */
function problemsOf(document: Document): string[] {
  const primary = resourcesOf(document);
  const all = [...primary, ...(document.included ?? [])];
  const problems = all.flatMap(resourceProblems);
  if (!isOnly(document, ["data", "meta", "jsonapi", "links", "included"])) problems.push("a member of the document");
  const keys = all.map(keyOf);
  problems.push(...keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${key} twice`));
  const byKey = new Map(all.map((resource) => [keyOf(resource), resource]));
  const reached = new Set<string>();
  const follow = (resource: Resource): void => {
    if (reached.has(keyOf(resource))) return;
    reached.add(keyOf(resource));
    for (const link of linksOf(resource)) {
      const linked = byKey.get(keyOf(link));
      if (linked) follow(linked);
    }
  };
  primary.forEach(follow);
  problems.push(...keys.filter((key) => !reached.has(key)).map((key) => `nothing leads to ${key}`));
  return problems;
}

describe("documents of every operation that reads", () => {
  test.each(
    reads.filter(({ plainJson, mediaTypes }) => !plainJson && !mediaTypes).map((route) => [route.path, route] as const),
  )(
    "%s is a document of JSON:API, alone and with all that can be included [spec: J14, J16, J18, J25, J31, J32, J83, P22, G3]",
    async (_path, route) => {
      const alone = await get(addressOf(route, account));
      expect([alone.status, problemsOf(alone.body)]).toEqual([200, []]);
      expect(route.responses[200]?.schema?.safeParse(alone.body).error).toBeUndefined();
      const withAll = addressWithAll(route, account);
      if (withAll === null) return;
      const { body } = await get(withAll);
      expect([Array.isArray(body.included), problemsOf(body)]).toEqual([true, []]);
      for (const one of [...resourcesOf(body), ...(body.included ?? [])]) {
        const schema = resourceSchemas[one.type as ResourceType];
        expect([keyOf(one), schema.strict().safeParse(one).error]).toEqual([keyOf(one), undefined]);
      }
    },
  );

  test("every link can be followed: a resource's own to itself, a list's to the same page [spec: J22, J23, J24, J82]", async () => {
    const checked = new Set<string>();
    // Samples of notifications are of records that there are not.
    for (const route of reads.filter(({ operationId }) => operationId !== "listWebhookNotificationExamples")) {
      const address = addressWithAll(route, account) ?? addressOf(route, account);
      const { body }: { body: Document } = await get(address);
      if (Array.isArray(body.data))
        expect([address, body.links]).toEqual([address, expect.objectContaining({ self: expect.anything() })]);
      if (body.links?.self) expect((await get(body.links.self)).body).toEqual(body);
      for (const resource of [...resourcesOf(body), ...(body.included ?? [])]) {
        const related = Object.values(resource.relationships ?? {}).flatMap(({ links }) => links?.related ?? []);
        for (const link of related.filter((one) => !checked.has(one))) {
          expect([link, (await get(link)).status]).toEqual([link, 200]);
          checked.add(link);
        }
        const { self } = resource.links ?? {};
        if (self === undefined || checked.has(self)) continue;
        checked.add(self);
        const own = await get(self);
        expect([self, own.status, keyOf(own.body.data)]).toEqual([self, 200, keyOf(resource)]);
      }
    }
    expect(checked.size).toBeGreaterThan(30);
  });
});

describe("include", () => {
  const included = async (address: string): Promise<string[] | undefined> =>
    (await get(address)).body.included?.map(({ type }: Identifier) => type);

  test("includes only the requested resources, and an empty `included` when there are none [spec: J20, J27, J28, J29, J30, J33, J36]", async () => {
    const shipment = `/shipments/${account.ids.shipments}`;
    expect(await included(shipment)).toBeUndefined();
    expect(await included(`${shipment}?include=`)).toEqual([]);
    expect(await included(`${shipment}?include=port_of_lading`)).toEqual(["port"]);
    expect(await included(`${shipment}?include=containers,containers`)).toEqual(
      await included(`${shipment}?include=containers`),
    );
    const types = new Set(await included(`${shipment}?include=containers.pod_terminal`));
    expect(types).toEqual(new Set(["container", "terminal"]));
    const other = await api.createAccount();
    const empty = await insertShipment(api.database, other.id);
    const { body } = await api.request(`/shipments/${empty}?include=containers`, { token: other.token });
    expect([body.included, body.data.relationships.containers.data]).toEqual([[], []]);
  });

  test.each(["Containers", "%20containers", "containers,", "containers.shipment.containers.shipment.containers"])(
    "400: %s [spec: J34, J36]",
    async (path) => {
      const { status, body } = await get(`/shipments?include=${path}`);
      expect([status, body.errors[0].source]).toEqual([400, { parameter: "include" }]);
    },
  );
});

describe("fields", () => {
  const shipment = () => `/shipments/${account.ids.shipments}`;

  test("returns only the named fields of the primary resource and of included ones [spec: J37, J39]", async () => {
    const { data, included } = (
      await get(`${shipment()}?fields[shipment]=tags,containers&fields[container]=container_number&include=containers`)
    ).body;
    expect([Object.keys(data.attributes), Object.keys(data.relationships)]).toEqual([["tags"], ["containers"]]);
    expect(Object.keys(data).toSorted()).toEqual(["attributes", "id", "links", "relationships", "type"]);
    for (const container of included) {
      expect(Object.keys(container).toSorted()).toEqual(["attributes", "id", "links", "type"]);
      expect(Object.keys(container.attributes)).toEqual(["container_number"]);
    }
    expect(included.length).toBeGreaterThan(0);
  });

  test("keeps included resources when sparse fieldsets hide their linkage [spec: J38, J40]", async () => {
    const { data, included } = (await get(`${shipment()}?fields[shipment]=&include=containers`)).body;
    expect(Object.keys(data).toSorted()).toEqual(["id", "links", "type"]);
    expect(included.length).toBeGreaterThan(0);
  });

  test("accepts percent-encoded brackets [spec: J42]", async () => {
    const plain = await get("/shipments?fields[shipment]=tags&page[size]=1");
    const encoded = await get("/shipments?fields%5Bshipment%5D=tags&page%5Bsize%5D=1");
    expect(encoded.body).toEqual(plain.body);
  });

  test("applies to the response of a write [spec: J43]", async () => {
    const { status, body } = await api.request(`${shipment()}?fields[shipment]=tags&include=containers`, {
      method: "PATCH",
      token: account.token,
      body: { data: { attributes: { tags: ["late"] } } },
    });
    expect([status, body.data.attributes, body.data.relationships]).toEqual([200, { tags: ["late"] }, undefined]);
    expect(body.included.length).toBeGreaterThan(0);
  });
});
