import type { CustomFieldDefinition } from "@svc/domain/custom-fields";
import type { ValuesOfDefinition } from "@svc/persistence/custom-fields";
import type { Services } from "../services.ts";

/** A record got a value of the definition before the definition was locked. */
class ValueAdded extends Error {}

/**
 * Locks the records with the given values of a definition, which count as changed, and then the definition, for their
 * deletion. Writes of values lock in the same order. Locking a record that got a value in between could deadlock, so
 * the rollback to a savepoint releases all locks, and they are acquired again.
 * @returns null when the definition does not exist.
 */
export async function lockForDeletion(
  services: Services,
  accountId: string,
  values: ValuesOfDefinition,
): Promise<CustomFieldDefinition | null> {
  for (;;) {
    try {
      return await services.transaction(accountId, async (_sql, { customFields, customFieldDefinitions }) => {
        await customFields.markRecordsWithValues(accountId, values);
        const definition = await customFieldDefinitions.lockForChange(accountId, values.definitionId);
        if (!(await customFields.areRecordsMarked(accountId, values))) throw new ValueAdded();
        return definition;
      });
    } catch (error) {
      if (!(error instanceof ValueAdded)) throw error;
    }
  }
}
