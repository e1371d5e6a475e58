import { type Client, type MappedContainer, withEntityTag } from "@svc/sdk";
import type { Request } from "express";
import { definedFieldTexts, editedDefined } from "../custom-fields/defined-field-inputs.ts";
import { type DefinedField, readDefinedFields } from "../custom-fields/read-defined-fields.ts";
import { fieldParts, toFieldChanges } from "../custom-fields/write-defined-fields.ts";
import { isChangedMeanwhile, problemsOfEdit, writeParts } from "../forms/edit-parts.ts";
import { hasProblems, type Problems } from "../forms/field.ts";
import { conflictProblem, mergeEdit, saveOverChanges, splitLines, type Texts } from "../forms/merge-edit.ts";
import { findRecord, nullIfNotFound } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { containerEditPage } from "./edit-page.ts";

const references = { name: "references", label: "References", isList: true };

const toTexts = ({ refNumbers }: MappedContainer, definedFields: readonly DefinedField[]): Texts =>
  new Map([[references.name, refNumbers.join("\n")], ...definedFieldTexts(definedFields)]);

/** The container, its fields, and its ETag. */
async function readContainer(api: Client, id: string) {
  const [{ read: container, entityTag }, definedFields] = await Promise.all([
    withEntityTag((options) => api.containers.get(id, { format: "mapped", include: [], ...options })),
    readDefinedFields(api, "containers", id),
  ]);
  return { container, definedFields, entityTag, present: toTexts(container, definedFields) };
}

/** `GET` and `POST /containers/{id}/edit`. Both throw `TrackingError` `not_found`. */
export function editHandlers() {
  const find = (api: Client, request: Request) =>
    findRecord("container", request.params.id, (id) => nullIfNotFound(readContainer(api, id)));

  const show: PageHandler = async (request, response, caller) => {
    const record = await find(caller.api, request);
    sendPage(response, 200, containerEditPage({ ...record, caller, texts: record.present, problems: {} }));
  };

  const save: FormHandler = (request, response, caller, values) => {
    const saved = new Set<string>();
    return saveOverChanges(async () => {
      const { api } = caller;
      const record = await find(api, request);
      const { container, definedFields, entityTag, present } = record;
      const { texts, changed, conflicts } = mergeEdit([references, ...editedDefined(definedFields)], values, present);
      const show = (status: number, problems: Problems) =>
        sendPage(response, status, containerEditPage({ ...record, caller, texts, problems }));
      if (conflicts.length > 0) return show(412, { "": conflictProblem("container", conflicts, saved) });
      const { changes, problems } = toFieldChanges(definedFields, texts);
      if (hasProblems(problems)) return show(422, problems);
      const refNumbers = splitLines(texts.get(references.name) ?? "");
      const ofContainer = {
        labels: [references.label],
        write: () => api.containers.update(container.id, { refNumbers }, { ifMatch: entityTag }),
      };
      const parts = [
        ...(changed.has(references.name) ? [ofContainer] : []),
        ...fieldParts(api, "containers", container.id, changes),
      ];
      try {
        await writeParts(parts, saved);
        response.redirect(303, `/containers/${container.id}`);
      } catch (error) {
        if (isChangedMeanwhile(error)) throw error;
        show(422, problemsOfEdit(error, parts, saved));
      }
    });
  };

  return { show, save };
}
