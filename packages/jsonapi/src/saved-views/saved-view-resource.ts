import { type SavedView, viewLists } from "@svc/domain/saved-views";
import { z } from "zod";
import { dateTime, resourceObject } from "../resource.ts";

/** A list with its filters, order and columns under a name (docs/saved-views.md). */
export const SavedViewResource = resourceObject(
  "saved_view",
  {
    list: z.enum(viewLists).describe("List that the view filters."),
    name: z.string(),
    filters: z
      .record(z.string(), z.string())
      .describe(
        'Value of each filter that is set, by the name of the filter, for example `{"arrival": "next_7_days"}`.',
      ),
    sort: z.string().nullable().describe("Sort key, with `-` for descending. Null: the order of the list."),
    columns: z.array(z.string()).describe("Columns of the page besides the first one. Empty: the default ones."),
    shared: z.boolean().describe("Whether every member of the account sees it. False: only its own member."),
    is_default: z.boolean().describe("Whether the list opens with this view for the caller's member."),
    created_by: z.string().nullable().describe("E-mail address of the member who created it."),
    records_url: z.url().describe("The API request for the records of the view at this moment."),
    outdated_filters: z
      .array(
        z.object({
          name: z.string(),
          value: z.string(),
          detail: z.string().describe("Filter value that no longer exists, and the consequence for the list."),
        }),
      )
      .describe("Filters whose value no longer exists, for example a customer that was deleted."),
    created_at: dateTime,
    updated_at: dateTime,
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "SavedView" });

export type SavedViewResource = z.infer<typeof SavedViewResource>;

/** Facts that the record of a view does not have. */
interface SavedViewContext {
  readonly view: SavedView;
  /** Id of the caller; null: a token without a user. */
  readonly userId: string | null;
  /** E-mail address of the member who created the view. */
  readonly creatorEmail: string | null;
  /** The request for its records, below the base address. */
  readonly request: string;
  readonly outdatedFilters: SavedViewResource["attributes"]["outdated_filters"];
}

export function savedViewResource(context: SavedViewContext, baseUrl: string): SavedViewResource {
  const { view, userId } = context;
  return {
    id: view.id,
    type: "saved_view",
    attributes: {
      list: view.list,
      name: view.name,
      filters: { ...view.filters },
      sort: view.sort,
      columns: [...view.columns],
      shared: view.memberUserId === null,
      is_default: userId !== null && view.defaultOfUserIds.includes(userId),
      created_by: context.creatorEmail,
      records_url: `${baseUrl}${context.request}`,
      outdated_filters: context.outdatedFilters,
      created_at: view.createdAt,
      updated_at: view.updatedAt,
    },
    links: { self: `${baseUrl}/saved_views/${view.id}` },
  };
}
