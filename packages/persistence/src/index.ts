export { connectDatabase, type Database } from "./database.ts";
export { uuidV7 } from "./ids.ts";
export { type Listener, listen } from "./listen.ts";
export { applyMigrations, createDatabase } from "./migrate.ts";
export { createSecretBox, type SecretBox } from "./secret-box.ts";
export { type DemoAccount, seedDemoAccount } from "./seed/demo-account.ts";
export { seedReferenceData } from "./seed/reference-data.ts";
export { hashPassword } from "./sessions/password.ts";
export type { PoolOptions, Sql, Statement } from "./sql.ts";
