import type { AnsweredRun, RecordedRun } from '../../run/active-run.ts'
import { processWide } from '../../node/process-wide.ts'
import { currentScope, isBelowBoundary, type Scope } from '../../run/scope.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { Contact } from './contact.ts'
import { isGuardedHere, refuseOutside } from './guards.ts'
import { callSite, captureTrail, printCallSite } from '../../run/call-site.ts'
import type { TcpSocketConnectOpts } from 'node:net'
import { knownOrMade } from '../../trace/remember.ts'

/** A refused contact. */
export interface Refusal {
  readonly error: Error
  /**
   * Calls `deliver` in a later turn of the event loop: with refusals in microtasks, an agent that catches everything and retries would block
   * the process forever. Never calls it once the replay has ended.
   */
  later(deliver: () => void): void
}

// The contact that is being made: calls that Node makes for it (looking up a connection's host) are part of it.
const underWay = processWide<{ contact: Contact | undefined }>('contact-under-way', () => ({ contact: undefined }))

/** The contact that the calling code is part of, if any. */
export function contactUnderWay(): Contact | undefined {
  return underWay.contact
}

/** Whether contacts pass freely here: no guard applies, and the code is outside of every run, below a boundary, or declared live. */
export function isFree(): boolean {
  return currentScope() === undefined && !isGuarded()
}

/**
 * Handles a contact. Outside of runs it passes; a recorded run lets it pass and notes it in the trace; a replay refuses it.
 *
 * @param describe Called only if needed.
 * @param go Makes the contact; gets the scope of a recorded run.
 * @param refuse Fails like the real operation. Its own calls pass all doors.
 */
export function makeContact<Result>(describe: () => Contact, go: (scope?: Scope) => Result, refuse: (refusal: Refusal) => Result): Result {
  if (underWay.contact !== undefined) return go()
  const scope = currentScope()
  if (scope === undefined) return isGuarded() ? guard(describe(), go, refuse) : go()
  const contact = describe()
  const { run, owner } = scope
  if (run.mode === 'replay' && run.live.includes(contact.host)) {
    run.live.note()
    return within(contact, () => go())
  }
  if (run.mode === 'replay') {
    const error = run.refuseContact(owner, contact.door, contact.host)
    return within(contact, () => refuse({ error, later: (deliver) => inLaterTurn(run, deliver) }))
  }
  // In the body of a step, the replay answers the whole step.
  if (owner === 0) noteContact(run, contact)
  return within(contact, () => go(scope))
}

/**
 * Wraps a function so that every call is a contact. Its own properties are kept.
 *
 * @param describe Called only if needed.
 * @param refuse Fails like the function.
 */
export function contactFunction<Original extends (...args: never[]) => unknown>(
  original: Original,
  describe: (args: readonly unknown[], self: never) => Contact,
  refuse: (refusal: Refusal, args: readonly unknown[], self: never) => unknown,
): Original {
  return new Proxy(original, {
    apply: (target, self: never, args: unknown[]) =>
      makeContact<unknown>(
        () => describe(args, self),
        () => Reflect.apply(target, self, args),
        (refusal) => refuse(refusal, args, self),
      ),
  })
}

/** Refuses a contact for a function that throws its errors. */
export function throwRefusal({ error }: Refusal): never {
  throw error
}

/** Runs goldenrun's own synchronous work, which is neither a run's contact nor guarded. */
export function asOwnWork<Result>(body: () => Result): Result {
  return within({ door: 'goldenrun', host: 'itself' }, body)
}

function guard<Result>(contact: Contact, go: () => Result, refuse: (refusal: Refusal) => Result): Result {
  const error = refuseOutside(contact)
  const later = (deliver: () => void): void => void realTimers.setImmediate(deliver)
  return within(contact, () => (error === undefined ? go() : refuse({ error, later })))
}

/** Whether a contact made here, outside of every run, is guarded. Below a run's boundary it is not. */
function isGuarded(): boolean {
  return isGuardedHere() && !isBelowBoundary()
}

function within<Result>(contact: Contact, go: () => Result): Result {
  underWay.contact = contact
  try {
    return go()
  } finally {
    underWay.contact = undefined
  }
}

/** Calls `deliver` in a later turn of the event loop, for which the run waits. Never calls it once the replay has ended. */
export function inLaterTurn(run: AnsweredRun, deliver: () => void): void {
  const release = run.busy()
  realTimers.setImmediate(() => {
    if (run.ended) return
    release()
    deliver()
  })
}

const noted = processWide('noted-contacts', () => new WeakMap<RecordedRun, Set<string>>())

/** Notes a contact in a run's trace, once for each door and host, with the line of the agent that made it first. */
export function noteContact(run: RecordedRun, { door, host }: Contact): void {
  const name = `${door} ${host}`
  const known = knownOrMade(noted, run, () => new Set())
  if (known.has(name)) return
  known.add(name)
  const site = callSite(captureTrail().stack)
  run.note('unrecorded-contact', site === undefined ? name : `${name} at ${printCallSite(site)}`)
}

/** A target whose lookup fails with the refusal's error; Node does the rest. */
export function failingTarget({ error, later }: Refusal): TcpSocketConnectOpts {
  return { host: 'refused', port: 1, lookup: (_host, _options, callback) => later(() => callback(error, '')) }
}
