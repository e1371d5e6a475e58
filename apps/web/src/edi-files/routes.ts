import { ediFileStatuses } from "@svc/jsonapi/edi-files";
import { ApiError, SvcError } from "@svc/sdk";
import type { Problems } from "../forms/field.ts";
import { get, post, type Route } from "../http/define-route.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { pathId, queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { readPageNumber } from "../pages/page-links.ts";
import type { Services } from "../services.ts";
import { readCarrierMenu } from "../tracking-requests/carrier-menu.ts";
import { ediFilePage } from "./edi-file-page.ts";
import { type EdiFilter, type EdiForm, ediFilesPage, emptyEdiForm } from "./edi-files-page.ts";

const pageSize = 30;
/** A file of 20 MiB, which the API takes, with the other fields. */
const formBytesMax = 21 * 1024 * 1024;

/** The problems of the form that the API's refusal is about; rethrows what is none. */
function problemsOfFile(error: unknown): Problems {
  if (error instanceof ApiError && [400, 413, 422, 429].includes(error.status)) {
    const problems: Record<string, string> = {};
    for (const { parameter, detail = "The file was refused." } of error.faults) {
      const field = parameter === "scac" || parameter === "partner" ? parameter : "file";
      problems[field] = [problems[field], detail].filter(Boolean).join(" ");
    }
    return problems;
  }
  if (error instanceof SvcError && !(error instanceof ApiError)) {
    return { "": "The API is not available; the file was not uploaded. Try again soon." };
  }
  throw error;
}

/** `GET` and `POST /track/edi`, and one file with its downloads below it. */
export function ediRoutes({ apiBaseUrl }: Pick<Services, "apiBaseUrl">): readonly Route[] {
  const list: PageHandler = async (request, response, caller) => {
    const status = ediFileStatuses.find((each) => each === queryText(request, "status")) ?? null;
    const filter: EdiFilter = { status, hasFaults: queryText(request, "faults") === "yes" };
    const number = readPageNumber(queryText(request, "page"));
    const [files, { lines }] = await Promise.all([
      caller.api.ediFiles.list({
        filter: { status: status ?? undefined, hasFaults: filter.hasFaults || undefined },
        page: number,
        pageSize,
      }),
      readCarrierMenu(caller.api),
    ]);
    const pageOptions = { caller, apiBaseUrl, files, filter, number, form: emptyEdiForm, lines, problems: {} };
    sendPage(response, 200, ediFilesPage(pageOptions));
  };

  const send: FormHandler = async (_request, response, caller, values) => {
    const { name, bytes } = values.file("file");
    const filled: EdiForm = {
      text: values.exact("text"),
      partner: values.text("partner") || emptyEdiForm.partner,
      scac: values.text("scac").toUpperCase(),
    };
    const show = async (problems: Problems) => {
      const [files, { lines }] = await Promise.all([
        caller.api.ediFiles.list({ pageSize }),
        readCarrierMenu(caller.api),
      ]);
      const filter = { status: null, hasFaults: false };
      const pageOptions = { caller, apiBaseUrl, files, filter, number: 1, form: filled, lines, problems };
      sendPage(response, 422, ediFilesPage(pageOptions));
    };
    const content = bytes.byteLength > 0 ? bytes : filled.text;
    if (content.length === 0) return show({ file: "Choose a file, or paste its text below." });
    try {
      const { data } = await caller.api.ediFiles.send(content, {
        partner: filled.partner,
        ...(filled.scac !== "" && { scac: filled.scac }),
        ...(name !== "" && bytes.byteLength > 0 && { name: name.slice(-250) }),
      });
      response.redirect(303, `/track/edi/${data.id}`);
    } catch (error) {
      await show(problemsOfFile(error));
    }
  };

  const show: PageHandler = async (request, response, caller) => {
    const { data } = await caller.api.ediFiles.get(pathId(request));
    sendLivePage(request, response, ediFilePage(caller, apiBaseUrl, data));
  };

  const download: PageHandler = async (request, response, caller) => {
    const id = pathId(request);
    const { attributes } = (await caller.api.ediFiles.get(id)).data;
    const bytes = await caller.api.ediFiles.content(id);
    response
      .attachment(attributes.name ?? `${id}.edi`)
      .type("application/octet-stream")
      .send(Buffer.from(bytes));
  };

  const downloadAcknowledgement: PageHandler = async (request, response, caller) => {
    const id = pathId(request);
    const { acknowledgement } = (await caller.api.ediFiles.get(id)).data.attributes;
    response
      .attachment(`${id}-acknowledgement.edi`)
      .type("application/octet-stream")
      .send(Buffer.from(acknowledgement ?? ""));
  };

  return [
    get("/track/edi", "read", list),
    post("/track/edi", "exchange_edi", send, { filesBytesMax: formBytesMax }),
    get("/track/edi/:id", "read", show),
    get("/track/edi/:id/content", "read", download),
    get("/track/edi/:id/acknowledgement", "read", downloadAcknowledgement),
  ];
}
