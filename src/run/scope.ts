import type { HeaderPairs } from '../trace/http-facts.ts'
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import type { Transform } from 'node:stream'
import type { ActiveRun, AnsweredRun, CapturedExchange, RecordedRun } from './active-run.ts'
import { processWide } from '../node/process-wide.ts'
import type { Stack } from './stack.ts'

/** The position of the current code in a run. */
export type Scope = RecordedScope | AnsweredScope

/** A position in a run that is being recorded. */
export type RecordedScope = ScopeIn<RecordedRun>

/** A position in a replay. */
export type AnsweredScope = ScopeIn<AnsweredRun>

/** A position in one kind of runs. Default: in any run. */
interface ScopeIn<Run extends ActiveRun = ActiveRun> {
  readonly run: Run
  /** The step in whose body the code runs; 0 for the run itself. */
  readonly owner: number
  /** Set below a boundary (transport, or a call declared live), where nothing belongs to the run. */
  readonly below?: Below
  /** In a replay: where the agent's own code started the work that this code goes on with, if its stack no longer shows that. */
  readonly begun?: Stack
}

/** The context below a boundary. */
export interface Below {
  readonly live?: string
  /** The exchange that this transport belongs to, once it has started; redirects look it up here. */
  exchange?: CapturedExchange
  /** How the fetch handles redirects: if it follows them, its exchange continues through them. */
  readonly redirect?: RequestRedirect
  /** The exchange has already been captured, so later doors let it pass. */
  readonly captured?: true
  /** The request body, if the fetch call had it available. */
  readonly body?: Uint8Array | string
  /** The headers that the caller of fetch set: fetch itself adds others. */
  readonly given?: HeaderPairs
  /** Set in a pool of a database driver, whose work is already a step. */
  readonly step?: object
  /** Creates the decoder of a fetch's answer: `name` is the `node:zlib` function, and `make` calls it. */
  readonly decoder?: (name: string, make: () => Transform) => Transform
}

/**
 * `outside` for code that deliberately runs outside of every run, `test` for tests and their hooks; undefined otherwise, for example while
 * modules load.
 */
const storage = processWide('scope', () => new AsyncLocalStorage<Scope | 'outside' | 'test' | undefined>())

/** The run of the whole process, if there is one. */
const whole = processWide<{ scope: Scope | undefined }>('whole-process', () => ({ scope: undefined }))

/** Returns the scope of the running code; undefined outside of a run, below one of its boundaries, and once the run is closed. */
export function currentScope(): Scope | undefined {
  const scope = readScope()
  return scope === undefined || scope.below !== undefined || scope.run.closed ? undefined : scope
}

/** The same, but undefined for the run of the whole process. */
export function currentRunScope(): Scope | undefined {
  const scope = currentScope()
  return scope?.run === whole.scope?.run ? undefined : scope
}

/** Returns the scope of the running code, if its run is being recorded. */
export function recordedScope(): RecordedScope | undefined {
  const scope = currentScope()
  return scope !== undefined && isRecorded(scope) ? scope : undefined
}

/** Returns the scope of the running code, if its run is a replay. */
export function answeredScope(): AnsweredScope | undefined {
  const scope = currentScope()
  return scope !== undefined && isAnswered(scope) ? scope : undefined
}

/** Returns whether a scope belongs to a run that is being recorded. */
export function isRecorded(scope: Scope): scope is RecordedScope {
  return scope.run.mode === 'record'
}

/** Returns whether a scope belongs to a replay. */
export function isAnswered(scope: Scope): scope is AnsweredScope {
  return scope.run.mode === 'replay'
}

/** Makes a run the run of the whole process: from now on, everything that is not in another run or deliberately outside belongs to it. */
export function enterProcess(scope: Scope): void {
  whole.scope = scope
}

/** Returns the scope, including below a boundary. */
export function scopeBelow(): (Scope & { readonly below: Below }) | undefined {
  const scope = readScope()
  return scope === undefined || !isBelow(scope) || scope.run.closed ? undefined : scope
}

function isBelow(scope: Scope): scope is Scope & { readonly below: Below } {
  return scope.below !== undefined
}

/** Runs `body` in a scope. */
export function runInScope<Result>(scope: ScopeIn, body: () => Result): Result {
  return storage.run(scope as Scope, body)
}

/** Runs `body` outside of every run: its reads and calls belong to no trace. */
export function runOutside<Result>(body: () => Result): Result {
  return storage.run('outside', body)
}

/** Runs a test or a hook. Its actions outside of runs belong to it. */
export function runInTest<Result>(body: () => Result): Result {
  return storage.run('test', body)
}

/** Returns whether a test or a hook runs the code, outside of every run. */
export function isInTest(): boolean {
  return storage.getStore() === 'test'
}

/**
 * Returns whether the code belongs to nothing known: no test, no open run, no boundary, and not goldenrun itself. This applies to code
 * created before any of these, such as a module's worker and timers, and to code that outlived a run.
 */
export function isLost(): boolean {
  const stored = storage.getStore() ?? whole.scope
  return stored === undefined || (typeof stored === 'object' && stored.run.closed && stored.below === undefined)
}

/**
 * Returns whether the code runs below a boundary, including one of a closed run: a pool reopens a lost connection in the context of the
 * call that had opened it.
 */
export function isBelowBoundary(): boolean {
  return readScope()?.below !== undefined
}

/** Runs `body` below a boundary of the scope's run. */
export function runBelow<Result>(scope: Scope, below: Below, body: () => Result): Result {
  return storage.run({ run: scope.run, owner: scope.owner, below } as Scope, body)
}

/** Binds `body` to the current scope. The agent's own storages have the values of the caller. */
export function bindScope<Args extends unknown[], Result>(body: (...args: Args) => Result): (...args: Args) => Result {
  const scope = storage.getStore()
  return (...args) => storage.run(scope, body, ...args)
}

/** Binds a callback to the context in which it was created, including the run and the agent's own storages. */
export function bindContext<Args extends unknown[], Result>(body: (...args: Args) => Result): (...args: Args) => Result {
  return AsyncResource.bind(body)
}

/** Returns the current context with a different scope, for later callbacks: the agent's own storages keep their current values. */
export function contextIn(scope: Scope): AsyncResource {
  return runInScope(scope, keepContext)
}

/** Returns the current context, including its scope, for later callbacks. Entering a scope for each of many calls costs ten times as much. */
export function keepContext(): AsyncResource {
  return new AsyncResource('goldenrun')
}

function readScope(): Scope | undefined {
  const stored = storage.getStore() ?? whole.scope
  return typeof stored === 'object' ? stored : undefined
}
