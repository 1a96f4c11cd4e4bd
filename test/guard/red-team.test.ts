import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ContactRefusedError } from '../../src/boundaries/contact/contact-refused-error.ts'
import { guardProcess } from '../../src/boundaries/contact/guard.ts'
import type { GuardOptions } from '../../src/boundaries/contact/guards.ts'
import { judge } from '../../src/matchers/holds.ts'
import { requests, type WayOut, waysOut } from './ways-out.ts'
import {
  bait,
  contacts,
  declaredCases,
  reachable,
  setUpBait,
  stepsCases,
  takeInReplay,
  testDeclared,
  testSteps,
} from '../support/ways-taken.ts'

setUpBait()

testSteps(stepsCases.filter((_, index) => index % 3 === 0))

it.each(contacts.map((way) => [way.name, way] as const))(
  'refuses in a replay, by door, host and line, caught or not: %s',
  async (_name, way) => {
    for (const ignores of [false, true]) {
      const { run, caught } = await takeInReplay(way, ignores)
      expect(run.divergences).toMatchObject([
        { cause: 'unrecorded-contact', name: way.contact(bait), site: { file: expect.stringMatching(/^test\/guard\//) as string } },
      ])
      expect(run.outcome.status).toBe('stopped')
      expect(judge(run).holds).toBe(false)
      // Undici hands its caller no cause.
      expect(way.guarded !== undefined || refusalIn(caught), String(caught)).toBe(true)
    }
  },
)

it.each(requests.map((way) => [way.name, way] as const))(
  'refuses as a call that the trace does not have, caught or not: %s',
  async (_name, way) => {
    for (const ignores of [false, true]) {
      const { run, caught } = await takeInReplay(way, ignores)
      expect(run.divergences).toMatchObject([
        { cause: 'unexpected-call', name: way.contact(bait), site: { file: 'test/guard/ways-out.ts' } },
      ])
      expect([run.outcome.status, judge(run).holds, caught === undefined]).toEqual(['stopped', false, false])
    }
  },
)

it.each(waysOut.map((way) => [way.name, way] as const))(
  'is refused by a guard of the process, which keeps it in its ledger: %s',
  async (_name, way) => {
    const opened = (await way.before?.(bait)) as never
    const before = bait.reached.length
    const { caught, ledger } = await takeGuarded(way, opened, {})
    await sleep(5)
    expect([...new Set(ledger.map(printRefused))]).toEqual([way.guarded?.(bait) ?? `${way.contact(bait)} at test/guard/`])
    expect(bait.reached.slice(before)).toEqual([])
    // Undici hands its caller no cause: the ledger knows.
    expect(way.guarded !== undefined || refusalIn(caught), String(caught)).toBe(true)
  },
)

testDeclared(declaredCases.filter((_, index) => index % 3 === 0))

const onLoopback = reachable.filter((way) => way.contact(bait).includes('127.0.0.1'))

it.each(onLoopback.map((way) => [way.name, way] as const))('passes a guard where its host is declared live: %s', async (_name, way) => {
  const opened = (await way.before?.(bait)) as never
  expect(await takeGuarded(way, opened, { live: ['localhost'] })).toEqual({ caught: undefined, ledger: [] })
})

/** Takes a way out under a guard of the process, outside of every run. */
async function takeGuarded(
  way: WayOut,
  opened: never,
  options: GuardOptions,
): Promise<{ readonly caught: unknown; readonly ledger: ContactRefusedError[] }> {
  const ledger: ContactRefusedError[] = []
  const release = guardProcess({ ...options, onRefused: (error) => ledger.push(error) })
  try {
    await way.take(bait, opened)
    return { caught: undefined, ledger }
  } catch (caught) {
    return { caught, ledger }
  } finally {
    release()
  }
}

function printRefused({ door, host, site }: ContactRefusedError): string {
  return `${door} ${host}${site === undefined ? '' : ` at ${site.file.replace(/[\w-]+\.ts$/, '')}`}`
}

function refusalIn(error: unknown): boolean {
  if (ContactRefusedError.isInstance(error)) return true
  if (Array.isArray(error)) return error.some(refusalIn)
  if (error instanceof Event) return refusalIn((error as ErrorEvent).error)
  return error instanceof Error && refusalIn(error.cause)
}
