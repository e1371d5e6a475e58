export { freePort } from "./free-port.ts";
export { type PostgresServer, type PostgresServerOptions, postgresDataDir, startPostgres } from "./postgres-server.ts";
export { findRedisProgram, type RedisServer, type RedisServerOptions, startRedis } from "./redis-server.ts";
export { createTestDatabase, testPostgresUrl, testRedisUrl, testStoreVariables } from "./test-database.ts";
