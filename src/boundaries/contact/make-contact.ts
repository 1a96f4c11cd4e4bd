import type { AnsweredRun } from '../../run/active-run.ts'
import { processWide } from '../../node/process-wide.ts'
import { currentScope, type Scope, scopeBelow } from '../../run/scope.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { Contact } from './contact.ts'
import { isGuardedHere, refuseOutside } from './guards.ts'
import { noteContact } from './noted-contacts.ts'

/** A contact that was refused. */
export interface Refusal {
  readonly error: Error
  /**
   * Calls `deliver` in a later turn of the event loop: refused in microtasks, an agent that catches everything and tries again would never let
   * the process go on. Never calls it once the replay has ended.
   */
  later(deliver: () => void): void
}

// The contact that is being made right now: what Node calls for it (a connection looks its host up) is part of it.
const underWay = processWide<{ contact: Contact | undefined }>('contact-under-way', () => ({ contact: undefined }))

/** The contact that the calling code is part of, if any. */
export function contactUnderWay(): Contact | undefined {
  return underWay.contact
}

/** Whether contacts go straight through here: outside of every run, below a boundary, or declared live; and no guard is on. */
export function isFree(): boolean {
  return currentScope() === undefined && !isGuarded()
}

/**
 * What becomes of a contact. It goes straight through where it is no run's; in a run that is recorded it goes through too, and the trace has a
 * note of it; in a replay it is refused.
 *
 * @param describe Called only where somebody asks.
 * @param go Makes the contact; given the scope where it is that of a recorded run.
 * @param refuse Fails as the door fails in life. What it does for that is met by no door.
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
    const refusal = refusalOf(run, run.refuseContact(owner, contact.door, contact.host))
    return within(contact, () => refuse(refusal))
  }
  // In the body of a step it is the step that a replay answers.
  if (owner === 0) noteContact(run, contact)
  return within(contact, () => go(scope))
}

/** Runs what goldenrun does for itself, and is done at once: no run's contact, and no guard's business. */
export function asOwnWork<Result>(body: () => Result): Result {
  return within({ door: 'goldenrun', host: 'itself' }, body)
}

function guard<Result>(contact: Contact, go: () => Result, refuse: (refusal: Refusal) => Result): Result {
  const error = refuseOutside(contact)
  const later = (deliver: () => void): void => void realTimers.setImmediate(deliver)
  return within(contact, () => (error === undefined ? go() : refuse({ error, later })))
}

/** Whether a contact that is made here, outside of every run, is a guard's business: not what lies below a run's boundary. */
function isGuarded(): boolean {
  return isGuardedHere() && scopeBelow() === undefined
}

function within<Result>(contact: Contact, go: () => Result): Result {
  underWay.contact = contact
  try {
    return go()
  } finally {
    underWay.contact = undefined
  }
}

function refusalOf(run: AnsweredRun, error: Error): Refusal {
  return {
    error,
    later(deliver) {
      const release = run.busy()
      realTimers.setImmediate(() => {
        if (run.ended) return
        release()
        deliver()
      })
    },
  }
}
