export { connectRedis, type RedisClient, serversOf } from "./connect-redis.ts";
export { parseRedisAddress, type RedisAddress, redisAddress, redisForms } from "./redis-address.ts";
