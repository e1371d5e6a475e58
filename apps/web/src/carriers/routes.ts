import { notFound } from "@svc/jsonapi";
import { ApiError, credentialsOfChoice, fieldsToAsk, RateLimitError } from "@svc/sdk";
import type { Request, Response } from "express";
import type { SignedInCaller } from "../access/api-clients.ts";
import { problemsOf } from "../forms/api-problems.ts";
import type { Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";
import { get, post, type Route } from "../http/define-route.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import type { Services } from "../services.ts";
import { carrierPage, disconnectPage } from "./carrier-page.ts";
import { type CarrierRecord, readAwaited, readCarriers } from "./carrier-records.ts";
import { carriersPage } from "./carriers-page.ts";

const notices = {
  connected: "The credentials are stored. The outcome of the test call is below.",
  replaced: "The credentials are replaced. The outcome of the test call is below.",
  tested: "The test call has ended. Its outcome is below.",
  running: "The test call is still running.",
  limited: "Too many tests within a minute. Test again in a minute.",
  active: "Polling is on.",
  inactive: "Polling with your credentials is off.",
  disconnected: "Disconnected. The credentials are erased.",
};

/** Timeout longer than the API waits for the outcome of a test call. */
const testTimeoutMs = 25_000;

const scacOf = (request: Request): string => String(request.params.scac).toUpperCase();

/** Makes the test call. @returns the name of the notice. */
async function test({ api }: SignedInCaller, id: string): Promise<keyof typeof notices> {
  try {
    const { data } = await api.carrierConnections.test(id, { timeoutMs: testTimeoutMs });
    return data.attributes.is_test_running ? "running" : "tested";
  } catch (error) {
    if (error instanceof RateLimitError) return "limited";
    throw error;
  }
}

/** `/credentials/headers/0/value` is the first header of the choice. */
function fieldOfPointer(fields: readonly { readonly name: string }[], pointer: string): string {
  const [, member = "", index] = /\/credentials\/(\w+)(?:\/(\d+))?/.exec(pointer) ?? [];
  const headers = fields.filter(({ name }) => name.startsWith("headers."));
  return (member === "headers" ? headers[Number(index ?? 0)]?.name : member) ?? "";
}

/** Creates the connection or replaces its credentials. @returns its id, or what is wrong. */
async function save(
  { api }: SignedInCaller,
  { scac, entry, connection }: CarrierRecord,
  form: FormValues,
): Promise<{ readonly id: string } | { readonly problems: Problems }> {
  const choice = entry?.credential_choices.find(({ label }) => label === form.text("choice"));
  if (choice === undefined) return { problems: { "": "Choose the kind of credentials." } };
  const requiredFields = fieldsToAsk(choice);
  const values = Object.fromEntries(requiredFields.map(({ name }) => [name, form.text(name)]));
  const missing = requiredFields.filter(({ name }) => values[name] === "");
  if (missing.length > 0) {
    return {
      problems: Object.fromEntries(missing.map(({ name, label }) => [name, `Enter the ${label}.`])),
    };
  }
  const credentials = credentialsOfChoice(choice, values);
  try {
    const { data } =
      connection === null
        ? await api.carrierConnections.create({ scac, credentials })
        : await api.carrierConnections.update(connection.id, { credentials, active: true });
    return { id: data.id };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { problems: problemsOf(error, (pointer) => fieldOfPointer(choice.fields, pointer)) };
  }
}

async function findCarrier({ api }: SignedInCaller, scac: string): Promise<CarrierRecord> {
  const carrier = (await readCarriers(api)).find((one) => one.scac === scac);
  if (carrier === undefined || (carrier.entry === null && carrier.connection === null)) throw notFound("carrier", scac);
  return carrier;
}

async function findConnection(caller: SignedInCaller, scac: string): Promise<string> {
  const { connection } = await findCarrier(caller, scac);
  if (connection === null) throw notFound("carrier connection", scac);
  return connection.id;
}

const redirectToCarrier = (response: Response, scac: string, done: keyof typeof notices) =>
  response.redirect(303, `/carriers/${scac}?done=${done}`);

/** Leads to the form to connect the carrier or, if the catalogue lacks it, to those that can be connected. */
const redirectToForm: PageHandler = async ({ query }, response, { api }) => {
  const carrier = (await readCarriers(api)).find(({ scac, entry }) => scac === query.scac && entry !== null);
  response.redirect(302, carrier ? `/carriers/${carrier.scac}` : "/carriers#available");
};

const testConnection: FormHandler = async (request, response, caller) => {
  const scac = scacOf(request);
  redirectToCarrier(response, scac, await test(caller, await findConnection(caller, scac)));
};

const setState: FormHandler = async (request, response, caller, form) => {
  const scac = scacOf(request);
  const active = form.text("active") === "true";
  await caller.api.carrierConnections.update(await findConnection(caller, scac), { active });
  redirectToCarrier(response, scac, active ? "active" : "inactive");
};

const showDisconnect: PageHandler = async (request, response, caller) => {
  const carrier = await findCarrier(caller, scacOf(request));
  if (carrier.connection === null) throw notFound("carrier connection", carrier.scac);
  sendPage(response, 200, disconnectPage(caller, carrier));
};

const disconnect: FormHandler = async (request, response, caller) => {
  await caller.api.carrierConnections.delete(await findConnection(caller, scacOf(request)));
  response.redirect(303, "/carriers?done=disconnected");
};

/** The pages of carriers: what is connected, connect, test, disconnect. */
export function carrierRoutes({ apiBaseUrl, clock }: Pick<Services, "apiBaseUrl" | "clock">): readonly Route[] {
  const list: PageHandler = async (request, response, caller) => {
    const [carriers, awaited] = await Promise.all([readCarriers(caller.api), readAwaited(caller.api)]);
    const pageOptions = { caller, apiBaseUrl, now: clock.now(), carriers, awaited, notice: noticeOf(request, notices) };
    sendPage(response, 200, carriersPage(pageOptions));
  };

  const show: PageHandler = async (request, response, caller) => {
    const carrier = await findCarrier(caller, scacOf(request));
    const notice = noticeOf(request, notices);
    const isAwaited = carrier.connection === null && (await readAwaited(caller.api)).has(carrier.scac);
    sendPage(response, 200, carrierPage({ caller, now: clock.now(), carrier, notice, isAwaited, problems: {} }));
  };

  const connect: FormHandler = async (request, response, caller, form) => {
    const carrier = await findCarrier(caller, scacOf(request));
    const saved = await save(caller, carrier, form);
    if ("problems" in saved) {
      const { problems } = saved;
      const pageOptions = {
        caller,
        now: clock.now(),
        carrier,
        notice: undefined,
        problems,
        rejectedChoice: form.text("choice"),
      };
      sendPage(response, 422, carrierPage(pageOptions));
      return;
    }
    const tested = await test(caller, saved.id);
    const done = carrier.connection === null ? "connected" : "replaced";
    redirectToCarrier(response, carrier.scac, tested === "tested" ? done : tested);
  };

  return [
    get("/carriers", "read", list),
    get("/carriers/connect", "connect_carriers", redirectToForm),
    get("/carriers/:scac", "read", show),
    post("/carriers/:scac", "connect_carriers", connect),
    post("/carriers/:scac/test", "connect_carriers", testConnection),
    post("/carriers/:scac/state", "connect_carriers", setState),
    get("/carriers/:scac/disconnect", "connect_carriers", showDisconnect),
    post("/carriers/:scac/disconnect", "connect_carriers", disconnect),
  ];
}
