import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { judge } from '../../src/matchers/holds.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { live } from '../../src/run/live.ts'
import { recordRun } from './record-run.ts'
import { type Bait, startBait } from '../guard/bait.ts'
import { type WayOut, waysOut } from '../guard/ways-out.ts'

/** The world. */
export const bait: Bait = await startBait()

const { trace } = await recordRun(async () => 'done')

/** Takes a way out in a replay, and tells what the world saw of it. */
export async function takeInReplay(way: WayOut, ignores: boolean): Promise<{ readonly run: ReplayedRun; readonly caught: unknown }> {
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

/** Ways that are no step. */
export const contacts: readonly WayOut[] = waysOut.filter((way) => !isStep(way))

/** Each way that is a step, by its name. */
export const stepsCases: readonly (readonly [name: string, way: WayOut])[] = waysOut.filter(isStep).map((way) => [way.name, way] as const)

/** Tests that a replay refuses them. */
export function testSteps(cases: readonly (typeof stepsCases)[number][]): void {
  it.each(cases)('refuses a step in a replay, by its name and line, caught or not: %s', async (_name, way) => {
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
  })
}

/** Ways to the bait, not to names that nobody here knows. */
export const reachable: readonly WayOut[] = waysOut.filter((way) => way.isNowhere !== true && !way.contact(bait).startsWith('dns '))

/** Each way to the bait, by its name. */
export const declaredCases: readonly (readonly [name: string, way: WayOut])[] = reachable.map((way) => [way.name, way] as const)

/** Tests that they pass where they are declared live. */
export function testDeclared(cases: readonly (typeof declaredCases)[number][]): void {
  it.each(cases)('passes where it is declared live: %s', async (_name, way) => {
    const opened = (await way.before?.(bait)) as never
    let end: unknown
    const run = await replay(trace, async () => {
      await live('it may', async () => (end = await way.take(bait, opened).then(() => 'reached', String)))
      return 'done'
    })
    expect([run.divergences, run.outcome, end]).toEqual([[], { status: 'returned', output: 'done' }, 'reached'])
  })
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`)
}

/** Starts what the tests share, and ends it after them. */
export function setUpBait(): void {
  afterAll(() => bait[Symbol.asyncDispose]())
}
