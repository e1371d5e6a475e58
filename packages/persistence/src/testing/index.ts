export { addMember } from "./accounts.ts";
export { openTestDatabase } from "./open-test-database.ts";
