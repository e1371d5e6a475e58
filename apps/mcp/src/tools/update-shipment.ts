import { countText } from "@svc/domain";
import type { ShipmentEdit, ShipmentResource } from "@svc/sdk";
import { z } from "zod";
import type { Caller } from "../api/caller.ts";
import { quotedValue, quotedValues } from "../text/clean-text.ts";
import { actOnExceptions, exceptionEdit, exceptionQuestion } from "./shared/act-on-exceptions.ts";
import { defineTool } from "./shared/define-tool.ts";
import { editedValues, editShipment } from "./shared/edit-shipment.ts";
import { exceptionsOutput } from "./shared/exception-rows.ts";
import { labels, optionalText, tokenBudgetForRows } from "./shared/fields.ts";
import { resolveShipmentId } from "./shared/find-record.ts";
import { ToolError, toToolError } from "./shared/tool-error.ts";

const shipmentsMax = 20;

const noteMax = 2_000;
/** Clients send an empty argument for one that they leave out. */
const noNote = "none";

const input = z.strictObject({
  ids: z
    .array(z.string().trim().min(1).max(64))
    .min(1)
    .max(shipmentsMax)
    .describe("bills of lading, container numbers or references"),
  add_references: labels.optional(),
  remove_references: labels.optional(),
  add_tags: labels.optional(),
  remove_tags: labels.optional(),
  note: z.string().trim().max(noteMax).min(1).describe("replaces the shipment's; none removes it").optional(),
  tracking: z.enum(["stop", "resume", "refresh"]).describe("refresh polls the carrier now").optional(),
  exceptions: exceptionEdit.describe("acts on the exceptions of ids: resolve, reopen, snooze, assign, note").optional(),
  dry_run: z.boolean().default(false).describe("show only, change nothing"),
});

type Input = z.output<typeof input>;

const row = z.object({
  // Empty for a text without a visible character.
  id: z.string().default(""),
  outcome: z.string().describe("updated, unchanged, would_update, or the code of an error"),
  bill_of_lading_number: optionalText,
  ref_numbers: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  note: optionalText,
  tracking: optionalText,
  ...exceptionsOutput,
  detail: optionalText,
});

const noException = "No exception of that kind and status. list_shipments(needs_attention=true) lists the open ones.";

type Attributes = ShipmentResource["attributes"];

/** The attributes that change; undefined: none. */
function labelEdit(args: Input, { ref_numbers, tags, note }: Attributes): ShipmentEdit | undefined {
  const requestedNote = args.note === noNote ? null : args.note;
  const edit = {
    refNumbers: editedValues(ref_numbers, { removed: args.remove_references, added: args.add_references }),
    tags: editedValues(tags, { removed: args.remove_tags, added: args.add_tags }),
    note: requestedNote === note ? undefined : requestedNote,
  };
  return Object.values(edit).some((value) => value !== undefined) ? edit : undefined;
}

type TrackingChange = NonNullable<Input["tracking"]>;

/** What a call changes; null: nothing, because tracking is not asked for or is in that state already. */
function trackingChange(requested: Input["tracking"], isStopped: boolean): TrackingChange | null {
  const isDone = requested === (isStopped ? "stop" : "resume");
  return requested === undefined || isDone ? null : requested;
}

async function changeTracking(id: string, change: TrackingChange, { client }: Caller): Promise<void> {
  if (change === "stop") await client.shipments.stopTracking(id);
  if (change === "resume") await client.shipments.resumeTracking(id);
  if (change !== "refresh") return;
  const { data } = await client.overviews.containers({ filter: { shipment: id }, pageSize: 1 });
  if (data[0]) await client.containers.refresh(data[0].id);
}

const editNames = { refNumbers: "references", tags: "tags", note: "note" } as const;

const writtenNames = (edit: ShipmentEdit): string[] =>
  Object.entries(editNames).flatMap(([key, name]) => (edit[key as keyof typeof editNames] === undefined ? [] : [name]));

/** What was changed already, for the row of a shipment that fails half-way. */
type Done = string[];

async function update(identifier: string, args: Input, caller: Caller, done: Done): Promise<z.input<typeof row>> {
  const { client } = caller;
  const id = await resolveShipmentId(identifier, caller);
  let edit: ShipmentEdit | undefined;
  const { attributes, written } = await editShipment(client, id, (stored) => {
    edit = labelEdit(args, stored);
    return args.dry_run ? undefined : edit;
  });
  if (written) done.push(...writtenNames(written));
  const isStopped = attributes.line_tracking_stopped_at !== null;
  const change = trackingChange(args.tracking, isStopped);
  if (change !== null && !args.dry_run) {
    await changeTracking(id, change, caller);
    done.push("tracking");
  }
  const acted =
    args.exceptions && (await actOnExceptions(identifier, args.exceptions, { caller, done, dryRun: args.dry_run }));
  const hasChanges = edit !== undefined || change !== null || (acted?.length ?? 0) > 0;
  const stops = args.tracking === "stop" || (isStopped && args.tracking !== "resume");
  const trackingState = stops ? "stopped" : "active";
  const note = edit?.note === undefined ? attributes.note : edit.note;
  const changeOutcome = args.dry_run ? "would_update" : "updated";
  return {
    id: identifier,
    outcome: hasChanges ? changeOutcome : "unchanged",
    bill_of_lading_number: attributes.bill_of_lading_number,
    ref_numbers: [...(edit?.refNumbers ?? attributes.ref_numbers ?? [])],
    tags: [...(edit?.tags ?? attributes.tags ?? [])],
    note: args.note === undefined ? undefined : (note ?? undefined),
    tracking: args.tracking === "refresh" ? "refresh requested" : trackingState,
    exceptions: acted,
    detail: acted?.length === 0 ? noException : undefined,
  };
}

async function rowFor(identifier: string, args: Input, caller: Caller): Promise<z.input<typeof row>> {
  const done: Done = [];
  try {
    return await update(identifier, args, caller, done);
  } catch (error) {
    const known = toToolError(error, caller, `No shipment is tracked under ${quotedValue(identifier)}.`);
    if (known === undefined) throw error;
    const { code, message } = known.details;
    return {
      id: identifier,
      outcome: code,
      detail: [message, ...(done.length > 0 ? [`Changed before: ${done.join(", ")}.`] : [])].join(" "),
    };
  }
}

/** "Change 2 shipments (A, B): add tags urgent, stop tracking?" */
function question({ ids, dry_run, note, tracking, exceptions, ...labelChanges }: Input): string | undefined {
  const changes = [
    ...Object.entries(labelChanges).flatMap(([name, values]) =>
      values?.length ? `${name.replace("_", " ")} ${quotedValues(values)}` : [],
    ),
    ...(note === undefined ? [] : [note === noNote ? "remove the note" : `note ${quotedValue(note)}`]),
    ...(tracking === undefined ? [] : [tracking === "refresh" ? "refresh from the carrier" : `${tracking} tracking`]),
    ...(exceptions === undefined ? [] : exceptionQuestion(exceptions)),
  ];
  const known = [...new Set(ids)];
  if (dry_run || changes.length === 0) return undefined;
  return `Change ${countText(known.length, "shipment")} (${quotedValues(known)}): ${changes.join(", ")}?`;
}

export const updateShipment = defineTool({
  name: "update_shipment",
  title: "Update shipments",
  description:
    "Adds or removes references and tags of shipments, sets their note, stops or resumes their tracking, or refreshes them from " +
    "the carrier now. " +
    "Resolves, snoozes or assigns their exceptions (of one container by its number). " +
    "Takes up to 20 at once; dry_run shows what would change. To start tracking a new number call track_container. " +
    'Example: {"ids":["MAEU123456789"],"add_tags":["urgent"]}.',
  writes: { idempotent: true, openWorld: true },
  question,
  input,
  aliases: {
    id: "ids",
    number: "ids",
    numbers: "ids",
    shipment_id: "ids",
    bill_of_lading: "ids",
    action: "tracking",
    tags: "add_tags",
    notes: "note",
    comment: "note",
    references: "add_references",
    refNumbers: "add_references",
    ref_numbers: "add_references",
    dryRun: "dry_run",
  },
  output: z.object({ results: z.array(row) }),
  tokenBudget: 4_000,
  budgetOf: ({ ids }) => tokenBudgetForRows(ids.length),
  page: () => "/shipments",
  async run(args, caller) {
    const { add_references, remove_references, add_tags, remove_tags, tracking, exceptions = {} } = args;
    const requestedChanges = [
      add_references,
      remove_references,
      add_tags,
      remove_tags,
      tracking,
      exceptionQuestion(exceptions),
    ];
    if (args.note === undefined && !requestedChanges.some((change) => change?.length)) {
      const message =
        "Nothing to change: give add_references, remove_references, add_tags, remove_tags, note, tracking, or exceptions with " +
        "status, snoozed_until, owner or note.";
      throw new ToolError({ code: "invalid_arguments", message });
    }
    const results: z.input<typeof row>[] = [];
    for (const identifier of new Set(args.ids)) results.push(await rowFor(identifier, args, caller));
    const [only, ...others] = results;
    const done = results.filter(({ outcome }) => outcome === "updated" || outcome === "would_update").length;
    const failed = results.filter(({ outcome, detail }) => detail !== undefined && outcome !== "unchanged").length;
    if (failed === 1 && only?.detail && others.length === 0)
      throw new ToolError({ code: only.outcome, message: only.detail });
    const verb = args.dry_run ? "would change" : "changed";
    const failures = failed > 0 ? ` ${failed} failed: see detail.` : "";
    return { headline: `${done} of ${results.length} shipments ${verb}.${failures}`, content: { results } };
  },
});
