import type { z } from "zod";
import type { Instant } from "../instant.ts";

/** A field that is derived from observations: only tracking writes it, with the provenance of each value. */
export interface DerivedField<Schema extends z.ZodType = z.ZodType> {
  readonly derived: Schema;
}

/**
 * The fields of a record, in the order of its attributes on the wire. The columns of its statements, the type of the
 * record, the schema and the attributes of its resource follow from it.
 */
export type FieldTable = Readonly<Record<string, z.ZodType | DerivedField>>;

export const derived = <Schema extends z.ZodType>(schema: Schema): DerivedField<Schema> => ({ derived: schema });

const isDerived = (field: z.ZodType | DerivedField): field is DerivedField => "derived" in field;

export const schemaOf = (field: z.ZodType | DerivedField): z.ZodType => (isDerived(field) ? field.derived : field);

export type SchemaOf<Field> = Field extends DerivedField<infer Schema> ? Schema : Field;

/** The value of a schema in a record: a time is an Instant, and nothing can be changed. */
export type ValueOf<Schema> = Schema extends z.ZodISODateTime
  ? Instant
  : Schema extends z.ZodNullable<infer Inner>
    ? ValueOf<Inner> | null
    : Schema extends z.ZodArray<infer Item>
      ? readonly ValueOf<Item>[]
      : Schema extends z.ZodObject<infer Shape>
        ? { readonly [Name in keyof Shape]: ValueOf<Shape[Name]> }
        : z.infer<Schema>;

/** The record of a table. */
export type RecordOf<Fields> = { readonly [Name in keyof Fields]: ValueOf<SchemaOf<Fields[Name]>> };

/** The names of the derived fields of a table. */
export type DerivedName<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends DerivedField ? Name & string : never;
}[keyof Fields];

export function derivedNames<Fields extends FieldTable>(fields: Fields): readonly DerivedName<Fields>[] {
  const names = Object.keys(fields) as DerivedName<Fields>[];
  return names.filter((name) => isDerived(fields[name] as z.ZodType | DerivedField));
}
