import { prototypesFrom, watchEmitterClasses } from '../emitter-door.ts'
import { isRequiredByRunner, watchLoads } from '../../node/required-modules.ts'
import { combine, LaterDoors, type Restore } from '../patches.ts'
import { type DriverClass, hasOwnMethods } from './driver.ts'
import { wsDriver } from '../websocket/ws-driver.ts'
import { grpcDriver } from '../grpc/grpc-driver.ts'
import { ioredisDriver } from './ioredis/ioredis-driver.ts'
import { loadedPrototypes } from './loaded-prototypes.ts'
import { mongodbDriver } from './mongodb/mongodb-driver.ts'
import { mysqlDriver } from './mysql2/mysql-driver.ts'
import { nodeRedisDriver } from './node-redis/node-redis-driver.ts'
import { pgDriver } from './pg/pg-driver.ts'
import { postgresDoor } from './postgres/postgres-clients.ts'

const drivers: readonly DriverClass[] = [pgDriver, mysqlDriver, ioredisDriver, nodeRedisDriver, mongodbDriver, grpcDriver, wsDriver].flat()

/** Classes whose instances are not event emitters: they are found only when they are loaded. */
const unseenWhenMade: readonly DriverClass[] = grpcDriver

let meetLoaded: (() => void) | undefined

/** Opens doors for such drivers that were loaded since. */
export function renewDriverDoors(): void {
  meetLoaded?.()
}

/**
 * Database drivers. Their calls are answered where they are made, because a connection's traffic belongs to several runs. Their classes are
 * found in the exports of loaded modules, and when an instance is made.
 */
export function driverDoor(): Restore {
  const doors = new LaterDoors()
  const meet = (prototype: object): void => {
    for (const part of prototypesFrom(prototype)) if (!doors.open(part, () => openClasses(part, classesOf(part)))) return
  }
  const openAll = (loaded: readonly LoadedClass[]): void => {
    for (const { prototype, classes } of loaded) doors.open(prototype, () => openClasses(prototype, classes))
  }
  let isNew = true
  let known = loadedClasses()
  openAll(known)
  meetLoaded = () => {
    if (!isNew && !isRequiredByRunner()) return
    isNew = false
    const loaded = loadedClasses()
    if (loaded === known) return
    known = loaded
    openAll(loaded.filter(({ classes }) => classes.some((each) => unseenWhenMade.includes(each))))
  }
  const unwatchLoads = watchLoads(() => (isNew = true))
  const unwatch = watchEmitterClasses(meet)
  const shut = postgresDoor()
  return () => {
    meetLoaded = undefined
    unwatchLoads()
    unwatch()
    shut()
    doors.shut()
  }
}

function openClasses(part: object, classes: readonly DriverClass[]): Restore {
  return combine(...classes.map((each) => each.open(part)))
}

/** A class of a driver that a loaded module exports, or that an exported class extends. */
interface LoadedClass {
  readonly prototype: object
  readonly classes: readonly DriverClass[]
}

let scanned: { readonly prototypes: readonly object[]; readonly found: readonly LoadedClass[] } | undefined

function loadedClasses(): readonly LoadedClass[] {
  const prototypes = loadedPrototypes()
  if (scanned?.prototypes === prototypes) return scanned.found
  const parts = new Set(prototypes.flatMap((prototype) => [...prototypesFrom(prototype)]))
  const found = [...parts].map((prototype) => ({ prototype, classes: classesOf(prototype) })).filter(({ classes }) => classes.length > 0)
  scanned = { prototypes, found }
  return found
}

function classesOf(prototype: object): DriverClass[] {
  return drivers.filter(({ own }) => hasOwnMethods(prototype, own))
}
