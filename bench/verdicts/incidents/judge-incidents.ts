import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRecorder } from 'goldenrun'
import { listTraces, readTrace } from 'goldenrun/replay'
import { judgeGolden } from '../../../src/matchers/judge-golden.ts'
import { preparePromotion } from '../../../src/replay/goldens/promotion.ts'
import { expectDeparture } from '../../../src/replay/goldens/promotion/expect-departure.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { untilWatched } from '../record-scenes.ts'
import { askedTwice } from './asked-twice.ts'
import { crash } from './crash.ts'
import { doubleRefund, doubleRefundInTool } from './double-refund.ts'
import type { Expected, Incident, Variant, Way } from './incident.ts'
import { searchLoop } from './search-loop.ts'
import { startWorld, type World } from './world.ts'
import { wrongAmount, wrongTool } from './wrong-write.ts'

/** All incidents. */
export const INCIDENTS: readonly Incident[] = [doubleRefund, doubleRefundInTool, askedTwice, searchLoop, wrongTool, wrongAmount, crash]

/** An incident golden's verdict on an agent, and the expected one. */
export interface JudgedVariant {
  readonly incident: string
  readonly way: string
  readonly variant: string
  readonly expected: Expected
  /** `held`, or why it does not hold. */
  readonly seen: string
}

/** Records an incident, promotes it in each way, and runs each of its agents against it. */
export async function judgeIncident(incident: Incident): Promise<JudgedVariant[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-incident-'))
  const world = await startWorld(incident.script)
  try {
    const trace = await record(incident, world, folder)
    const judged: JudgedVariant[] = []
    for (const way of incident.ways) {
      const golden = await promoteIn(trace, way, folder)
      for (const variant of incident.variants) judged.push(await judgeVariant(incident, way, variant, golden, world))
    }
    return judged
  } finally {
    await world.close().catch(() => undefined)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function record({ input, original }: Incident, world: World, folder: string): Promise<Trace> {
  const store = path.join(folder, 'runs')
  const recorder = createRecorder({ store })
  await recorder.run({ agent: 'desk', input }, original(world) as (given: unknown) => Promise<unknown>).catch(() => undefined)
  await untilWatched(recorder)
  await recorder.close()
  await world.close()
  const [run] = await listTraces({ store })
  if (run === undefined) throw new Error('The incident was not recorded.')
  return readTrace(run.id, { store })
}

async function promoteIn(trace: Trace, { name, promote }: Way, folder: string): Promise<Trace> {
  const expect = expectDeparture(trace, promote(trace))
  return (await preparePromotion(trace, { name: name.replaceAll(' ', '-'), expect, directory: path.join(folder, 'golden-traces') })).trace
}

async function judgeVariant({ name }: Incident, way: Way, variant: Variant, golden: Trace, world: World): Promise<JudgedVariant> {
  const { verdict } = await judgeGolden(golden, variant.agent(world))
  const expected = typeof variant.expect === 'string' ? variant.expect : variant.expect[way.name]
  if (expected === undefined) throw new Error(`There is no expected verdict for "${variant.name}" in "${way.name}".`)
  return { incident: name, way: way.name, variant: variant.name, expected, seen: verdict.holds ? 'held' : verdict.why }
}

/** Held, although the incident can happen again, or nobody can tell. */
export function isFalseHold({ expected, seen }: JudgedVariant): boolean {
  return expected !== 'holds' && seen === 'held'
}

/** Red, although the incident can no longer happen; or called wrong where nobody can tell. */
export function isFalseRed({ expected, seen }: JudgedVariant): boolean {
  return (expected === 'holds' && seen !== 'held') || (expected === 'cannot tell' && seen !== 'not exercised' && seen !== 'held')
}
