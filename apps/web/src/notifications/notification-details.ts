import type { Database } from "@svc/persistence";
import { createNotificationReader, readDeliveryDetails } from "@svc/persistence/notifications";
import type { NotificationDetails } from "./notification-table.ts";

/** Reads what a table of notifications shows in addition to the API's list. */
export function createDetailsReader({ tenantSql }: Pick<Database, "tenantSql">) {
  const reader = createNotificationReader(tenantSql);
  return async (accountId: string, notifications: readonly { readonly id: string }[]): Promise<NotificationDetails> => {
    const ids = notifications.map(({ id }) => id);
    const [included, deliveries] = await Promise.all([
      reader.included(accountId, ids),
      readDeliveryDetails(tenantSql, accountId, ids),
    ]);
    return { included, deliveries };
  };
}
