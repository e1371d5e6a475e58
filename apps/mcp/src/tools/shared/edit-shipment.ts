import {
  type Client,
  PreconditionFailedError,
  type ResponseReader,
  type ShipmentEdit,
  type ShipmentResource,
  withEntityTag,
} from "@svc/sdk";

/** How often a record is read again because another client changed it. */
const triesMax = 3;

interface StoredEdit<Stored, Edit, Result> {
  read(options: ResponseReader): Promise<Stored>;
  /** Returns what to write; undefined: nothing. */
  edit(stored: Stored): Edit | undefined;
  write(edit: Edit, options: { readonly ifMatch: string }): Promise<Result>;
}

/**
 * Edits a record as it is stored. When another client changes it between the read and the write, it is read again, so
 * that no change is lost.
 * @returns what was read, and what was written, with its result.
 */
export async function editStored<Stored, Edit, Result>({ read, edit, write }: StoredEdit<Stored, Edit, Result>) {
  for (let tries = 1; ; tries += 1) {
    const { read: stored, entityTag } = await withEntityTag(read);
    const written = edit(stored);
    if (written === undefined) return { stored, written, result: undefined };
    try {
      return { stored, written, result: await write(written, { ifMatch: entityTag }) };
    } catch (error) {
      if (!(error instanceof PreconditionFailedError) || tries === triesMax) throw error;
    }
  }
}

type Attributes = ShipmentResource["attributes"];

/** Edits a shipment as it is stored. @returns the attributes that were read, and what was written. */
export async function editShipment(
  { shipments }: Client,
  id: string,
  edit: (attributes: Attributes) => ShipmentEdit | undefined,
) {
  const { stored, written } = await editStored({
    read: (options) => shipments.get(id, { ...options }),
    edit: ({ data }) => edit(data.attributes),
    write: (changes: ShipmentEdit, options) => shipments.update(id, changes, options),
  });
  return { attributes: stored.data.attributes, written };
}

const isSame = (one: readonly string[], other: readonly string[] | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other ?? []);

/** Returns the stored values without the removed ones, then the added ones; undefined if that changes nothing. */
export function editedValues(
  stored: readonly string[] | null,
  {
    removed = [],
    added = [],
  }: { readonly removed?: readonly string[] | undefined; readonly added?: readonly string[] | undefined },
): string[] | undefined {
  const edited = [...new Set([...(stored ?? []).filter((value) => !removed.includes(value)), ...added])];
  return isSame(edited, stored) ? undefined : edited;
}
