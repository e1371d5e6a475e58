import { camelCase } from "@svc/domain";
import { isUuid } from "@svc/domain/identifiers";
import type { MappedRecord, SavedViewResource } from "@svc/sdk";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import { plainText } from "../output/plain-text.ts";
import type { Session } from "../session.ts";

type View = Pick<MappedRecord<SavedViewResource>, "id" | "name" | "shared" | "recordsUrl">;

/** The view of an id or a name, without regard to case; a view of the member before a shared one. */
export async function findView({ client, call }: Session, text: string, list?: string): Promise<View> {
  const mapped = { signal: call.signal, format: "mapped" } as const;
  if (isUuid(text)) return client.savedViews.get(text, mapped);
  const found: View[] = [];
  for await (const view of client.savedViews.iterate({ filter: { list } }, mapped)) {
    if (view.name.toLowerCase() === text.toLowerCase()) found.push(view);
  }
  const own = found.filter(({ shared }) => !shared);
  const [view, other] = own.length > 0 ? own : found;
  if (!view) {
    const what = list === undefined ? "saved view" : `saved view of ${list}`;
    throw new CliError(
      exitCodes.notFound,
      `No ${what} has the name ${plainText(text)}; \`svc views list\` lists them.`,
    );
  }
  if (other) throw new CliError(exitCodes.usage, `Several lists have a view ${plainText(text)}. Give its id.`);
  return view;
}

/** The filters and the sort key of a view at this moment, as the client takes them. */
export async function viewParameters(session: Session, text: string, list: string) {
  const { recordsUrl } = await findView(session, text, list);
  const { pathname, searchParams } = new URL(recordsUrl);
  if (pathname.endsWith("/shipment_overviews")) {
    throw new CliError(exitCodes.usage, `The shipments of this view are listed by the API only: ${recordsUrl}`);
  }
  const filter: Record<string, string | readonly string[]> = {};
  for (const [name, value] of searchParams) {
    const [, wireName] = /^filter\[(.+)\]$/.exec(name) ?? [];
    if (wireName === undefined) continue;
    filter[camelCase(wireName)] = wireName === "tag" ? [value.replaceAll("\\,", ",")] : value;
  }
  return { filter, sort: searchParams.get("sort") ?? undefined };
}
