import type { ChildProcess } from 'node:child_process'
import { types } from 'node:util'
import { builtins } from '../../node/builtins.ts'
import { processWide } from '../../node/process-wide.ts'
import { realProcess } from '../../node/real-process.ts'
import { callSite, captureTrail } from '../../run/call-site.ts'
import { currentScope, isRecorded, scopeBelow } from '../../run/scope.ts'
import { knownPreambles } from '../../run/sessions.ts'
import type { Contact } from '../contact/contact.ts'
import { ContactRefusedError } from '../contact/contact-refused-error.ts'
import { failToSpawn } from '../contact/fail-to-spawn.ts'
import { isGuardedHere } from '../contact/guards.ts'
import { claimSocket, isAttended, markOpened } from '../contact/known-sockets.ts'
import { asOwnWork, contactUnderWay, isFree, makeContact, type Refusal, throwRefusal } from '../contact/make-contact.ts'
import { countChild, rememberChild } from '../native/started-children.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { shortestLimit } from '../time-limit.ts'
import { answerChild } from './answer-child.ts'
import { answerSession } from './answer-session.ts'
import { ChildDouble } from './child-double.ts'
import { describeProcess, describeSyncProcess, type SpawnOptions } from './describe-process.ts'
import { FollowedChild } from './follow-child.ts'
import { limitDoor, limitOfProcess, optionsOf } from './limited-exec.ts'
import { programName } from './program-name.ts'

type Spawn = (this: ChildProcess, options: SpawnOptions) => unknown
type Run = (...args: never[]) => unknown

/**
 * Child processes. `spawn`, `exec`, `execFile` and `fork` all call `ChildProcess.prototype.spawn`, however they were imported. The
 * synchronous functions have no common method, so each of them is replaced.
 */
export function childProcessDoor(): Restore {
  const { ChildProcess } = builtins.childProcess
  const prototype = ChildProcess.prototype as ChildProcess & { spawn: Spawn }
  meetChildren(ChildProcess)
  return combine(
    replaceProperty(prototype, 'spawn', spawnDoor),
    replaceProperty(builtins.childProcess, 'exec', limitDoor),
    replaceProperty(builtins.childProcess, 'execFile', limitDoor),
    replaceProperty(builtins.childProcess, 'spawnSync', (original) => syncDoor(original, false, failedResult)),
    replaceProperty(builtins.childProcess, 'execFileSync', (original) => syncDoor(original, false, throwRefusal)),
    replaceProperty(builtins.childProcess, 'execSync', (original) => syncDoor(original, true, throwRefusal)),
  )
}

function spawnDoor(original: Spawn): Spawn {
  return function spawn(options) {
    const go = (given: SpawnOptions): unknown => {
      countChild()
      const status = original.call(this, given)
      rememberChild(this)
      return status
    }
    const scope = contactUnderWay() === undefined ? currentScope() : undefined
    if (scope === undefined) return isFree() ? startOutside(this, go, options) : startGuarded(this, go, options)
    const described = describeProcess(options)
    const { name, input, program } = described
    if (isRecorded(scope)) {
      const sink = scope.run.captureProcess({ owner: scope.owner, name, input, limit: limitOfProcess(options.timeout) })
      const status = go(options)
      new FollowedChild(this, () => described, { scope, sink }).follow()
      return status
    }
    if (scope.run.live.includes(program)) return startAsContact(this, go, options, program)
    const preambles = scope.run.sessions.preamblesOf({ name, input })
    if (preambles.length === 0) return answerChild(this, go, options, described, scope)
    return answerSession(new ChildDouble(this, go, options), described, preambles)
  }
}

/** Outside of every run, a process matters only if it turns out to be a session's server. */
function startOutside(child: ChildProcess, go: (options: SpawnOptions) => unknown, options: SpawnOptions): unknown {
  // Node modifies the options in place.
  const asked = { ...options }
  const status = go(options)
  if (contactUnderWay() !== undefined) return status
  claimChild(child, { door: 'child process', host: programName(String(options.file)) })
  if (child.stdin !== null && child.stdin !== undefined) new FollowedChild(child, () => describeProcess(asked)).follow()
  return status
}

/** Opens a session from the recordings that the process knows; refuses other processes. */
function startGuarded(child: ChildProcess, go: (options: SpawnOptions) => unknown, options: SpawnOptions): unknown {
  if (contactUnderWay() !== undefined || scopeBelow() !== undefined) return startOutside(child, go, options)
  const described = describeProcess(options)
  const preambles = isGuardedHere() ? knownPreambles({ name: described.name, input: described.input }) : []
  if (preambles.length === 0) return startAsContact(child, go, options, described.program)
  return answerSession(new ChildDouble(child, go, options), described, preambles)
}

function startAsContact(child: ChildProcess, go: (options: SpawnOptions) => unknown, options: SpawnOptions, host: string): unknown {
  const contact: Contact = { door: 'child process', host }
  return makeContact(
    () => contact,
    () => {
      const status = go(options)
      claimChild(child, contact)
      return status
    },
    (refusal) => failToSpawn(child, go, options, refusal),
  )
}

/** Later writes to a child belong to the same contact. There are no streams if spawning failed. */
function claimChild(child: ChildProcess, contact: Contact): void {
  const { stdio }: { readonly stdio?: ChildProcess['stdio'] } = child
  for (const stream of stdio ?? []) if (stream !== null && stream !== undefined && !markOpened(stream)) claimSocket(stream, contact)
  openChannel(child, contact)
}

/** Handles children that were forked before any door was opened. */
function meetChildren(Child: typeof ChildProcess): void {
  const { _getActiveHandles: handles } = realProcess() as { readonly _getActiveHandles?: () => unknown[] }
  for (const handle of handles?.() ?? [])
    if (handle instanceof Child) openChannel(handle, { door: 'child process', host: programName(handle.spawnfile) })
}

// A child is handled once, by the first copy of the package and the first opening of the doors.
const met = processWide('met-children', () => new WeakSet<ChildProcess>())

/** A forked child has its own `send`. */
function openChannel(child: ChildProcess, contact: Contact): void {
  if (met.has(child) || typeof Object.getOwnPropertyDescriptor(child, 'send')?.value !== 'function') return
  met.add(child)
  if (!markOpened(child)) claimSocket(child, contact)
  replaceProperty(child, 'send', (original) => {
    return function send(this: ChildProcess, ...args: Parameters<typeof original>) {
      const go = (): boolean => Reflect.apply(original, this, args)
      if (isFree() || isAttended(child)) return go()
      return makeContact(
        () => contact,
        go,
        ({ error, later }) => {
          const callback = args.at(-1)
          later(() => (typeof callback === 'function' ? Reflect.apply(callback, undefined, [error]) : child.emit('error', error)))
          return false
        },
      )
    } as typeof original
  })
}

/** A function that waits for a process; in a run it is a step, like any other function. */
function syncDoor<Original extends Run>(original: Original, isCommand: boolean, refuse: (refusal: Refusal) => unknown): Original {
  return new Proxy(original, {
    apply(target, self: never, args: unknown[]) {
      const run = (): unknown => {
        countChild()
        return Reflect.apply(target, self, args) as unknown
      }
      const go = (): unknown => asOwnWork(run)
      if (contactUnderWay() !== undefined) return run()
      const scope = currentScope()
      if (scope === undefined && isFree()) return go()
      const described = describeSyncProcess(args, isCommand, countSync(scope?.run))
      const { name, input, program } = described
      const isStep = scope !== undefined && (isRecorded(scope) || !scope.run.live.includes(program))
      if (!isStep) return makeContact(() => ({ door: 'child process', host: program }), go, refuse)
      const limit = shortestLimit(optionsOf(args).timeout)
      const call = { boundary: 'external', name, input, ...(limit !== undefined && { limit }), owner: scope.owner, errors: [] } as const
      const result = isRecorded(scope) ? scope.run.callFunction(call, go) : withBuffers(() => scope.run.callFunction(call, go))
      if (!types.isPromise(result)) return result
      // It is not a recorded process, and the verdict reports it; a synchronous function cannot wait for the verdict.
      const error = new ContactRefusedError({ door: 'child process', host: program }, 'replay', callSite(captureTrail().stack))
      return refuse({ error, later: () => undefined })
    },
  })
}

const syncs = processWide('sync-processes', () => new WeakMap<object, number>())

function countSync(run: object | undefined): number {
  const count = run === undefined ? 0 : (syncs.get(run) ?? 0) + 1
  if (run !== undefined) syncs.set(run, count)
  return count
}

/** Recorded errors hold bytes; Node's errors hold buffers. */
function withBuffers<Result>(call: () => Result): Result {
  try {
    return call()
  } catch (error) {
    if (typeof error === 'object' && error !== null)
      for (const [key, value] of Object.entries(error))
        Reflect.set(error, key, Array.isArray(value) ? value.map(toBuffer) : toBuffer(value))
    throw error
  }
}

function toBuffer(value: unknown): unknown {
  return types.isUint8Array(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
}

/** Returns the result of `spawnSync` for a command that could not be run. */
function failedResult({ error }: Refusal): object {
  return { pid: 0, output: null, stdout: undefined, stderr: undefined, status: null, signal: null, error }
}
