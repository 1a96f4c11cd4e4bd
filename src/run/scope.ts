import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import type { Transform } from 'node:stream'
import type { ActiveRun, CapturedExchange } from './active-run.ts'
import { processWide } from '../node/process-wide.ts'

/** Where in a run the current code runs. */
export interface Scope {
  readonly run: ActiveRun
  /** The step in whose body the code runs, 0 for the run itself. */
  readonly owner: number
  /** Set below a boundary: transport, or a call declared live. Nothing there belongs to the run. */
  readonly below?: Below
}

/** What lies below a boundary. */
export interface Below {
  readonly live?: string
  /** The exchange of which this is the transport, once it has started; a redirect finds it here. */
  exchange?: CapturedExchange
  /** Whether the client follows redirects itself: then an exchange goes on through them. */
  readonly follows?: boolean
  /** The exchange has been captured on its way out: what it passes from here on passes it through. */
  readonly captured?: true
  /** The request body, where the fetch call had it at hand. */
  readonly body?: Uint8Array | string
  /** What a fetch gets to decode an answer with: `name` is what it asks `node:zlib` for, and `make` gives that. */
  readonly decoder?: (name: string, make: () => Transform) => Transform
}

/**
 * `outside` where code runs outside every run on purpose, `test` where a test runs it or a hook of one; undefined where nobody said, as where modules
 * load.
 */
const storage = processWide('scope', () => new AsyncLocalStorage<Scope | 'outside' | 'test' | undefined>())

/** The run that the whole process is, where it is one. */
const whole = processWide<{ scope: Scope | undefined }>('whole-process', () => ({ scope: undefined }))

/** The scope of the running code, or undefined outside a run, below one of its boundaries, and once the run is closed. */
export function currentScope(): Scope | undefined {
  const scope = readScope()
  return scope === undefined || scope.below !== undefined || scope.run.closed ? undefined : scope
}

/** The same, where it is not of the run that the whole process is. */
export function currentRunScope(): Scope | undefined {
  const scope = currentScope()
  return scope?.run === whole.scope?.run ? undefined : scope
}

/** Makes a run that of the whole process: whatever happens in no other run, and is not kept out on purpose, belongs to it from now on. */
export function enterProcess(scope: Scope): void {
  whole.scope = scope
}

/** The scope as it is, below a boundary too. */
export function scopeBelow(): (Scope & { readonly below: Below }) | undefined {
  const scope = readScope()
  return scope === undefined || !isBelow(scope) || scope.run.closed ? undefined : scope
}

function isBelow(scope: Scope): scope is Scope & { readonly below: Below } {
  return scope.below !== undefined
}

/** Runs `body` in a scope. */
export function runInScope<Result>(scope: Scope, body: () => Result): Result {
  return storage.run(scope, body)
}

/** Runs `body` outside every run: what it draws and calls belongs to nobody's trace. */
export function runOutside<Result>(body: () => Result): Result {
  return storage.run('outside', body)
}

/** Runs a test, or a hook of one: what it does outside of runs is its own. */
export function runInTest<Result>(body: () => Result): Result {
  return storage.run('test', body)
}

/** Whether a test runs the code, or a hook of one, outside of every run. */
export function isInTest(): boolean {
  return storage.getStore() === 'test'
}

/**
 * Whether nobody is known for whom the code runs: no test, no run that still goes on, and goldenrun not on purpose. So it is in what was made before
 * any of these, as a module's worker and timers are, and in what a run that is over has left behind.
 */
export function isLost(): boolean {
  const stored = storage.getStore() ?? whole.scope
  return stored === undefined || (typeof stored === 'object' && stored.run.closed)
}

/** Runs `body` below a boundary of the scope's run. */
export function runBelow<Result>(scope: Scope, below: Below, body: () => Result): Result {
  return storage.run({ run: scope.run, owner: scope.owner, below }, body)
}

/** Binds `body` to the scope that is current now. */
export function bindScope<Args extends unknown[], Result>(body: (...args: Args) => Result): (...args: Args) => Result {
  const scope = storage.getStore()
  return (...args) => storage.run(scope, body, ...args)
}

/** The context of now, its scope included, to call back in; to enter a scope anew for each of many calls costs ten times as much. */
export function keepContext(): AsyncResource {
  return new AsyncResource('goldenrun')
}

function readScope(): Scope | undefined {
  const stored = storage.getStore() ?? whole.scope
  return typeof stored === 'object' ? stored : undefined
}
