import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { createRecorder } from 'goldenrun'
import { readTrace } from 'goldenrun/replay'
import { startProvider } from '../../examples/world/provider.ts'
import type { Exchange } from '../../examples/world/exchange.ts'
import type { Metric } from '../figures.ts'
import { builtInRules } from '../../src/redaction/built-in-rules.ts'
import type { Row } from '../../src/trace/rows.ts'
import { holdConversation, writeAnswer } from '../replay/conversation-agent.ts'
import { measureAblation } from './ablation.ts'
import { megabytes, toRawLines } from './raw-lines.ts'
import type { Sizes } from './sizes.ts'
import { toSpans } from './spans.ts'

/** Measures the size of a log, compared with the JSON lines that it stands for and with what a tracing backend would receive for the same run. */
export async function measureLogSize(note: (line: string) => void, { conversations }: Sizes): Promise<Record<string, Metric>> {
  const metrics: Record<string, Metric> = {}
  for (const steps of conversations) {
    note(`Recording a conversation of ${steps} streamed model calls.`)
    const { log, rows, exchanges } = await record(steps)
    const raw = toRawLines(exchanges)
    const spans = toSpans(exchanges)
    const gzip = gzipSync(raw).length
    metrics[`bytes_ratio_${steps}`] = {
      value: raw.length / log,
      unit: 'x',
      better: 'more',
      ...(steps === 300 ? { goal: 150 } : {}),
      against: `raw JSON lines: ${megabytes(raw.length)} against ${megabytes(log)}; gzip of them ${megabytes(gzip)} (${(raw.length / gzip).toFixed(0)} x)`,
    }
    if (steps !== conversations.at(-1)) continue
    note(`Writing the rows of ${steps} steps without one thing and another.`)
    const { log: unredacted } = await record(
      steps,
      builtInRules.map(({ name }) => name),
    )
    Object.assign(metrics, measureAblation(steps, { rows, raw: raw.length, unredacted }))
    metrics['bytes_vs_otlp'] = {
      value: log / spans.length,
      unit: 'x',
      goal: 1,
      against: `${steps} spans as OTLP JSON with GenAI content, written by hand: ${megabytes(spans.length)}, gzip of them ${megabytes(gzipSync(spans).length)}`,
    }
  }
  return metrics
}

interface RecordedConversation {
  readonly log: number
  readonly rows: readonly Row[]
  readonly exchanges: readonly Exchange[]
}

/** @param off Redaction rules that are switched off. */
async function record(steps: number, off: readonly string[] = []): Promise<RecordedConversation> {
  const store = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  try {
    await using provider = await startProvider({ script: ({ turn }) => ({ text: writeAnswer(turn) }) })
    const recorder = createRecorder({ store, redact: { off }, limits: { closeMilliseconds: 600_000 } })
    await recorder.start()
    await recorder.run({ agent: 'bench', input: { steps } }, () => holdConversation({ steps }, provider.openaiBaseUrl))
    await recorder.close()
    const name = (await readdir(store)).find((file) => file.endsWith('.runlog')) ?? ''
    const { size } = await stat(path.join(store, name))
    const { rows } = await readTrace(path.join(store, name))
    return { log: size, rows, exchanges: provider.exchanges }
  } finally {
    await rm(store, { recursive: true, force: true })
  }
}
