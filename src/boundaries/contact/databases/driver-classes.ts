import { isPromise } from 'node:util/types'
import { hasOwnMethods, ownMethods } from '../../drivers/driver.ts'
import { replaceMethods } from '../../drivers/driver-work.ts'
import { combine, isReplacement, LaterDoors, type Restore } from '../../patches.ts'
import { knowStatement } from '../../drivers/sqlite/known-statements.ts'
import { executeContact } from './execute-contact.ts'

/** Methods that execute SQL, by their names in SQLite drivers and similar ones. */
const EXECUTING = ['exec', 'run', 'get', 'all', 'each', 'iterate', 'backup', 'applyChangeset', 'deserialize', 'loadExtension']
/** Methods that create objects that execute SQL. */
const PREPARING = ['prepare', 'createTagStore']

/**
 * Opens doors for the methods that execute SQL in all classes that a driver exports: classes of databases (`prepare`, `exec`) and of
 * statements (`run`, `all`). Classes of statements that are not exported get their doors when a statement is prepared. Returns undefined if there
 * are no such classes.
 */
export function openDriver(exported: unknown, driver: string): Restore | undefined {
  const classes = classesOf(exported)
  return classes.length === 0 ? undefined : combine(...classes.map((prototype) => openClass(prototype, driver)))
}

/** The prototypes of databases and statements among a driver's exports, and the prototype of the export itself. */
function classesOf(exported: unknown): object[] {
  if ((typeof exported !== 'object' && typeof exported !== 'function') || exported === null) return []
  const values: unknown[] = [exported, ...Object.values(Object.getOwnPropertyDescriptors(exported)).map(({ value }) => value as unknown)]
  return values.flatMap((value) => {
    const prototype: unknown = typeof value === 'function' ? value.prototype : undefined
    return typeof prototype === 'object' && prototype !== null && executes(prototype) ? [prototype] : []
  })
}

function executes(prototype: object): boolean {
  const has = (...names: readonly string[]): boolean => hasOwnMethods(prototype, names)
  return has('prepare', 'exec') || has('prepare', 'all') || has('run', 'all')
}

function openClass(prototype: object, driver: string): Restore {
  const doors = new LaterDoors()
  return combine(
    doors.shut,
    replaceMethods(prototype, ownMethods(prototype, EXECUTING), ({ self, args, go }) =>
      executeContact({ executor: self, args, driver }, go),
    ),
    replaceMethods(prototype, ownMethods(prototype, PREPARING), ({ self, args: [sql], go }) => {
      const made = go()
      const know = (statement: unknown): void => {
        if (typeof statement !== 'object' || statement === null) return
        knowStatement(statement, self, sql)
        doors.open(Object.getPrototypeOf(statement) as object, (met) =>
          executes(met) && !isReplacement(Reflect.get(met, 'run')) ? openClass(met, driver) : () => undefined,
        )
      }
      // Before the caller's own reaction.
      if (isPromise(made)) made.then(know, () => undefined)
      else know(made)
      return made
    }),
  )
}
