import { type Camelized, camelize } from "./camelize.ts";

interface WireRecord {
  readonly id: string;
  readonly attributes: object;
}

/** A record without relations worth resolving: its id and its attributes in camelCase. */
export type MappedRecord<Resource extends WireRecord> = Camelized<Resource["attributes"]> & { readonly id: string };

export function mapRecord<Resource extends WireRecord>(resource: Resource): MappedRecord<Resource> {
  return { ...camelize(resource.attributes), id: resource.id } as MappedRecord<Resource>;
}
