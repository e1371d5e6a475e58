import { type ApiFault, type EventFile, ValidationError } from "@svc/sdk";
import type { Problems } from "../forms/field.ts";
import { findRecord, nullIfNotFound } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import type { Services } from "../services.ts";
import { importPage, importStatePage } from "./import-page.ts";
import { problemsOfRefusal } from "./request-fields.ts";

/** JSON is an array of rows, or `{"rows": […]}`; anything else is CSV. Null for invalid JSON. */
export function readEventFile(text: string): EventFile | null {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (!/^[[{]/.test(trimmed)) return { csv: trimmed };
  try {
    const parsed = JSON.parse(trimmed) as { rows?: unknown } | unknown[];
    const rows = Array.isArray(parsed) ? parsed : parsed.rows;
    return Array.isArray(rows) ? { rows } : null;
  } catch {
    return null;
  }
}

/** `GET` and `POST /track/import`, `GET /track/import/{id}`. */
export function importHandlers({ apiBaseUrl }: Pick<Services, "apiBaseUrl">) {
  const show: PageHandler = async (_request, response, caller) => {
    sendPage(response, 200, importPage({ caller, apiBaseUrl, text: "", problems: {}, faults: [] }));
  };

  const showState: PageHandler = async (request, response, caller) => {
    const { data } = await findRecord("event import", request.params.id, (id) =>
      nullIfNotFound(caller.api.eventImports.get(id)),
    );
    sendLivePage(request, response, importStatePage(caller, apiBaseUrl, data));
  };

  const submit: FormHandler = async (_request, response, caller, values) => {
    const hasFile = values.text("file") !== "";
    const text = values.exact("text");
    const show = (problems: Problems, faults: readonly ApiFault[] = []) =>
      sendPage(response, 422, importPage({ caller, apiBaseUrl, text, problems, faults }));
    const source = hasFile ? values.exact("file") : text;
    const field = hasFile ? "file" : "text";
    if (source.trim() === "") return show({ file: "Choose a file, or paste its text below." });
    const file = readEventFile(source);
    if (file === null) return show({ [field]: "This JSON is no list of events." });
    try {
      const { data } = await caller.api.eventImports.create(file);
      response.redirect(303, `/track/import/${data.id}`);
    } catch (error) {
      if (error instanceof ValidationError) show({}, error.faults);
      else show(problemsOfRefusal(error, "Nothing was imported."));
    }
  };

  return { show, showState, submit };
}
