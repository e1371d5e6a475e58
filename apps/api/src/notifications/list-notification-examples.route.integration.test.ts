import { describe, expect, test } from "@jest/globals";
import { webhookEventNames } from "@svc/domain/webhooks";
import { resourceSchemas } from "@svc/jsonapi";
import {
  ContainerCreatedEventResource,
  ContainerPodTerminalChangedEventResource,
  ContainerUpdatedEventResource,
  EstimatedEventResource,
  NotificationExamples,
} from "@svc/jsonapi/notifications";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const paying = started(() => api.createAccount({ features: ["rail_deadlines"] }));

const schemas = {
  ...resourceSchemas,
  estimated_event: EstimatedEventResource,
  container_created_event: ContainerCreatedEventResource,
  container_updated_event: ContainerUpdatedEventResource,
  container_pod_terminal_changed_event: ContainerPodTerminalChangedEventResource,
};

interface Linked {
  readonly type: keyof typeof schemas;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, { readonly data?: Linked | Linked[] | null }>>;
}

const keyOf = ({ type, id }: Pick<Linked, "type" | "id">) => `${type} ${id}`;
const linksOf = ({ relationships = {} }: Linked) => Object.values(relationships).flatMap(({ data }) => data ?? []);

const get = (event: string) => api.request(`/webhook_notifications/examples?event=${event}`, { token: paying.token });

/** Returns the keys of included resources that are linked, directly or not, from the reference object. */
function reachable(included: readonly Linked[]): Set<string> {
  const byKey = new Map(included.map((resource) => [keyOf(resource), resource]));
  const found = new Set<string>();
  const follow = (resource: Linked | undefined): void => {
    if (resource === undefined || found.has(keyOf(resource))) return;
    found.add(keyOf(resource));
    for (const link of linksOf(resource)) follow(byKey.get(keyOf(link)));
  };
  follow(included[0]);
  return found;
}

describe("GET /webhook_notifications/examples", () => {
  test.each(webhookEventNames)("200: %s, whole and consistent [spec: events.6]", async (event) => {
    api.takeStatements();
    const { status, body } = await get(event);
    expect([status, NotificationExamples.strict().safeParse(body).error]).toEqual([200, undefined]);
    expect(api.takeStatements()).toEqual([]);
    const [notification] = body.data;
    expect(notification.attributes).toMatchObject({ event, delivery_status: "pending" });
    const included: Linked[] = body.included;
    for (const resource of included) expect(schemas[resource.type].strict().safeParse(resource).error).toBeUndefined();
    expect(included[0]).toMatchObject(notification.relationships.reference_object.data);
    if (included[0]?.type === "transport_event") expect(included[0].attributes.event).toBe(event);
    expect([...reachable(included)].sort()).toEqual(included.map(keyOf).sort());
  });

  const includedOf = async (event: string, type: string): Promise<Linked | undefined> =>
    (await get(event)).body.included.find((resource: Linked) => resource.type === type);

  test("the records are as they are when the event happens", async () => {
    const statusAt = async (event: string) =>
      (await includedOf(`container.transport.${event}`, "container"))?.attributes.current_status;
    expect(await statusAt("full_in")).toBe("new");
    expect(await statusAt("vessel_departed")).toBe("on_ship");
    expect(await statusAt("vessel_discharged")).toBe("awaiting_inland_transfer");
    expect(await statusAt("rail_departed")).toBe("on_rail");
    expect(await statusAt("not_available")).toBe("not_available");
    expect(await statusAt("full_out")).toBe("picked_up");
    expect(await statusAt("empty_in")).toBe("empty_returned");
    const arrived = await includedOf("container.transport.vessel_arrived", "shipment");
    expect(arrived?.attributes).toMatchObject({
      // The recorded poll reported it after 1 h 53 min.
      pod_ata_at: "2026-11-21T08:07:00.000Z",
      line_tracking_stopped_reason: null,
    });
    const stopped = await includedOf("tracking_request.tracking_stopped", "shipment");
    expect(stopped?.attributes.line_tracking_stopped_reason).toBe("all_containers_terminated");
    const failed = (await get("tracking_request.failed")).body.included;
    expect(failed).toHaveLength(1);
    expect(failed[0].attributes).toMatchObject({ status: "failed", failed_reason: "expired" });
  });

  test("includes the resources that a real notification includes", async () => {
    const types = async (event: string) => (await get(event)).body.included.map(({ type }: Linked) => type);
    expect(await types("tracking_request.succeeded")).toEqual([
      "tracking_request",
      "shipment",
      ...Array(3).fill("container"),
    ]);
    expect(await types("container.transport.vessel_arrived")).toEqual([
      "transport_event",
      "container",
      "shipment",
      "port",
      "vessel",
      "terminal",
    ]);
    expect(await types("container.transport.rail_arrived")).toContain("rail_terminal");
    expect(await types("shipment.estimated.arrival")).toEqual(["estimated_event", "shipment", "port", "vessel"]);
  });

  test("each has an id of its own, as notifications do", async () => {
    const [one, other] = [await get("container.created"), await get("container.created")];
    expect(one.body.data[0].id).not.toBe(other.body.data[0].id);
    expect(one.body.included).toEqual(other.body.included);
  });

  test("responds 400 without an event, or with an unknown one", async () => {
    for (const query of ["", "?event=container.lost", "?event=", "?event=container.created,container.updated"]) {
      const { status, body } = await api.request(`/webhook_notifications/examples${query}`);
      expect([status, body.errors[0].source]).toEqual([400, { parameter: "event" }]);
    }
  });

  test("403: of an event of a paid feature only with it", async () => {
    const path = "/webhook_notifications/examples?event=container.pickup_lfd_rail.changed";
    const { status, body } = await api.request(path);
    expect([status, body.errors[0].code, body.errors[0].source]).toEqual([
      403,
      "feature_not_enabled",
      { parameter: "event" },
    ]);
  });

  test("401 without a token", async () => {
    const response = await api.request("/webhook_notifications/examples?event=container.created", { token: null });
    expect(response.status).toBe(401);
  });
});
