export { createRedisStore } from './redis/redis-store.ts'
export type { FinishedLog, RedisStore, RedisStoreOptions } from './redis/redis-store.ts'
export type { IoredisClient, NodeRedisClient } from './redis/redis-connection.ts'
