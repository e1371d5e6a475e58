export { requestConnectionTest, setConnectionActive } from "../carrier-connections/carrier-connection-repository.ts";
export {
  type AppliedMigration,
  type MigrationStatus,
  readMigrationStatus,
  readServerFacts,
  type ServerFacts,
} from "./database-facts.ts";
export { findMissingRights } from "./database-rights.ts";
export {
  type ConnectionRow,
  createOperatorRecords,
  type OperatorRecords,
  type UserRow,
} from "./operator-records.ts";
