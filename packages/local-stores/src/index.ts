export { type ChildExit, stopChild, waitForExit } from "./child-exit.ts";
export { freePort, isPortFree } from "./free-port.ts";
export { type OrphanGuard, startOrphanGuard } from "./orphan-guard.ts";
export { type PostgresServer, postgresDataDir, startPostgres } from "./postgres-server.ts";
export { findRedisProgram, type RedisServer, startRedis, startSentinel } from "./redis-server.ts";
export { commandOf, hasEnded, signalProcess } from "./running-process.ts";
