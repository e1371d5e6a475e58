import { randomUUID } from "node:crypto";
import type { BulkOutcome } from "@svc/sdk";
import type { Response } from "express";
import { customerOfName, readCustomerNames } from "../customers/customer-names.ts";
import type { DashboardRoutes, SignedInCaller } from "../dashboard/dashboard-routes.ts";
import { sendPage } from "../http/send-page.ts";
import { type BulkForm, type BulkPageOptions, bulkPage, emptyBulkForm } from "./bulk-page.ts";
import { readCarrierMenu } from "./carrier-menu.ts";
import { type ListedNumber, listBytesMax, numbersMax, readNumbers, requestOf, writtenNumber } from "./read-numbers.ts";
import { type FieldProblems, readList, wordsOfFault } from "./request-fields.ts";
import { problemsOfRefusal } from "./track-routes.ts";

/** Problems found before the API is called. */
function problemsOfNumbers(field: string, numbers: readonly ListedNumber[] | string): FieldProblems | null {
  if (typeof numbers === "string") return { [field]: [numbers] };
  if (numbers.every(({ number }) => number === "")) return { numbers: ["Enter at least one number."] };
  if (numbers.length > numbersMax) {
    return { [field]: [`${numbers.length} numbers are too many at once: ${numbersMax} at most.`] };
  }
  return null;
}

function refusalOf(number: string, errors: BulkOutcome["errors"]): string | null {
  if (number === "") return "This row has no number.";
  return errors ? errors.map(({ detail }) => wordsOfFault(detail)).join(" ") : null;
}

type Shown = Pick<BulkPageOptions, "form" | "problems" | "outcomes">;

/** `GET` and `POST /track/bulk`. */
export function addBulkRoutes({ page, form }: DashboardRoutes, apiBaseUrl: string): void {
  const blank: Shown = { form: emptyBulkForm, problems: {}, outcomes: null };

  async function send(response: Response, status: number, caller: SignedInCaller, shown: Shown): Promise<void> {
    const [carriers, customerNames] = await Promise.all([readCarrierMenu(caller.api), readCustomerNames(caller.api)]);
    const page = bulkPage({ caller, carriers, customerNames, ...shown, onceKey: randomUUID(), apiBaseUrl });
    sendPage(response, status, page);
  }

  page("/track/bulk", "track", async (_request, response, caller) => {
    await send(response, 200, caller, blank);
  });

  form(
    "/track/bulk",
    "track",
    async (_request, response, caller, values) => {
      const filled: BulkForm = {
        numbers: values.exact("numbers"),
        type: values.text("type") || "auto",
        line: values.text("line"),
        tags: values.text("tags"),
        customer: values.text("customer"),
      };
      const show = (status: number, shown: Shown) => send(response, status, caller, shown);

      const [field, source] = values.text("file") === "" ? ["numbers", filled.numbers] : ["file", values.exact("file")];
      const numbers = readNumbers(source);
      const problems = problemsOfNumbers(field, numbers);
      if (problems !== null || typeof numbers === "string") {
        return show(422, { ...blank, form: filled, problems: problems ?? {} });
      }
      const defaults = { type: filled.type, line: filled.line, tags: readList(filled.tags) };
      const numbered = numbers.filter(({ number }) => number !== "");
      try {
        const { customer } = filled;
        const ofCustomer = customer === "" ? {} : { customerId: await customerOfName(caller.api, customer) };
        const { meta } = await caller.api.trackingRequests.createBulk(
          numbered.map((number) => ({ ...requestOf(number, defaults), ...ofCustomer })),
          // Reloading the page submits the form again and shows the stored response.
          { idempotencyKey: `web-${values.text("once") || randomUUID()}` },
        );
        const errorsOf = new Map(numbered.map(({ row }, index) => [row, meta.outcomes[index]?.errors]));
        const outcomes = numbers.map(({ row, number }) => ({
          row,
          number,
          refusal: refusalOf(number, errorsOf.get(row)),
        }));
        const refused = new Set(outcomes.flatMap(({ row, refusal }) => (refusal === null ? [] : row)));
        if (refused.size === 0) return response.redirect(303, `/tracking-requests?created=${meta.created}`);
        const left = numbers.filter(({ row }) => refused.has(row));
        await show(200, { ...blank, form: { ...filled, numbers: left.map(writtenNumber).join("\n") }, outcomes });
      } catch (error) {
        await show(422, { ...blank, form: filled, problems: problemsOfRefusal(error) });
      }
    },
    { filesBytesMax: listBytesMax },
  );
}
