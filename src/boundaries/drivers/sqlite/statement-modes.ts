import { isUint8Array } from 'node:util/types'
import { knownOrMade } from '../../../trace/remember.ts'
import type { Dialect } from './sqlite-dialect.ts'

/** The form of rows: objects, arrays, the first column alone, or objects by table. */
export type Form = 'object' | 'raw' | 'pluck' | 'expand'

/** The settings of a statement. */
export interface StatementModes {
  /** Undefined if it may have been set before the doors were open. */
  raw?: boolean
  pluck?: boolean
  expand?: boolean
  /** Permanently bound parameters. */
  bound?: readonly unknown[]
  /** The last call of each setting method, in order. */
  readonly settings: Map<string, readonly unknown[]>
}

/** Methods that set how a statement takes parameters and returns rows. */
export const settingMethods: readonly string[] = [
  'raw',
  'pluck',
  'expand',
  'bind',
  'setReturnArrays',
  'safeIntegers',
  'setReadBigInts',
  'setAllowBareNamedParameters',
  'setAllowUnknownNamedParameters',
]

const modes = new WeakMap<object, StatementModes>()

/** The settings of a statement that the doors have seen. */
function modesOf(statement: object): StatementModes {
  return knownOrMade(modes, statement, () => ({ settings: new Map() }))
}

/** Starts the settings of a statement that was just prepared: nothing is set. */
export function startModes(statement: object): void {
  modes.set(statement, { raw: false, pluck: false, expand: false, settings: new Map() })
}

/** Records the setting that a call makes. */
export function setMode({ label }: Dialect, statement: object, method: string, args: readonly unknown[]): void {
  const known = modesOf(statement)
  known.settings.delete(method)
  known.settings.set(method, args)
  if (method === 'bind') {
    known.bound = args
    return
  }
  const isOn = args[0] === undefined || Boolean(args[0])
  // The modes of better-sqlite3 exclude each other.
  if (label === 'better-sqlite3' && isOn) Object.assign(known, { raw: false, pluck: false, expand: false })
  if (method === 'setReturnArrays' || method === 'raw') known.raw = isOn
  else if (method === 'pluck') known.pluck = isOn
  else if (method === 'expand') known.expand = isOn
}

/** The settings of a statement, as calls of its methods. */
export function settingsOf(statement: object): StatementModes['settings'] {
  return modesOf(statement).settings
}

/** The form in which a method of a statement returns rows; undefined if unknown. */
export function formOf({ label }: Dialect, statement: object, method: string): Form | undefined {
  const { raw, pluck, expand } = modesOf(statement)
  // In libsql, only `all` respects it.
  if (pluck === true && (label !== 'libsql' || method === 'all')) return 'pluck'
  if (raw === true) return 'raw'
  if (expand === true) return 'expand'
  return raw === undefined ? undefined : 'object'
}

/** The parameters of a call, as a step keeps them; undefined if there are none. */
export function valuesOf(statement: object, args: readonly unknown[]): unknown {
  const given = args.length === 0 ? (modesOf(statement).bound ?? []) : args
  const [first] = given
  if (given.length === 0) return undefined
  if (given.length === 1 && typeof first === 'object' && first !== null && !isUint8Array(first)) return isEmpty(first) ? undefined : first
  return given
}

function isEmpty(values: object): boolean {
  return Object.getPrototypeOf(values) !== Date.prototype && Object.keys(values).length === 0 && !ArrayBuffer.isView(values)
}
