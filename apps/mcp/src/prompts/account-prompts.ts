import type { PromptMessage } from "@modelcontextprotocol/server";
import type { Caller } from "../api/caller.ts";
import { invalidParams } from "../protocol/protocol-error.ts";
import { arrivals, nextSevenDays, readArrivals } from "../resources/shipment-resource.ts";
import { quotedValue } from "../text/clean-text.ts";
import { customer } from "./arguments.ts";
import { definePrompt, userText } from "./define-prompt.ts";

async function arrivalsContext(caller: Caller): Promise<PromptMessage> {
  const resource = (await readArrivals(caller))?.contents[0];
  if (!resource) throw invalidParams(`${arrivals.uri} cannot be read.`);
  return { role: "user", content: { type: "resource", resource } };
}

const customerFilter = (name: string | undefined): string =>
  name === undefined ? "" : `, customer=${quotedValue(name)}`;

export const arrivalsThisWeek = definePrompt({
  name: "arrivals-this-week",
  title: "Arrivals this week",
  description: "Reports what arrives within seven days: by day and port, what is late, and what to prepare.",
  arguments: [],
  async messages(_values, caller) {
    const { arrival_after, arrival_before } = nextSevenDays();
    return [
      await arrivalsContext(caller),
      userText(
        [
          "Report the arrivals of the next seven days.",
          `1. The shipments are embedded. If next_page is set, read the others with list_shipments(arrival_after=${arrival_after}, arrival_before=${arrival_before}, sort=arrival, page=…).`,
          "2. Group them by day and port of discharge, on the clock of the port.",
          "3. Mark those that are late (delay_days) and those whose data is not fresh (freshness).",
          `4. Add the holds and last free days of their containers: list_containers(arrival_after=${arrival_after}, arrival_before=${arrival_before}, sort=arrival).`,
          "5. End with what to prepare, the most urgent first. Say plainly what is not reported.",
        ].join("\n"),
      ),
    ];
  },
});

export const demurrageRisk = definePrompt({
  name: "demurrage-risk",
  title: "Demurrage risk",
  description: "Ranks the containers whose free time ends soon or is over, with what they cost and what blocks them.",
  arguments: [customer],
  async messages(values) {
    const filter = customerFilter(values[customer.name]);
    return [
      userText(
        [
          "Rank the demurrage risk of our containers.",
          `1. Call list_shipments(needs_attention=true, exception_kind=[last_free_day_over, last_free_day_today, last_free_day_soon, customs_hold, hold, fee, late_appointment]${filter}, page_size=40), and the next pages.`,
          "2. First those that cost money already: the sum so far and per day, as the summary says. Do not invent daily rates.",
          "3. Then those whose free time ends today or soon, with the last free day and what holds them.",
          "4. For each say who has to act: terminal, customs broker, shipping line or haulier.",
          "5. Total the known costs for each currency.",
        ].join("\n"),
      ),
    ];
  },
});

export const customerStatusMail = definePrompt({
  name: "customer-status-mail",
  title: "Status mail for a customer",
  description:
    "Writes a mail to a customer about all of their shipments: where they are, when they arrive, what is wrong.",
  arguments: [{ ...customer, isRequired: true }],
  async messages(values) {
    const filter = customerFilter(values[customer.name]);
    return [
      userText(
        [
          `Write a status mail to the customer ${quotedValue(values[customer.name] ?? "")}.`,
          `1. Read their shipments: list_shipments(sort=arrival, page_size=40${filter}), and the next pages.`,
          `2. Read what is wrong: list_shipments(needs_attention=true${filter}).`,
          "3. A short table: their reference, container or bill of lading, vessel, where it is now, estimated arrival and by how many days it changed.",
          "4. Below it one paragraph for each problem: the cause as it is reported, the effect, and the next step.",
          "5. Polite, plain words, no internal notes, owners or costs of others. Say what is not reported instead of guessing. Do not send it.",
        ].join("\n"),
      ),
    ];
  },
});
