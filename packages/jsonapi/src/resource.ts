import type { Money } from "@svc/domain/money";
import { z } from "zod";

/** RFC 3339 in UTC, as every time on the wire (docs/contract/decisions.md 1). */
export const dateTime = z.iso.datetime();

export const moneyAttributes = ({ amount, currencyCode }: Money) => ({ amount, currency_code: currencyCode });

/** A resource identifier. */
export interface Identifier<Type extends string = string> {
  readonly type: Type;
  readonly id: string;
}

const identifierSchema = <const Types extends readonly [string, ...string[]]>(types: Types) =>
  z.object({ type: z.enum(types), id: z.uuid() });

/** A relationship that is never null. */
export const toOne = <const Types extends readonly [string, ...string[]]>(...types: Types) =>
  z.object({ data: identifierSchema(types) });

/** A relationship whose `data` is null when there is none. */
export const toOneOrNull = <const Types extends readonly [string, ...string[]]>(...types: Types) =>
  z.object({ data: identifierSchema(types).nullable() });

/** A relationship whose `data` is an empty array when there are none. */
export const toMany = <const Type extends string>(type: Type) => z.object({ data: z.array(identifierSchema([type])) });

/** `data` has the newest 100, or all when they are included; `links.related` lists all. */
export const toManyLinked = <const Type extends string>(type: Type) =>
  z.object({
    data: z
      .array(identifierSchema([type]))
      .optional()
      .describe("The newest 100 events, or all of them when they are included."),
    links: z.object({ related: z.url().describe("URL that lists all of them.") }),
  });

const selfLinks = z.object({ self: z.url() });

/** The common shape of resources (docs/contract/specification.md service.2). */
export const resourceObject = <
  Type extends string,
  Attributes extends z.ZodRawShape,
  Relationships extends z.ZodRawShape,
>(
  type: Type,
  attributes: Attributes,
  relationships: Relationships,
) =>
  z.object({
    id: z.uuid(),
    type: z.literal(type),
    attributes: z.object(attributes),
    relationships: z.object(relationships),
    links: selfLinks,
  });

/** `null` linkage for a null id. */
export function linkage<const Type extends string>(type: Type, id: string): { data: { type: Type; id: string } };
export function linkage<const Type extends string>(
  type: Type,
  id: string | null,
): { data: { type: Type; id: string } | null };
export function linkage(type: string, id: string | null): { data: Identifier | null } {
  return { data: id === null ? null : { type, id } };
}

/** Any resource, for documents with several types. */
export interface AnyResource {
  readonly id: string;
  readonly type: string;
  readonly attributes?: object;
  readonly relationships?: object;
  readonly links?: { readonly self: string };
}
