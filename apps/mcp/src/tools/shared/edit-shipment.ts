import {
  type Client,
  PreconditionFailedError,
  type ShipmentEdit,
  type ShipmentResource,
  withEntityTag,
} from "@svc/sdk";

/** How often a shipment is read again because another client changed it. */
const triesMax = 3;

type Attributes = ShipmentResource["attributes"];

/**
 * Edits a shipment as it is stored. When another client changes it between the read and the write, it is read again, so
 * that no change is lost.
 * @param edit returns the attributes to write; undefined: none.
 * @returns the attributes that were read, and what was written.
 */
export async function editShipment(
  { shipments }: Client,
  id: string,
  edit: (attributes: Attributes) => ShipmentEdit | undefined,
): Promise<{ readonly attributes: Attributes; readonly written: ShipmentEdit | undefined }> {
  for (let tries = 1; ; tries += 1) {
    const { read, entityTag } = await withEntityTag((options) => shipments.get(id, { ...options }));
    const { attributes } = read.data;
    const changes = edit(attributes);
    if (changes === undefined) return { attributes, written: undefined };
    try {
      await shipments.update(id, changes, { ifMatch: entityTag });
      return { attributes, written: changes };
    } catch (error) {
      if (!(error instanceof PreconditionFailedError) || tries === triesMax) throw error;
    }
  }
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
