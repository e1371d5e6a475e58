import { type Database, uuidV7 } from "@svc/persistence";

/** Adds an open, critical exception that was opened an hour ago; returns its id. */
export async function addException(
  database: Database,
  accountId: string,
  columns: {
    readonly subjectId: string;
    readonly shipmentId?: string;
    readonly containerId?: string;
    readonly trackingRequestId?: string;
    readonly kind: string;
    readonly severity?: string;
    readonly priority?: number;
    readonly details?: object;
  },
): Promise<string> {
  const id = uuidV7.next();
  const at = new Date(Date.now() - 3_600_000);
  const defaults = { severity: "critical", priority: 1, details: {}, openedAt: at, createdAt: at, updatedAt: at };
  await database.prisma.exception.create({ data: { accountId, id, ...defaults, ...columns } });
  return id;
}
