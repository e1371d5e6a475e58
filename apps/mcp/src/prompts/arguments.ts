import { normalizeContainerNumber } from "@svc/domain/identifiers";
import { z } from "zod";
import type { Caller } from "../api/caller.ts";
import { cleanText } from "../text/clean-text.ts";
import type { Completed, PromptArgument } from "./define-prompt.ts";

const uuid = z.uuid();
/** Newest first; a person completes what they work on. */
const recentContainers = 100;

/** The API's own limit of a search. */
const searchLimit = 25;

/** Numbers or ids of all records of the account that the text names. */
async function searched(input: string, type: "cargo" | "shipment", by: "id" | "number", { client }: Caller) {
  const { data } = await client.search(input);
  const found = data.filter(({ attributes }) => attributes.entity_type === type);
  const values = found.map(({ id, attributes }) => (by === "id" ? id : attributes.number));
  return { values, isComplete: data.length < searchLimit };
}

async function recent(by: "id" | "number", { client }: Caller): Promise<Completed> {
  const document = await client.containers.list({ pageSize: recentContainers });
  const values = document.data.map(({ id, attributes }) => (by === "id" ? id : attributes.container_number));
  return { values, isComplete: typeof document.links?.next !== "string" };
}

async function completeNumber(input: string, caller: Caller): Promise<Completed> {
  if (input.trim() === "") return recent("number", caller);
  return searched(normalizeContainerNumber(input), "cargo", "number", caller);
}

/** Completes a container's id: by its first characters among the newest, or by the container's number among all. */
export async function completeContainerId(input: string, caller: Caller): Promise<Completed> {
  const newest = await recent("id", caller);
  const prefix = input.trim().toLowerCase();
  const values = newest.values.filter((id) => id.startsWith(prefix));
  if (values.length > 0 || prefix === "") return { ...newest, values };
  return searched(normalizeContainerNumber(input), "cargo", "id", caller);
}

async function completeCarrier(input: string, { client }: Caller): Promise<Completed> {
  const search = input.trim() === "" ? undefined : input.trim();
  const { data } = await client.shippingLines.list({ search });
  return { values: data.map((line) => line.attributes.scac), isComplete: true };
}

export const containerNumber: PromptArgument = {
  name: "container_number",
  description: "container number, for example MSCU1234566",
  isRequired: true,
  parse: (value) => {
    const number = normalizeContainerNumber(value);
    return /^[A-Z0-9]{4,20}$/.test(number) ? number : undefined;
  },
  complete: completeNumber,
};

export const carrier: PromptArgument = {
  name: "carrier",
  description: "shipping line as SCAC, for example MAEU",
  isRequired: false,
  parse: (value) => (/^[a-z]{4}$/i.test(value) ? value.toUpperCase() : undefined),
  complete: completeCarrier,
};

export const containerId: PromptArgument = {
  name: "container_id",
  description: "number or id (UUID) of a tracked container",
  isRequired: true,
  parse(value) {
    if (uuid.safeParse(value).success) return value.toLowerCase();
    const number = normalizeContainerNumber(value);
    return /^[A-Z0-9]{4,20}$/.test(number) ? number : undefined;
  },
  async complete(input, caller) {
    if (input.trim() === "") return completeNumber(input, caller);
    const ids = await completeContainerId(input, caller);
    const isId = ids.values.some((id) => id.startsWith(input.trim().toLowerCase()));
    return isId ? ids : completeNumber(input, caller);
  },
};

const nameLengthMax = 100;
/** The API groups by so many values. */
const groupsMax = 100;

export const customer: PromptArgument = {
  name: "customer",
  description: "name of a customer, or part of it",
  isRequired: false,
  parse: (value) => (value.length <= nameLengthMax ? value : undefined),
  async complete(input, { client }) {
    const { data } = await client.overviews.countShipments("customer");
    const searchText = input.trim().toLowerCase();
    const names = data.flatMap(({ attributes: { value } }) => value ?? []);
    const values = names.filter((name) => name.toLowerCase().includes(searchText)).map((name) => cleanText(name));
    return { values, isComplete: data.length < groupsMax };
  },
};

export const shipmentNumber: Pick<PromptArgument, "name" | "complete"> = {
  name: "number",
  async complete(input, caller) {
    if (input.trim() === "") {
      const document = await caller.client.shipments.list({ pageSize: recentContainers });
      const values = document.data.map(({ attributes }) => attributes.bill_of_lading_number);
      return { values, isComplete: typeof document.links?.next !== "string" };
    }
    return searched(input, "shipment", "number", caller);
  },
};
