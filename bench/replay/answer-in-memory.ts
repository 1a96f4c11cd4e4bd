import { framedHeaders } from '../../src/http/received-headers.ts'
import type { ChunkRow, HttpOutput } from '../../src/trace/rows.ts'
import type { Trace } from 'goldenrun/replay'

type Fetch = typeof globalThis.fetch

/** Options of a hand-written `fetch` for a test, which answers every call alike. */
export interface AnswerOptions {
  /** Whether each answer, and each chunk of it, comes one turn of the event loop after the previous one. */
  readonly yields: boolean
}

/** Answers with the headers and the body of a golden's first model call: an SDK reads each header. */
export function answerJson(golden: Trace, { yields }: AnswerOptions): Fetch {
  const output = golden.steps[0]?.output as HttpOutput
  const body = JSON.stringify(output.json)
  const headers = headersOf(golden)
  return async () => {
    if (yields) await turn()
    return new Response(body, { status: 200, headers })
  }
}

/** Answers with the headers and the chunks of a golden's model call, one per turn of the event loop. */
export function answerStream(golden: Trace, step: number = 1): Fetch {
  const encoder = new TextEncoder()
  const chunks = chunksOf(golden, step).map(({ text = '' }) => encoder.encode(text))
  const headers = headersOf(golden)
  return async () => {
    await turn()
    let next = 0
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await turn()
          const chunk = chunks[next]
          next += 1
          if (chunk !== undefined) controller.enqueue(chunk)
          if (next >= chunks.length) controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return new Response(body, { status: 200, headers })
  }
}

function headersOf(golden: Trace): [string, string][] {
  const output = golden.steps[0]?.output as HttpOutput
  return framedHeaders(output.headers ?? []).map(([name, value]) => [name, value])
}

/** Returns the chunks of a step, in the order in which they are released. */
export function chunksOf({ rows }: Trace, step: number): ChunkRow[] {
  return rows.filter((row): row is ChunkRow => row.kind === 'chunk' && row.step === step)
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
