import { exceptionKinds } from "@svc/domain/exceptions";
import type { ExceptionEdit, ExceptionFilters } from "@svc/sdk";
import { z } from "zod";
import type { Caller } from "../../api/caller.ts";
import { quotedValue } from "../../text/clean-text.ts";
import { type exceptionRow, exceptionRowOf } from "./exception-rows.ts";
import { shipmentIdOf } from "./find-record.ts";
import { findTracked } from "./find-tracked.ts";

/** Maximum number of exceptions edited per record; more than the rules ever open at the same time. */
const editedOfRecord = 40;

export const exceptionEdit = z.strictObject({
  kind: z.array(z.enum(exceptionKinds)).describe("absent: all").optional(),
  status: z.enum(["resolved", "open"]).optional(),
  snoozed_until: z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional(),
  owner: z.string().trim().min(1).max(320).describe("owner: e-mail or none").optional(),
  note: z.string().trim().min(1).max(2_000).optional(),
});

export type GivenExceptionEdit = z.output<typeof exceptionEdit>;

/** Selects the exceptions of the container with the number, otherwise those of the shipment. */
async function subjectOf(typed: string, caller: Caller): Promise<ExceptionFilters> {
  const { matches } = await findTracked(typed, caller);
  const container = matches.find(({ match }) => match === "container_exact")?.container_id;
  return container ? { container } : { shipment: await shipmentIdOf(typed, caller) };
}

function editOf({ status, snoozed_until: until, owner, note }: GivenExceptionEdit): ExceptionEdit {
  const isDate = until !== undefined && !until.includes("T");
  return { status, snoozedUntil: isDate ? `${until}T00:00:00Z` : until, owner: owner === "none" ? null : owner, note };
}

/** Edits the exceptions of one record, or with `dryRun` only finds them. */
export async function actOnExceptions(
  typed: string,
  given: GivenExceptionEdit,
  dryRun: boolean,
  caller: Caller,
): Promise<z.input<typeof exceptionRow>[]> {
  const { exceptions } = caller.client;
  const status = given.status === "open" ? ["resolved", "snoozed"] : ["open", "snoozed"];
  const filter = { ...(await subjectOf(typed, caller)), kind: given.kind, status, ended: false };
  const { data } = await exceptions.list({ filter, pageSize: editedOfRecord });
  if (dryRun) return data.map((one) => exceptionRowOf(one, []));
  const edit = editOf(given);
  const rows: z.input<typeof exceptionRow>[] = [];
  for (const { id } of data) rows.push(exceptionRowOf((await exceptions.update(id, edit)).data, []));
  return rows;
}

/** "resolve exceptions (arrival_delayed), owner anna@example.com" */
export function exceptionQuestion({ kind, status, snoozed_until: until, owner, note }: GivenExceptionEdit): string[] {
  const of = kind ? ` (${kind.join(", ")})` : "";
  return [
    ...(status === undefined ? [] : [`${status === "open" ? "reopen" : "resolve"} exceptions${of}`]),
    ...(until === undefined ? [] : [`snooze exceptions${of} until ${until}`]),
    ...(owner === undefined ? [] : [`exceptions${of} to ${owner === "none" ? "no owner" : quotedValue(owner)}`]),
    ...(note === undefined ? [] : [`note on exceptions${of} ${quotedValue(note)}`]),
  ];
}
