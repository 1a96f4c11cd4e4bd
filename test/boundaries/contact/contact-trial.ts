import { expect } from 'vitest'
import { ContactRefusedError } from '../../../src/boundaries/contact/contact-refused-error.ts'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import type { ReplayedRun } from '../../../src/replay/contract/replayed-run.ts'
import { live } from '../../../src/run/live.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'

/** What an agent that catches everything got in a replay. */
export interface Refused {
  readonly run: ReplayedRun
  readonly error: unknown
}

/**
 * Lets an agent make a contact in every way: outside of a run with the doors open, recorded, replayed, replayed by an agent that catches
 * everything, and declared live. Expects it to come to the same wherever it may, to be noted once, and to be refused in a replay.
 *
 * @param output What the agent gets where nobody is in its way.
 * @returns The contact as the trace notes it: `tcp 127.0.0.1:5432`.
 */
export async function tryContact<Output>(agent: () => Promise<Output>, output: Output): Promise<string | undefined> {
  const release = installDoors()
  try {
    expect(await agent(), 'outside of a run').toEqual(output)
  } finally {
    release()
  }
  const recorded = await recordRun(agent)
  expect(recorded.output, 'recorded').toEqual(output)
  const [contact, ...others] = contactsIn(recorded.trace)
  expect(others).toEqual([])

  expect(refusedContact(await replay(recorded.trace, agent))).toBe(contact)
  const { run, error } = await replayCatching(recorded.trace, agent)
  expect(refusedContact(run)).toBe(contact)
  expect(ContactRefusedError.isInstance(error), String(error)).toBe(true)
  expect(`${(error as ContactRefusedError).door} ${(error as ContactRefusedError).host}`).toBe(contact)

  const declared = (): Promise<Output> => live('it may', agent)
  const liveRecorded = await recordRun(declared)
  expect(contactsIn(liveRecorded.trace)).toEqual([])
  const liveRun = await replay(liveRecorded.trace, declared)
  expect([liveRun.outcome, liveRun.divergences]).toEqual([{ status: 'returned', output }, []])
  return contact
}

/** The contacts that a trace notes, without their call sites, which all have to be in these tests. */
export function contactsIn(trace: Parameters<typeof rowsOf>[0]): string[] {
  const notes = rowsOf(trace, 'note').filter(({ what }) => what === 'unrecorded-contact')
  return notes.map(({ where }) => {
    expect(where).toMatch(/ at test\/boundaries\/contact\/[\w.-]+\.ts:\d+:\d+$/)
    return where.replace(/ at \S+$/, '')
  })
}

/** Replays an agent that catches whatever it gets and returns all the same. */
export async function replayCatching(trace: Parameters<typeof replay>[0], agent: () => Promise<unknown>): Promise<Refused> {
  let error: unknown
  const run = await replay(trace, async () => {
    try {
      return await agent()
    } catch (caught) {
      error = refusalIn(caught)
      return 'caught'
    }
  })
  return { run, error }
}

/** The contact that a replay was stopped by, and by nothing else. */
export function refusedContact(run: ReplayedRun): string | undefined {
  const site = { file: expect.stringMatching(/^test\/boundaries\/contact\//) as string }
  expect(run.divergences).toMatchObject([{ cause: 'unrecorded-contact', site }])
  expect(run.outcome).toEqual({ status: 'stopped', divergence: run.divergences[0] })
  return run.divergences[0]?.name
}

/** Clients wrap what they get. */
function refusalIn(error: unknown): unknown {
  const inner: unknown = error instanceof Error && !ContactRefusedError.isInstance(error) ? error.cause : undefined
  return inner === undefined ? error : refusalIn(inner)
}
