import { exceptionKinds } from "@svc/domain/exceptions";
import type { ExceptionEdit, ExceptionFilters } from "@svc/sdk";
import { z } from "zod";
import type { Caller } from "../../api/caller.ts";
import { quotedValue } from "../../text/clean-text.ts";
import { type exceptionRow, toExceptionRow } from "./exception-rows.ts";
import { resolveShipmentId } from "./find-record.ts";
import { findTracked } from "./find-tracked.ts";

/** Maximum number of exceptions edited per record; more than the rules ever open at the same time. */
const recordEditsMax = 40;

export const exceptionEdit = z.strictObject({
  kind: z.array(z.enum(exceptionKinds)).describe("absent: all").optional(),
  status: z.enum(["resolved", "open"]).optional(),
  snoozed_until: z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional(),
  owner: z.string().trim().min(1).max(320).describe("owner: e-mail or none").optional(),
  note: z.string().trim().min(1).max(2_000).optional(),
});

export type ExceptionEditInput = z.output<typeof exceptionEdit>;

/** Selects the exceptions of the container with the number, otherwise those of the shipment. */
async function findSubject(identifier: string, caller: Caller): Promise<ExceptionFilters> {
  const { matches } = await findTracked(identifier, caller);
  const container = matches.find(({ match }) => match === "container_exact")?.container_id;
  return container ? { container } : { shipment: await resolveShipmentId(identifier, caller) };
}

function toEdit({ status, snoozed_until: until, owner, note }: ExceptionEditInput): ExceptionEdit {
  const isDate = until !== undefined && !until.includes("T");
  return { status, snoozedUntil: isDate ? `${until}T00:00:00Z` : until, owner: owner === "none" ? null : owner, note };
}

/** Edits the exceptions of one record, or with `dryRun` only finds them. Those edited are added to `done`. */
export async function actOnExceptions(
  identifier: string,
  editInput: ExceptionEditInput,
  { caller, dryRun, done }: { readonly caller: Caller; readonly dryRun: boolean; readonly done: string[] },
): Promise<z.input<typeof exceptionRow>[]> {
  const { exceptions } = caller.client;
  const status = editInput.status === "open" ? ["resolved", "snoozed"] : ["open", "snoozed"];
  const filter = { ...(await findSubject(identifier, caller)), kind: editInput.kind, status, ended: false };
  const { data } = await exceptions.list({ filter, pageSize: recordEditsMax });
  if (dryRun) return data.map((one) => toExceptionRow(one, []));
  const edit = toEdit(editInput);
  const rows: z.input<typeof exceptionRow>[] = [];
  for (const { id, attributes } of data) {
    rows.push(toExceptionRow((await exceptions.update(id, edit)).data, []));
    done.push(`exception ${attributes.kind}`);
  }
  return rows;
}

/** "resolve exceptions (arrival_delayed), owner anna@example.com" */
export function exceptionQuestion({ kind, status, snoozed_until: until, owner, note }: ExceptionEditInput): string[] {
  const kindText = kind ? ` (${kind.join(", ")})` : "";
  return [
    ...(status === undefined ? [] : [`${status === "open" ? "reopen" : "resolve"} exceptions${kindText}`]),
    ...(until === undefined ? [] : [`snooze exceptions${kindText} until ${until}`]),
    ...(owner === undefined ? [] : [`exceptions${kindText} to ${owner === "none" ? "no owner" : quotedValue(owner)}`]),
    ...(note === undefined ? [] : [`note on exceptions${kindText} ${quotedValue(note)}`]),
  ];
}
