import { type FieldTable, type RecordOf, type SchemaOf, schemaOf } from "@svc/domain/records";
import type { z } from "zod";
import { toWireName, type WireName } from "../wire-names.ts";

/** An attribute that is not a field of the record, or has another form. */
interface HandAttribute<Entity, Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly of: (record: Entity) => z.input<Schema>;
}

export const attribute = <Entity, Schema extends z.ZodType>(
  schema: Schema,
  of: (record: Entity) => z.input<Schema>,
): HandAttribute<Entity, Schema> => ({ schema, of });

/** A field that is no attribute. */
export const omitted = {};

/** The attributes that stand in place of a field. */
type Exceptions<Fields> = {
  readonly [Name in keyof Fields]?: Readonly<Record<string, HandAttribute<RecordOf<Fields>>>>;
};

type UnionToIntersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer Intersection,
) => void
  ? Intersection
  : never;
type HandShape<Hand> = { [Name in keyof Hand]: Hand[Name] extends { readonly schema: infer Schema } ? Schema : never };
type WireShape<Fields, Hand> = {
  [Name in Exclude<keyof Fields, keyof Hand> & string as WireName<Name>]: SchemaOf<Fields[Name]>;
} & HandShape<UnionToIntersection<Hand[keyof Hand]>>;
type Flat<Shape> = { [Name in keyof Shape]: Shape[Name] };

type Values<Shape> = { [Name in keyof Shape]: z.output<Shape[Name]> };

export interface WireAttributes<Entity, Shape> {
  readonly shape: Shape;
  readonly of: (record: Entity) => Values<Shape>;
}

/**
 * The attributes of a record in the order of its table: each field by its wire name, except those with exceptions.
 * Values are assigned to a copy of an object with all names, because objects built property by property are slow to
 * read.
 */
export function wireAttributes<Fields extends FieldTable, const Hand extends Exceptions<Fields>>(
  fields: Fields,
  exceptions: Hand,
): WireAttributes<RecordOf<Fields>, Flat<WireShape<Fields, Hand>>> {
  const byHand: Readonly<Record<string, Readonly<Record<string, HandAttribute<RecordOf<Fields>>>> | undefined>> =
    exceptions;
  const attributes = Object.entries<FieldTable[string]>(fields).flatMap(([field, form]) => {
    const hand = byHand[field] ?? { [toWireName(field)]: { schema: schemaOf(form), of: null } };
    return Object.entries(hand).map(([name, { schema, of }]) => ({ name, schema, of, field }));
  });
  const shape = Object.fromEntries(attributes.map(({ name, schema }) => [name, schema]));
  const empty: Readonly<Record<string, unknown>> = {
    // oxlint-disable-next-line unicorn/no-useless-spread -- a copy has a fixed shape, which is cloned faster
    ...Object.fromEntries(attributes.map(({ name }) => [name, null])),
  };
  const toAttributes = (record: RecordOf<Fields>) => {
    const values = { ...empty };
    for (const { name, of, field } of attributes) values[name] = of === null ? record[field] : of(record);
    return values;
  };
  return { shape, of: toAttributes } as WireAttributes<RecordOf<Fields>, Flat<WireShape<Fields, Hand>>>;
}
