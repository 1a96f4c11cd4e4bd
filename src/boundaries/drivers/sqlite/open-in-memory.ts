import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { currentScope, isAnswered } from '../../../run/scope.ts'
import { isLiveOutside } from '../../contact/guards.ts'
import { contactUnderWay, isFree } from '../../contact/make-contact.ts'
import { combine, replaceProperty, type Restore } from '../../patches.ts'
import { askTrace } from './ask-trace.ts'
import type { Dialect } from './sqlite-dialect.ts'
import { knowOpening } from './sandbox.ts'
import { isInMemory, pathOfUrl, textOf } from './file-url.ts'
import { displayFile, isAskingForFile, isRemote, knowReadOnly, passForAbsent, passForFile } from './known-statements.ts'
import { recordFailure } from './record-call.ts'
import { orElse } from '../../../trace/or-else.ts'

type Construct = abstract new (...args: unknown[]) => object
type Open = (this: unknown, ...args: unknown[]) => unknown

/** Opens a database, or the driver's object that represents one. */
interface Opening {
  readonly dialect: Dialect
  /** The agent's argument for the file. */
  readonly given: unknown
  open(): unknown
  openInMemory(): unknown
}

/** How a class of databases is constructed. */
export interface Construction {
  /** The same arguments for a database in memory; undefined if it already is in memory. */
  toMemory(args: readonly unknown[]): readonly unknown[] | undefined
  /** Whether they open a database read-only, if the database itself does not expose it. */
  isReadOnly?(args: readonly unknown[]): boolean
  /** Converts arguments for memory to arguments for a file. */
  toFile(memory: readonly unknown[], file: string): readonly unknown[]
}

/** Makes a class of databases open in memory in a replay. */
export function openClassInMemory<Target extends object>(
  target: Target,
  key: keyof Target,
  dialect: Dialect,
  { toMemory, toFile, isReadOnly }: Construction,
): Restore {
  return replaceProperty(target, key, (original) => {
    const replacement: object = new Proxy(original as object, {
      construct(_target, args: unknown[], newTarget) {
        const own = newTarget === replacement ? (original as Construct) : newTarget
        const construct = (given: readonly unknown[]): object => Reflect.construct(original as Construct, given, own) as object
        const memory = toMemory(args)
        if (memory === undefined) return construct(args)
        const database = openDatabase({
          dialect,
          given: args[0],
          open: () => construct(args),
          openInMemory: () => construct(memory),
        }) as object
        if (isReadOnly?.(args) === true) knowReadOnly(database)
        knowOpening(database, (file) => construct(toFile(memory, file)))
        return database
      },
    })
    return replacement as Target[keyof Target]
  })
}

/** Makes libsql's functions open databases in memory in a replay. Source: libsql, index.js. */
export function openFunctionsInMemory(exported: object, dialect: Dialect): Restore {
  const functions = exported as Record<string, Open> & { readonly databaseOpen: Open }
  const replace = (name: string): Restore =>
    replaceProperty(functions, name, (original) => {
      return function (this: unknown, ...args) {
        const [given] = args
        const open = (): unknown => Reflect.apply(original, this, args)
        if (isInMemory(given)) return open()
        // After the file: a token, a cipher, a key, and in later versions a timeout and a key. A replica has other arguments.
        const openInMemory = (): unknown =>
          Reflect.apply(functions.databaseOpen, this, [':memory:', '', 'aes256cbc', '', name === 'databaseOpen' ? (args[4] ?? 0) : 0, ''])
        const handle = openDatabase({ dialect, given, open, openInMemory })
        if (typeof handle === 'object' && handle !== null) passForFile(handle, fullPath(given))
        return handle
      }
    })
  // The functions for replicas have had several names.
  return combine(
    ...Object.keys(exported)
      .filter((name) => name.startsWith('databaseOpen'))
      .map(replace),
  )
}

function openDatabase({ dialect, given, open, openInMemory }: Opening): unknown {
  const scope = currentScope()
  if (isAskingForFile() || contactUnderWay() !== undefined) return open()
  const file = fullPath(given)
  if (scope === undefined && mayOpen(file)) return open()
  const call = { name: `${dialect.label} open`, effect: 'read', input: { database: displayFile(file) } } as const
  if (scope !== undefined && !isAnswered(scope)) {
    try {
      return open()
    } catch (error) {
      return recordFailure(scope, call, error)
    }
  }
  const database = openInMemory()
  if (typeof database !== 'object' || database === null) return database
  const failed = scope?.run.recorded.find(call.name, call.input, 'untaken')
  if (scope !== undefined && failed?.hasFailed === true) askTrace(scope, { dialect, executor: database }, call)
  // The file of a database opened before a replay may be on another machine: it is not created here.
  if (scope === undefined) passForAbsent(database)
  passForFile(database, file)
  return database
}

/** Outside of every run, a guard lets a program open and read existing files. */
function mayOpen(file: string): boolean {
  return isFree() || isRemote(file) || existsSync(file) || isLiveOutside(displayFile(file))
}

/** The path in SQLite's form: with links resolved, as far as the path exists. */
function fullPath(given: unknown): string {
  const text = textOf(given)
  // libsql also opens remote databases.
  if (isRemote(text)) return text
  const file = path.resolve(text.startsWith('file:') ? pathOfUrl(text) : text)
  try {
    return realpathSync(file)
  } catch {
    return orElse(() => path.join(realpathSync(path.dirname(file)), path.basename(file)), file)
  }
}
