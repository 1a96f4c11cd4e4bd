import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { ContactRefusedError } from '../../src/boundaries/contact/contact-refused-error.ts'
import { type GuardOptions, guardProcess } from '../../src/boundaries/contact/guard.ts'
import { judge } from '../../src/matchers/holds.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { live } from '../../src/run/live.ts'
import { recordRun } from '../support/record-run.ts'
import { startBait } from './bait.ts'
import { requests, type WayOut, waysOut } from './ways-out.ts'

const bait = await startBait()
afterAll(() => bait[Symbol.asyncDispose]())
const { trace } = await recordRun(async () => 'done')

/** Takes a way out in a replay, and tells what the world saw of it. */
async function takeInReplay(way: WayOut, ignores: boolean): Promise<{ readonly run: ReplayedRun; readonly caught: unknown }> {
  const opened = (await way.before?.(bait)) as never
  const before = bait.reached.length
  let caught: unknown
  const run = await replay(trace, async () => {
    try {
      await way.take(bait, opened)
    } catch (error) {
      caught = error
      if (!ignores) throw error
    }
    return 'done'
  })
  // Whatever was let through would have come by now.
  await sleep(5)
  expect(bait.reached.slice(before)).toEqual([])
  return { run, caught }
}

/** Processes, look-ups and requests over HTTP/2 are steps, so that one more is a call that the trace does not have. */
const isStep = (way: WayOut): boolean => /^(?:child process|dns|http2|websocket) /.test(way.contact(bait))
const [steps, contacts] = [waysOut.filter(isStep), waysOut.filter((way) => !isStep(way))]

it.each(steps.map((way) => [way.name, way] as const))(
  'refuses a step in a replay, by its name and line, caught or not: %s',
  async (_name, way) => {
    for (const ignores of [false, true]) {
      const { run, caught } = await takeInReplay(way, ignores)
      const name = way
        .contact(bait)
        .replace(/^child process /, 'process ')
        .replace(/^http2 /, '')
        .replace(/^websocket .*/, '$&/')
      expect(run.divergences).toMatchObject([
        {
          cause: 'unexpected-call',
          // The step of a look-up says how it looks, and its input what for.
          name: expect.stringMatching(name.startsWith('dns ') ? /^dns (lookup|resolve|reverse)\w*$/ : exactly(name)) as string,
          site: { file: expect.stringMatching(/^test\/guard\//) as string },
        },
      ])
      expect([run.outcome.status, judge(run).holds]).toEqual(['stopped', false])
      // An event hands its listener no cause.
      expect(name.startsWith('websocket ') || String(caught).includes('replay'), String(caught)).toBe(true)
    }
  },
)

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

/** Ways to the bait, not to names that nobody here knows. */
const reachable = waysOut.filter((way) => way.isNowhere !== true && !way.contact(bait).startsWith('dns '))

it.each(reachable.map((way) => [way.name, way] as const))('passes where it is declared live: %s', async (_name, way) => {
  const opened = (await way.before?.(bait)) as never
  let end: unknown
  const run = await replay(trace, async () => {
    await live('it may', async () => (end = await way.take(bait, opened).then(() => 'reached', String)))
    return 'done'
  })
  expect([run.divergences, run.outcome, end]).toEqual([[], { status: 'returned', output: 'done' }, 'reached'])
})

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

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`)
}
