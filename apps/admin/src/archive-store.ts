import {
  archiveProblems,
  archiveVariables,
  createArchivedBodyReader,
  type ObjectStore,
  openArchiveStore,
} from "@svc/archive";
import type { ArchivedBodyReader } from "@svc/persistence/replay";
import { readConfig } from "@svc/service-kit";
import { AdminError } from "./admin-error.ts";
import type { AdminContext } from "./admin-session.ts";

/** The object store of the environment; null without one. Throws AdminError when its variables are not valid. */
function configuredStore({ environment }: AdminContext): ObjectStore | null {
  try {
    const config = readConfig("svc-admin", archiveVariables, environment);
    const problems = archiveProblems(config);
    if (problems.length > 0) throw new Error(`${problems.join(". ")}.`);
    return openArchiveStore(config);
  } catch (error) {
    throw new AdminError(2, (error as Error).message);
  }
}

/** The object store of the environment. Throws AdminError without one. */
export function requireStore(context: AdminContext): ObjectStore {
  const store = configuredStore(context);
  if (store === null) throw new AdminError(2, "SVC_ARCHIVE_URL is missing: set it as for the tracking worker.");
  return store;
}

/** Reads archived replies; null without an object store. */
export function archivedBodyReader(context: AdminContext): ArchivedBodyReader | null {
  const store = configuredStore(context);
  return store && createArchivedBodyReader(store);
}
