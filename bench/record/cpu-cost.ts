import { locateNode } from '../../scripts/locate-node.ts'
import type { Measured, Metric } from '../figures.ts'
import { median, upperBound } from '../rounds.ts'
import type { Name } from './contestants.ts'
import { ContestantProcess, type RoundTimes } from './contestant-process.ts'
import type { Sizes } from './sizes.ts'
import type { Workload } from './workload.ts'

/** The contestants of every round, those measured only now and then, and those that also have to be installed. */
const FIRST: readonly Name[] = ['none', 'goldenrun', 'hook']
const OTHERS: readonly Name[] = ['scope', 'tee']
const INSTALLED: readonly Name[] = ['interceptors', 'aiSdk', 'otel']

/** The contestant that each is compared with, unless that is the same calls with no recording. */
const BASES: Partial<Readonly<Record<Name, Name>>> = { otel: 'aiSdk' }

/** Descriptions of some contestants. */
const WORDS: Partial<Readonly<Record<Name, string>>> = {
  none: 'no recording',
  aiSdk: 'the AI SDK without telemetry',
}

/** The upper limit, relative to the main thread's time with no recording. */
const GOAL = 1.15

/** The number of calls in a run. */
const CALLS = 5

/**
 * Measures what recording takes of the agents' thread and of the process.
 *
 * @param isInstalled Whether the contestants that have to be installed are there.
 */
export async function measureCpu(
  note: (line: string) => void,
  port: number,
  sizes: Sizes,
  isInstalled: boolean,
): Promise<Record<string, Metric>> {
  return await measureOn('', note, port, sizes, [...FIRST, ...OTHERS, ...(isInstalled ? INSTALLED : [])])
}

/** Measures the same on the oldest supported Node, with only one other contestant: knowing which run a call belongs to, which costs something there. */
export async function measureCpuOnOldest(note: (line: string) => void, port: number, sizes: Sizes): Promise<Measured> {
  if (sizes.oldest === undefined) {
    return { metrics: {}, absences: { cpu_node22: 'a quick run downloads no other Node' } }
  }
  const { path, version } = locateNode(sizes.oldest)
  note(`Node ${version}.`)
  return {
    metrics: await measureOn(
      `_node${sizes.oldest}`,
      note,
      port,
      { ...sizes, blocks: Math.ceil(sizes.blocks / 2) },
      [...FIRST, 'scope'],
      path,
    ),
  }
}

async function measureOn(
  suffix: string,
  note: (line: string) => void,
  port: number,
  sizes: Sizes,
  names: readonly Name[],
  node?: string,
): Promise<Record<string, Metric>> {
  const cells = new Map<string, Cell>()
  // The memory layout of a process makes it faster or slower than another one for its whole life.
  for (let block = 0; block < sizes.blocks; block += 1) {
    note(`Measuring what recording takes of the processor, ${block + 1} of ${sizes.blocks}.`)
    await using stack = new AsyncDisposableStack()
    const processes = new Map<Name, ContestantProcess>()
    for (const name of names) {
      const contestant = stack.use(await ContestantProcess.start(name, { node }))
      // A server has been answering for hours, so the first minutes of V8's optimization are not measured.
      for (const [kind, runs] of Object.entries(sizes.warmUpRuns) as [Workload['kind'], number][]) {
        await contestant.measure({ kind, calls: CALLS, runs, arrival: { concurrency: 64 } }, port)
      }
      processes.set(name, contestant)
    }
    for (const [kind, calls] of Object.entries(sizes.calls) as [Workload['kind'], number][]) {
      for (const concurrency of [1, 64]) {
        const runs = Math.max(1, Math.round(calls / CALLS), concurrency)
        const key = `cpu_${kind}_c${concurrency}${suffix}`
        const cell = cells.get(key) ?? { calls: CALLS * runs, times: {} }
        cells.set(key, cell)
        await measureRounds(processes, { kind, calls: CALLS, runs, arrival: { concurrency } }, port, sizes, cell.times)
      }
    }
  }
  const metrics: Record<string, Metric> = {}
  for (const [key, { times, calls }] of cells) {
    for (const name of names) {
      if (name === 'none' || name === 'aiSdk') continue
      metrics[`${name === 'goldenrun' ? '' : `${name}_`}${key}`] = toMetric(name, times, calls)
    }
  }
  return metrics
}

function toMetric(name: Name, times: AllTimes, calls: number): Metric {
  const base = BASES[name] ?? 'none'
  const [own, bare] = [times[name] ?? [], times[base] ?? []]
  // The rounds in which both took part.
  const paired = own.flatMap(({ round, took }) => {
    const other = bare.find((measured) => measured.round === round)
    return other === undefined ? [] : [{ its: took, other: other.took }]
  })
  const ratios = paired.map(({ its, other }) => its.main / other.main)
  const perCall = (all: readonly number[]): string => `${((median(all) / calls) * 1000).toFixed(0)} µs`
  return {
    value: median(ratios),
    unit: 'x',
    against:
      `main thread, ${WORDS[base]}: ${perCall(paired.map(({ its }) => its.main))} a call against ${perCall(paired.map(({ other }) => other.main))}; ` +
      `the median of ${ratios.length} paired rounds is below ${upperBound(ratios).toFixed(3)} with 95 %; ` +
      `whole process ${perCall(paired.map(({ its }) => its.all))} against ${perCall(paired.map(({ other }) => other.all))}`,
    ...(name === 'goldenrun' ? { goal: GOAL, bound: upperBound(ratios) } : {}),
  }
}

/** The measurements of one kind of call. */
interface Cell {
  /** Per round. */
  readonly calls: number
  readonly times: AllTimes
}

/** By contestant. */
type AllTimes = Partial<Record<Name, { readonly round: number; readonly took: RoundTimes }[]>>

async function measureRounds(
  processes: ReadonlyMap<Name, ContestantProcess>,
  workload: Workload,
  port: number,
  { rounds, warmUp, othersEvery }: Sizes,
  times: AllTimes,
): Promise<void> {
  const before = times.none?.length ?? 0
  for (let round = -warmUp; round < rounds; round += 1) {
    const present = [...processes].filter(([name]) => FIRST.includes(name) || round % othersEvery === 0 || round === -1)
    const first = (round + warmUp) % present.length
    for (const [name, process] of [...present.slice(first), ...present.slice(0, first)]) {
      const took = await process.measure(workload, port)
      if (round >= 0) (times[name] ??= []).push({ round: before + round, took })
    }
  }
}
