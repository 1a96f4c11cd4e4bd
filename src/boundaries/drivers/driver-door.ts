import { prototypesFrom, watchEmitterClasses } from '../emitter-door.ts'
import { countRequired, isRequiredByRunner, watchLoads } from '../../node/required-modules.ts'
import { combine, type Restore } from '../patches.ts'
import { type Driver, isOfClass } from './driver.ts'
import { wsDriver } from '../websocket/ws-driver.ts'
import { grpcDriver } from '../grpc/grpc-driver.ts'
import { ioredisDriver } from './ioredis/ioredis-driver.ts'
import { loadedPrototypes } from './loaded-prototypes.ts'
import { mongodbDriver } from './mongodb/mongodb-driver.ts'
import { mysqlDriver } from './mysql2/mysql-driver.ts'
import { nodeRedisDriver } from './node-redis/node-redis-driver.ts'
import { pgDriver } from './pg/pg-driver.ts'
import { postgresDoor } from './postgres/postgres-clients.ts'

const drivers: readonly Driver[] = [pgDriver, mysqlDriver, ioredisDriver, nodeRedisDriver, mongodbDriver, grpcDriver, wsDriver]

/** Their instances are no event emitters: they are found only where they are loaded. */
const unseenWhenMade: readonly Driver[] = [grpcDriver]

let meetLoaded: (() => void) | undefined

/** Opens doors for such drivers that were loaded since. */
export function renewDriverDoors(): void {
  meetLoaded?.()
}

/**
 * Drivers of databases. Their calls are answered where they are made, because what a connection carries belongs to several runs. Their classes are
 * found in the exports of loaded modules, and when an instance is made.
 */
export function driverDoor(): Restore {
  const restores: Restore[] = []
  const met = new WeakSet<object>()
  const meet = (prototype: object): void => {
    for (const part of prototypesFrom(prototype)) {
      if (met.has(part)) return
      met.add(part)
      open(part, drivers)
    }
  }
  const open = (part: object, some: readonly Driver[]): void => {
    for (const { classes } of some)
      for (const each of classes)
        if (isOfClass(part, each)) {
          met.add(part)
          restores.push(each.open(part))
        }
  }
  let isNew = true
  let known = 0
  meetLoaded = () => {
    if (!isNew && !isRequiredByRunner()) return
    isNew = false
    const count = countRequired()
    if (count === known) return
    known = count
    for (const prototype of loadedPrototypes()) for (const part of prototypesFrom(prototype)) if (!met.has(part)) open(part, unseenWhenMade)
  }
  for (const prototype of loadedPrototypes()) meet(prototype)
  const unwatchLoads = watchLoads(() => (isNew = true))
  const unwatch = watchEmitterClasses(meet)
  const shut = postgresDoor()
  return () => {
    meetLoaded = undefined
    unwatchLoads()
    unwatch()
    shut()
    combine(...restores)()
  }
}
