import { randomUUID } from "node:crypto";
import type { Database } from "@svc/persistence";
import { findUnconnectedScacs } from "@svc/persistence/carrier-connections";
import { readShippingLineCatalogue } from "@svc/persistence/reference-data";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { sendPage } from "../http/send-page.ts";
import { type BulkForm, type BulkLine, bulkPage, emptyBulkForm } from "./bulk-page.ts";
import { type ListedNumber, numbersMax, readNumbers, requestOf, writtenNumber } from "./read-numbers.ts";
import { type FieldProblems, readList } from "./request-fields.ts";
import { problemsOfRefusal } from "./track-routes.ts";

/** Problems found before the API is called. */
function problemsOfNumbers(field: string, numbers: readonly ListedNumber[] | string): FieldProblems | null {
  if (typeof numbers === "string") return { [field]: [numbers] };
  if (numbers.length === 0) return { numbers: ["Enter at least one number."] };
  if (numbers.length > numbersMax) {
    return { [field]: [`${numbers.length} numbers are too many at once: ${numbersMax} at most.`] };
  }
  return null;
}

/** `GET` and `POST /track/bulk`. */
export function addBulkRoutes({ page, form }: DashboardRoutes, database: Database, apiBaseUrl: string): void {
  const readCarriers = async (accountId: string) => {
    const [lines, unconnected] = await Promise.all([
      readShippingLineCatalogue(database.sql),
      findUnconnectedScacs(database.tenantSql, accountId),
    ]);
    return { lines, unconnected };
  };

  page("/track/bulk", async (_request, response, caller) => {
    const { lines, unconnected } = await readCarriers(caller.accountId);
    const onceKey = randomUUID();
    sendPage(
      response,
      200,
      bulkPage({
        caller,
        lines,
        unconnected,
        form: emptyBulkForm,
        problems: {},
        outcomes: null,
        onceKey,
        apiBaseUrl,
      }),
    );
  });

  form(
    "/track/bulk",
    async (_request, response, caller, values) => {
      const filled: BulkForm = {
        numbers: values.exact("numbers"),
        type: values.text("type") || "auto",
        line: values.text("line"),
        tags: values.text("tags"),
      };
      const { lines, unconnected } = await readCarriers(caller.accountId);
      const show = (status: number, shown: BulkForm, problems: FieldProblems, outcomes: readonly BulkLine[] | null) =>
        sendPage(
          response,
          status,
          bulkPage({
            caller,
            lines,
            unconnected,
            form: shown,
            problems,
            outcomes,
            onceKey: randomUUID(),
            apiBaseUrl,
          }),
        );

      const [field, source] = values.text("file") === "" ? ["numbers", filled.numbers] : ["file", values.exact("file")];
      const numbers = readNumbers(source);
      const problems = problemsOfNumbers(field, numbers);
      if (problems !== null || typeof numbers === "string") return show(422, filled, problems ?? {}, null);
      const defaults = { type: filled.type, line: filled.line, tags: readList(filled.tags) };
      try {
        const { meta } = await caller.api.trackingRequests.createBulk(
          numbers.map((number) => requestOf(number, defaults, lines)),
          // Reloading the page submits the form again and shows the stored response.
          { idempotencyKey: `web-${values.text("once") || randomUUID()}` },
        );
        if (meta.refused === 0) return response.redirect(303, `/tracking-requests?created=${meta.created}`);
        const outcomes = meta.outcomes.map((outcome, index) => ({ number: numbers[index]?.number ?? "", outcome }));
        const refused = numbers.filter((_number, index) => meta.outcomes[index]?.errors);
        show(200, { ...filled, numbers: refused.map(writtenNumber).join("\n") }, {}, outcomes);
      } catch (error) {
        show(422, filled, problemsOfRefusal(error), null);
      }
    },
    { withFiles: true },
  );
}
