import { isPromise } from 'node:util/types'
import { hasOwnMethods, ownMethods } from '../../drivers/driver.ts'
import { type Method, replaceMethods } from '../../drivers/driver-work.ts'
import { combine, isReplacement, type Restore } from '../../patches.ts'
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
  const later: Restore[] = []
  return combine(
    () => combine(...later)(),
    replaceMethods(prototype, ownMethods(prototype, EXECUTING), (original) => executing(original, driver)),
    replaceMethods(prototype, ownMethods(prototype, PREPARING), (original) => preparing(original, driver, later)),
  )
}

function executing(original: Method, driver: string): Method {
  return new Proxy(original, {
    apply: (target, executor: object, args: unknown[]) =>
      executeContact({ executor, args, driver }, () => Reflect.apply(target, executor, args)),
  })
}

function preparing(original: Method, driver: string, later: Restore[]): Method {
  const opened = new WeakSet<object>()
  return new Proxy(original, {
    apply(target, database: object, args: unknown[]) {
      const made: unknown = Reflect.apply(target, database, args)
      const know = (statement: unknown): void => {
        if (typeof statement !== 'object' || statement === null) return
        knowStatement(statement, database, args[0])
        const prototype = Object.getPrototypeOf(statement) as object
        if (opened.has(prototype)) return
        opened.add(prototype)
        if (executes(prototype) && !isReplacement(Reflect.get(prototype, 'run'))) later.push(openClass(prototype, driver))
      }
      // Before the caller's own reaction.
      if (isPromise(made)) made.then(know, () => undefined)
      else know(made)
      return made
    },
  })
}
