import { performance } from 'node:perf_hooks'
import { COUNTING, countCollections } from './count-collections.ts'
import type { Kind, Sample } from './figures.ts'
import type { Samples } from './judge.ts'
import type { Build, Builds } from './prepare-builds.ts'
import { runNode } from './run-node.ts'
import { measureGoldenFile } from './workloads/golden-file.ts'

/** How much is measured. */
export interface Size {
  /** Processes of each build whose bytes are counted. */
  readonly bytesPairs: number
  /** Pairs of processes whose times are measured. */
  readonly timesPairs: number
  /** No further pair is timed after a workload has taken this many seconds, once it has the fewest: a busy machine gets fewer pairs, not a longer fence. */
  readonly seconds: number
  readonly fewestPairs: number
}

/** The workloads, in the order of the table: all that `workload-program.ts` knows, and a golden file in Vitest. */
export const WORKLOADS: readonly string[] = [
  'replayed-step',
  'streamed-step',
  'conversation',
  'recorded-call',
  'recorded-stream',
  'recorded-100k',
  'import',
  'golden-file',
]

/**
 * Measures a workload with both builds. The two processes of a pair run at the same time, so that both meet the same load of the machine; which one is
 * started first changes from pair to pair. One after the other, pairs of recorded calls differ twice as much on a busy machine.
 */
export async function takeSamples(workload: string, builds: Builds, provider: string, size: Size): Promise<Record<Kind, Samples>> {
  const setting = { programs: builds.programs, provider }
  const takePair = async (kind: Kind, pair: number): Promise<Pair> => {
    const reference = (): Promise<Sample> => takeSample(workload, builds.reference, kind, setting)
    const here = (): Promise<Sample> => takeSample(workload, builds.here, kind, setting)
    if (pair % 2 === 0) return await Promise.all([reference(), here()])
    const [ofHere, ofReference] = await Promise.all([here(), reference()])
    return [ofReference, ofHere]
  }
  const bytes: Pair[] = []
  for (let pair = 0; pair < size.bytesPairs; pair += 1) bytes.push(await takePair('bytes', pair))
  const times: Pair[] = []
  const end = performance.now() + size.seconds * 1000
  for (let pair = 0; pair < size.timesPairs && (pair < size.fewestPairs || performance.now() < end); pair += 1) {
    times.push(await takePair('times', pair))
  }
  return { bytes: toSamples(bytes), times: toSamples(times) }
}

type Pair = readonly [reference: Sample, here: Sample]

function toSamples(pairs: readonly Pair[]): Samples {
  return { reference: pairs.map(([reference]) => reference), here: pairs.map(([, here]) => here) }
}

interface Setting {
  readonly programs: string
  readonly provider: string
}

async function takeSample(workload: string, build: Build, kind: Kind, setting: Setting): Promise<Sample> {
  const { sample, output } =
    workload === 'golden-file' ? await measureGoldenFile(build, kind) : await runProgram(workload, build, kind, setting)
  const collections = countCollections(output)
  if (collections === 0) return sample
  throw new Error(
    `The bytes of ${workload} cannot be counted: V8 collected garbage ${collections} times in a process that has to have room for all of it. ` +
      'Make the workload smaller: less than 1 GB of objects, and less than 64 MB outside of the heap.',
  )
}

async function runProgram(
  workload: string,
  { folder, installed }: Build,
  kind: Kind,
  { programs, provider }: Setting,
): Promise<{ readonly sample: Sample; readonly output: string }> {
  const program = [`${programs}/workload-program.js`, workload, kind, installed, provider]
  const { stdout, output } = await runNode([...(kind === 'bytes' ? COUNTING : []), ...program], { cwd: folder })
  // V8's lines about collections come before it.
  const told = stdout.trim().split('\n').at(-1) ?? ''
  return { sample: JSON.parse(told) as Sample, output }
}
