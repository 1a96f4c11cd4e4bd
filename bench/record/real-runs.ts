import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { createRecorder } from 'goldenrun'
import { toTauInput } from '../../examples/tau/record-all.ts'
import { createTauAgent } from '../../examples/tau/tau-agent.ts'
import { listTauRuns, loadTauRun, type TauRun } from '../../examples/tau/tau-run.ts'
import { startTauWorld } from '../../examples/tau/tau-world.ts'
import type { Measured } from '../figures.ts'
import { megabytes, toRawLines } from './raw-lines.ts'
import type { Sizes } from './sizes.ts'
import { toSpans } from './spans.ts'

/** The size of a run in each form, in bytes. */
interface Bytes {
  readonly log: number
  readonly raw: number
  readonly gzip: number
  readonly spans: number
}

/** Measures the size of the logs of real runs, every other one streamed, compared with the same runs as JSON lines and as spans. */
export async function measureRealRuns(note: (line: string) => void, { realRuns }: Sizes): Promise<Measured> {
  const runs = listTauRuns().slice(0, realRuns).map(loadTauRun)
  if (runs.length === 0) {
    const reason = 'the recorded runs that it is measured over are absent'
    return { metrics: {}, absences: { bytes_ratio_real_runs: reason, bytes_vs_otlp_real_runs: reason } }
  }
  note(`Recording ${runs.length} real runs.`)
  const sizes: Bytes[] = []
  for (const [index, run] of runs.entries()) sizes.push(await measure(run, index % 2 === 1))
  const sum = (form: keyof Bytes): number => sizes.reduce((total, size) => total + size[form], 0)
  const ratios = sizes.map(({ raw, log }) => raw / log).toSorted((a, b) => a - b)
  const steps = runs.map(({ messages }) => messages.length - 1)
  const largest = Math.max(...sizes.map(({ log, spans }) => log / spans))
  return {
    metrics: {
      bytes_ratio_real_runs: {
        value: sum('raw') / sum('log'),
        unit: 'x',
        better: 'more',
        against:
          `raw JSON lines of ${runs.length} real runs of ${Math.min(...steps)} to ${Math.max(...steps)} steps: ${megabytes(sum('raw'))} against ${megabytes(sum('log'))}, ` +
          `from ${(ratios[0] ?? 0).toFixed(0)} to ${(ratios.at(-1) ?? 0).toFixed(0)} x; gzip of them ${megabytes(sum('gzip'))} (${(sum('raw') / sum('gzip')).toFixed(0)} x)`,
      },
      bytes_vs_otlp_real_runs: {
        value: sum('log') / sum('spans'),
        unit: 'x',
        goal: 1,
        against: `the same as OTLP JSON with GenAI content, written by hand: ${megabytes(sum('spans'))}; at most ${largest.toFixed(3)} x for any run`,
      },
    },
  }
}

async function measure(run: TauRun, streaming: boolean): Promise<Bytes> {
  const store = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  try {
    await using world = await startTauWorld(run)
    // A busy machine is slow, and everything has to be written.
    const recorder = createRecorder({ store, limits: { closeMilliseconds: 600_000 } })
    await recorder.start()
    await recorder.run({ agent: 'bench', input: toTauInput(run), context: world.context }, createTauAgent({ streaming }))
    await recorder.close()
    const name = (await readdir(store)).find((file) => file.endsWith('.runlog')) ?? ''
    const { exchanges } = world.provider
    const raw = toRawLines(exchanges)
    const { size } = await stat(path.join(store, name))
    return { log: size, raw: Buffer.byteLength(raw), gzip: gzipSync(raw).length, spans: Buffer.byteLength(toSpans(exchanges)) }
  } finally {
    await rm(store, { recursive: true, force: true })
  }
}
