import { expect, test } from "@jest/globals";
import type { CarrierResource } from "@svc/jsonapi/carrier-connections";
import { registerServiceCarriers } from "@svc/persistence/carrier-connections";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const account = started(() => api.createAccount());

test("a terminal operator is listed with its terminals and connected like a shipping line", async () => {
  const operator = async () => {
    const { data } = (await api.request("/carriers", { token: account.token })).body as { data: CarrierResource[] };
    return data.find(({ id }) => id === "APMT")?.attributes;
  };
  expect(await operator()).toMatchObject({ kind: "terminal_operator", connection: "none" });
  expect((await operator())?.terminals).toContainEqual({
    name: "APM Terminals Elizabeth",
    locodes: ["USNYC", "USEWR", "USNWK"],
  });
  const client = { kind: "oauth2_client_credentials", client_id: "id", client_secret: "s3cret" };
  const { status, text } = await api.request("/carrier_connections", {
    method: "POST",
    token: account.token,
    body: { data: { type: "carrier_connection", attributes: { scac: "APMT", credentials: client } } },
  });
  expect([status, text.includes("s3cret")]).toEqual([201, false]);
  expect(await operator()).toMatchObject({ connection: "account", connection_status: "untested" });
  // It is no shipping line: no number is tracked at it.
  const attributes = { request_type: "container", request_number: "CSQU3054383", scac: "APMT" };
  const tracked = await api.request("/tracking_requests", {
    method: "POST",
    token: account.token,
    body: { data: { type: "tracking_request", attributes } },
  });
  expect(tracked.status).toBe(422);
});

test("a terminal operator that the service connects is listed as such", async () => {
  const serviced = await startTestApi();
  try {
    await registerServiceCarriers(serviced.database.sql, ["APMT"]);
    const { token } = await serviced.createAccount();
    const { data } = (await serviced.request("/carriers", { token })).body as { data: CarrierResource[] };
    expect(data.find(({ id }) => id === "APMT")?.attributes).toMatchObject({ connection: "service" });
    expect(data.find(({ id }) => id === "HLCU")?.attributes).toMatchObject({ connection: "none" });
  } finally {
    await serviced.close();
  }
});
