export { requestConnectionTest, setConnectionActive } from "../carrier-connections/carrier-connection-repository.ts";
export { readMigrationStatus, readServerFacts } from "./database-facts.ts";
export { findMissingRights } from "./database-rights.ts";
export { type ConnectionRow, createOperatorRecords } from "./operator-records.ts";
export { createStatisticsRefresh } from "./refresh-statistics.ts";
export { readDeliveryState, readPollingState, type WorkState } from "./work-states.ts";
