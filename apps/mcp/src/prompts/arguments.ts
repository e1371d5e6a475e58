import { normalizeContainerNumber } from "@svc/domain/identifiers";
import { z } from "zod";
import type { Caller } from "../api/caller.ts";
import { cleanText } from "../text/clean-text.ts";
import type { PromptArgument } from "./define-prompt.ts";

const uuid = z.uuid();
/** Newest first; a person completes what they work on. */
const recentContainers = 100;

async function trackedContainers(typed: string, { client }: Caller) {
  const { data } = await client.search(typed);
  return data.filter((result) => result.attributes.entity_type === "cargo");
}

async function completeNumber(typed: string, caller: Caller): Promise<string[]> {
  if (typed.trim() !== "") {
    return (await trackedContainers(normalizeContainerNumber(typed), caller)).map((result) => result.attributes.number);
  }
  const { data } = await caller.client.containers.list({ pageSize: recentContainers });
  return data.map((container) => container.attributes.container_number);
}

/** By the first characters of the id, or by the container's number. */
export async function completeContainerId(typed: string, caller: Caller): Promise<string[]> {
  const { data } = await caller.client.containers.list({ pageSize: recentContainers });
  const wanted = typed.trim().toLowerCase();
  const byId = data.filter((container) => container.id.startsWith(wanted)).map((container) => container.id);
  if (byId.length > 0 || wanted === "") return byId;
  return (await trackedContainers(normalizeContainerNumber(typed), caller)).map((result) => result.id);
}

async function completeCarrier(typed: string, { client }: Caller): Promise<string[]> {
  const search = typed.trim() === "" ? undefined : typed.trim();
  const { data } = await client.shippingLines.list({ search });
  return data.map((line) => line.attributes.scac);
}

export const containerNumber: PromptArgument = {
  name: "container_number",
  description: "container number, for example MSCU1234567",
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
  async complete(typed, caller) {
    const ids = typed.trim() === "" ? [] : await completeContainerId(typed, caller);
    const isId = ids.some((id) => id.startsWith(typed.trim().toLowerCase()));
    return isId ? ids : completeNumber(typed, caller);
  },
};

const longestName = 100;

export const customer: PromptArgument = {
  name: "customer",
  description: "name of a customer, or part of it",
  isRequired: false,
  parse: (value) => (value.length <= longestName ? value : undefined),
  async complete(typed, { client }) {
    const { data } = await client.overviews.countShipments("customer");
    const wanted = typed.trim().toLowerCase();
    return data.flatMap(({ attributes: { value } }) => (value?.toLowerCase().includes(wanted) ? cleanText(value) : []));
  },
};

export const shipmentNumber: Pick<PromptArgument, "name" | "complete"> = {
  name: "number",
  async complete(typed, { client }) {
    if (typed.trim() === "") {
      const { data } = await client.shipments.list({ pageSize: recentContainers });
      return data.map(({ attributes }) => attributes.bill_of_lading_number);
    }
    const { data } = await client.search(typed);
    return data.flatMap(({ attributes: { entity_type, number } }) => (entity_type === "shipment" ? number : []));
  },
};
