/**
 * Proves that the fence sees what it has to see, and nothing else: `npm run test:full -- fence [--only <proof>] [--times <count>]`. It slows this tree's
 * build down on purpose and holds it against the build without that change, ten times each, and holds a build against itself twenty times. Prints a
 * line for each time, with the machine's load.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { bringRowCheckUpToDate } from '../../scripts/write-row-check.ts'
import { buildPackage } from '../../test/support/build-package.ts'
import { buildPatched, type Patch } from './build-patched.ts'
import { type HoldOptions, openFence, SIZES } from './hold.ts'
import type { Judged } from './judge.ts'
import { type Allowed, readReference, type Reference } from './reference.ts'
import { WORKLOADS } from './take-samples.ts'

interface Proof extends Pick<HoldOptions, 'workloads' | 'length' | 'size'> {
  readonly title: string
  readonly times: number
  /** The change, which has to be red. Default: none, and a red build is a false alarm. */
  readonly patch?: () => Promise<Patch>
}

const proofs: Readonly<Record<string, Proof>> = {
  bytes: {
    title: 'a replayed step that allocates 6 % more',
    workloads: ['replayed-step'],
    length: 'short',
    size: { ...SIZES.short, timesPairs: 0 },
    times: 10,
    patch: allocateInSteps,
  },
  cpu: {
    title: 'a recorded call that takes 30 % more CPU time',
    workloads: ['recorded-call'],
    length: 'short',
    size: { ...SIZES.short, bytesPairs: 0 },
    times: 10,
    patch: () => countInCalls(0.3),
  },
  'cpu-long': {
    title: 'a recorded call that takes 20 % more CPU time, with --long',
    workloads: ['recorded-call'],
    length: 'long',
    size: { ...SIZES.long, bytesPairs: 0 },
    times: 10,
    patch: () => countInCalls(0.2),
  },
  same: { title: 'the same build', workloads: WORKLOADS, length: 'short', times: 20 },
}

const { values } = parseArgs({ options: { only: { type: 'string' }, times: { type: 'string' } } })
/** The limits of equal builds: `bench/reference.json` allows more where a change had to cost more than the reference. */
const allowed = mapFigures((await readReference()).allowed, (limit) => (typeof limit === 'number' ? 1.05 : { short: 1.15, long: 1.05 }))
bringRowCheckUpToDate()
const reference = await buildPackage()
for (const [name, proof] of Object.entries(proofs)) {
  if (values.only === undefined || values.only === name) await prove(proof)
}

function mapFigures(limits: Reference['allowed'], map: (limit: Allowed) => Allowed): Reference['allowed'] {
  const each = Object.entries(limits).map(([workload, figures]) => {
    const mapped = Object.entries(figures).map(([figure, limit]) => [figure, map(limit)] as const)
    return [workload, Object.fromEntries(mapped)] as const
  })
  return Object.fromEntries(each)
}

async function prove({ title, times, patch, ...options }: Proof): Promise<void> {
  await using patched = patch && (await buildPatched(await patch()))
  await using fence = await openFence({ reference, here: patched?.folder ?? reference })
  const count = Number(values.times ?? times)
  let right = 0
  for (let time = 1; time <= count; time += 1) {
    const judged = await fence.hold({ ...options, allowed, note: () => undefined })
    const isRed = judged.some((each) => each.isRed)
    if (isRed === (patch !== undefined)) right += 1
    console.log(`${title}, ${time} of ${count}: ${isRed ? 'red' : 'green'}; ${describe(judged)}; load ${loadavg()[0]?.toFixed(1)}`)
  }
  console.log(`${title}: ${patch === undefined ? 'green' : 'red'} ${right} of ${count} times`)
  if (right < count) process.exitCode = 1
}

/** Names the figure that is nearest to its limit, or furthest beyond it. */
function describe(judged: readonly Judged[]): string {
  const excess = ({ atLeast, allowed: most = Infinity }: Judged): number => atLeast / most
  const [worst] = judged.toSorted((one, other) => excess(other) - excess(one))
  return worst === undefined
    ? 'nothing was measured'
    : `${worst.workload} ${worst.figure} ${worst.ratio.toFixed(3)}, at least ${worst.atLeast.toFixed(3)}`
}

/** Allocates 6 % of what a step allocates without it. */
async function allocateInSteps(): Promise<Patch> {
  await using fence = await openFence({ reference, here: reference })
  const size = { ...SIZES.short, bytesPairs: 1, timesPairs: 0 }
  const [judged] = await fence.hold({ workloads: ['replayed-step'], length: 'short', size, allowed, note: () => undefined })
  if (judged?.figure !== 'agentsBytes') throw new Error('The bytes of a replayed step were not measured.')
  return {
    file: 'src/replay/judge/call-judge.ts',
    after: '  hear(call: ReplayCall): void {',
    insert: `    globalThis.wasted = new Array(${Math.round((judged.reference * 0.06) / 8)}).fill(0)`,
  }
}

/**
 * Keeps the agents' thread busy in each call, for a share of the CPU time that a call takes without it. How many counts that is, is measured as the fence
 * measures: with a first number of them.
 */
async function countInCalls(share: number): Promise<Patch> {
  const first = 45_000
  await using patched = await buildPatched(countInCall(first))
  await using fence = await openFence({ reference, here: patched.folder })
  const size = { bytesPairs: 0, timesPairs: 40, fewestPairs: 40, seconds: Infinity }
  const judged = await fence.hold({ workloads: ['recorded-call'], length: 'short', size, allowed, note: () => undefined })
  const call = judged.find(({ figure }) => figure === 'agentsCpu')
  if (call === undefined || call.ratio <= 1.05)
    throw new Error('Counting does not slow down a recorded call: choose a larger first number.')
  const counts = Math.round((first * share) / (call.ratio - 1))
  console.log(`${first} counts make a recorded call ${call.ratio.toFixed(3)} times as slow: ${counts} are inserted.`)
  return countInCall(counts)
}

function countInCall(counts: number): Patch {
  return {
    file: 'src/boundaries/http/capture-dispatch.ts',
    after: '  const { run, owner, below } = scope',
    insert: `  let sum = 0\n  for (let count = 0; count < ${counts}; count += 1) sum = (sum + count) % 1000003\n  globalThis.counted = sum`,
  }
}
