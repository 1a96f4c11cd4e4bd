import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readTrace, replay, type Trace } from 'goldenrun/replay'
import { startProvider } from '../../../examples/world/provider.ts'
import type { Script } from '../../../examples/world/turn.ts'
import type { Metrics } from '../../figures.ts'
import { measureRounds, median } from '../../rounds.ts'
import { runChild } from '../../run-child.ts'
import type { Sizes } from '../sizes.ts'
import { NOWHERE, waitEightySeconds } from './agent.ts'

/** The factor by which the recording process's clock is faster than the true clock. */
const FAST = 20

/** Single-digit milliseconds. */
const GOAL = 9

const CHUNKS = 20

const REFUSED = { status: 429, headers: { 'retry-after': '20' } }

/** Measures how long it takes to replay a run of eighty seconds. */
export async function measureEightySeconds(note: (line: string) => void, { eightySecondsRounds, refusesSpoiled }: Sizes): Promise<Metrics> {
  note(`Recording a run of eighty seconds, in a process whose clock runs ${FAST} times as fast.`)
  const golden = await recordRun()
  if (refusesSpoiled) checkGolden(golden)
  note(`Measuring up to ${eightySecondsRounds.rounds} replays of it.`)
  const { run } = await measureRounds({ run: () => replayRun(golden) }, eightySecondsRounds)
  const seconds = ((golden.end?.at ?? 0) / 1000).toFixed(1)
  const sorted = run.wall.toSorted((a, b) => a - b)
  const slowest = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
  return {
    eighty_second_run_ms: {
      value: median(run.wall),
      unit: 'ms',
      against:
        `${seconds} s as recorded: three 429s with retry-after 20 s, a stream of ${CHUNKS} chunks, an interval, a race; ` +
        `on the wall, median (p99 ${slowest.toFixed(1)} ms; ${median(run.cpu).toFixed(1)} ms in CPU time)`,
      goal: GOAL,
    },
  }
}

async function recordRun(): Promise<Trace> {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  await using provider = await startProvider({ script: toScript(), keepExchanges: false })
  try {
    const file = await runChild(new URL('record.ts', import.meta.url), {
      nodeArguments: ['--import', new URL(`fast-clock.ts?times=${FAST}`, import.meta.url).href],
      programArguments: [provider.openaiBaseUrl, folder],
    })
    return await readTrace(String(file))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The provider uses the true clock. */
function toScript(): Script {
  const turns = [
    REFUSED,
    REFUSED,
    REFUSED,
    { text: 'It left the warehouse this morning.', chunks: CHUNKS - 3, chunkDelayMs: 500 / FAST },
    { text: 'Tomorrow at noon.', delayMs: 10_500 / FAST },
  ]
  return ({ ordinal }) => turns[ordinal - 1] ?? { status: 400 }
}

/** Checks the golden: a shorter or different run would replay faster. */
function checkGolden({ rows, end }: Trace): void {
  const timers = rows.filter((row) => row.kind === 'timer')
  const of = (delay: number): number => timers.filter((timer) => timer.delay === delay).length
  const chunks = rows.filter((row) => row.kind === 'chunk' && row.step === 4).length
  const found = { retries: of(20_000), beats: of(5000), chunks, seconds: Math.floor((end?.at ?? 0) / 1000) }
  if (found.retries !== 3 || found.beats < 14 || found.chunks < CHUNKS || found.seconds < 80) {
    throw new Error(`The run of eighty seconds was recorded differently: ${JSON.stringify(found)}.`)
  }
}

async function replayRun(golden: Trace): Promise<void> {
  const { divergences, outcome, virtualMs } = await replay(golden, waitEightySeconds, { context: NOWHERE })
  if (divergences.length > 0) throw new Error(`The measured replay diverged: ${JSON.stringify(divergences[0])}`)
  if (outcome.status !== 'returned' || outcome.output.winner !== 'Tomorrow at noon.' || virtualMs < 80_000) {
    throw new Error(`The measured replay was a different run: ${JSON.stringify({ outcome, virtualMs })}`)
  }
}
