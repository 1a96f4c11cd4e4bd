import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { createRecorder } from 'goldenrun'
import { startProvider } from '../../examples/world/provider.ts'
import type { Exchange } from '../../examples/world/exchange.ts'
import type { Metric } from '../figures.ts'
import { holdConversation, writeAnswer } from '../replay/conversation-agent.ts'
import type { Sizes } from './sizes.ts'

/** How large a log is, against what it stands for as JSON lines and against what a tracing backend would be sent of the same run; and what it cost. */
export async function measureLogSize(note: (line: string) => void, { conversations }: Sizes): Promise<Record<string, Metric>> {
  const metrics: Record<string, Metric> = {}
  for (const steps of conversations) {
    note(`Recording a conversation of ${steps} streamed model calls.`)
    const { log, exchanges, mainMs, allMs, aloneMs } = await record(steps)
    const raw = exchanges.map(toRawLines).join('')
    const spans = exchanges.map(toSpan).join('\n')
    const gzip = gzipSync(raw).length
    metrics[`bytes_ratio_${steps}`] = {
      value: raw.length / log,
      unit: 'x',
      better: 'more',
      ...(steps === 300 ? { goal: 150 } : {}),
      against: `raw JSON lines: ${megabytes(raw.length)} against ${megabytes(log)}; gzip of them ${megabytes(gzip)} (${(raw.length / gzip).toFixed(0)} x)`,
    }
    if (steps !== conversations.at(-1)) continue
    metrics['bytes_vs_otlp'] = {
      value: log / spans.length,
      unit: 'x',
      goal: 1,
      against: `${steps} spans as OTLP JSON with GenAI content, written by hand: ${megabytes(spans.length)}, gzip of them ${megabytes(gzipSync(spans).length)}`,
    }
    metrics[`main_thread_ms_per_step_${steps}`] = {
      value: (mainMs - aloneMs) / steps,
      unit: 'ms',
      goal: 0.2,
      against: `main thread with recording ${mainMs.toFixed(0)} ms, without ${aloneMs.toFixed(0)} ms, provider in the same thread`,
    }
    metrics[`total_ms_per_step_${steps}`] = {
      value: (allMs - aloneMs) / steps,
      unit: 'ms',
      against: 'all threads, until everything is written',
    }
  }
  return metrics
}

interface RecordedConversation {
  readonly log: number
  readonly exchanges: readonly Exchange[]
  readonly mainMs: number
  readonly allMs: number
  readonly aloneMs: number
}

async function record(steps: number): Promise<RecordedConversation> {
  const store = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  try {
    const hold = async (
      surround: (agent: () => Promise<number>) => Promise<number>,
    ): Promise<{ readonly exchanges: readonly Exchange[]; readonly ms: number }> => {
      await using provider = await startProvider({ script: ({ turn }) => ({ text: writeAnswer(turn) }) })
      const before = process.threadCpuUsage()
      await surround(() => holdConversation({ steps }, provider.openaiBaseUrl))
      const { user, system } = process.threadCpuUsage(before)
      return { exchanges: provider.exchanges, ms: (user + system) / 1000 }
    }
    await hold((agent) => agent())
    const alone = await hold((agent) => agent())
    const recorder = createRecorder({ store })
    await recorder.start()
    const before = process.cpuUsage()
    const { exchanges, ms } = await hold((agent) => recorder.run({ agent: 'bench', input: { steps } }, agent))
    await recorder.close()
    const all = process.cpuUsage(before)
    const [name = ''] = await readdir(store)
    const { size } = await stat(path.join(store, name))
    return { log: size, exchanges, mainMs: ms, allMs: (all.user + all.system) / 1000, aloneMs: alone.ms }
  } finally {
    await rm(store, { recursive: true, force: true })
  }
}

/** What a recorder that keeps all as it is would write: the request whole, and each piece of the answer in a line. */
function toRawLines({ bytes, sent }: Exchange, step: number): string {
  const lines = [
    { kind: 'call', step, at: step, body: Buffer.from(bytes).toString() },
    ...sent.map((piece) => ({ kind: 'chunk', step, at: step, text: Buffer.from(piece).toString() })),
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** A span as the GenAI conventions have it, with content: the whole conversation of each call, and the answer. */
function toSpan({ bytes, sent }: Exchange, step: number): string {
  const { messages, model } = JSON.parse(Buffer.from(bytes).toString()) as { messages: { role: string; content: string }[]; model: string }
  const told = messages.map(({ role, content }) => ({ role, parts: [{ type: 'text', content }] }))
  const answer = sent
    .flatMap((piece) => [
      ...Buffer.from(piece)
        .toString()
        .matchAll(/"content":"((?:[^"\\]|\\.)*)"/g),
    ])
    .map(([, text]) => text)
    .join('')
  const attribute = (key: string, value: string): object => ({ key, value: { stringValue: value } })
  return JSON.stringify({
    traceId: '0'.repeat(32),
    spanId: String(step).padStart(16, '0'),
    name: `chat ${model}`,
    kind: 3,
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
    attributes: [
      attribute('gen_ai.operation.name', 'chat'),
      attribute('gen_ai.provider.name', 'openai'),
      attribute('gen_ai.request.model', model),
      attribute('gen_ai.input.messages', JSON.stringify(told)),
      attribute(
        'gen_ai.output.messages',
        JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: answer }], finish_reason: 'stop' }]),
      ),
    ],
  })
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toPrecision(3)} MB`
}
