import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createRecorder } from 'goldenrun'
import { listTraces, readTrace } from 'goldenrun/replay'
import { listen } from '../../examples/world/listen.ts'
import { startProvider } from '../../examples/world/provider.ts'
import { findCommonText } from '../../src/fleet/packs/common-text.ts'
import { encodeRun, linesToLog } from '../../src/fleet/packs/run-entry.ts'
import { encodeTrace } from '../../src/trace/codec/encoder.ts'
import type { HeaderPairs } from '../../src/trace/http-facts.ts'
import type { Row } from '../../src/trace/rows.ts'
import type { Metric } from '../figures.ts'
import { holdConversation, writeAnswer } from '../replay/conversation-agent.ts'

/** The headers that the first release kept of this provider's answers; the others were dropped. */
const keptBefore = /^(?:content-type|date|transfer-encoding|x-request-id|openai-.*|x-ratelimit-.*)$/

/** Measures what all headers of a provider's answers add to a recording. */
export async function measureHeaderSize(
  note: (line: string) => void,
  runs: Readonly<Record<'12' | '300', number>>,
): Promise<Record<string, Metric>> {
  const metrics: Record<string, Metric> = {}
  for (const [steps, goals] of [
    [12, { lines: 45, log: 20, packed: 15 }],
    [300, { lines: 10, log: 5, packed: 5 }],
  ] as const) {
    const count = runs[`${steps}`]
    note(`Recording ${count} conversations of ${steps} model calls with a provider's 25 headers.`)
    const rows = await recordRuns(steps, count)
    const [all, few] = [sizesOf(rows.map(withRows)), sizesOf(rows.map((each) => withRows(each.map(withFewHeaders))))]
    for (const form of ['lines', 'log', 'packed'] as const) {
      metrics[`headers_${form}_${steps}_percent`] = {
        value: (all[form] / few[form] - 1) * 100,
        unit: '%',
        goal: goals[form],
        against: `${(all[form] / count).toFixed(0)} B a run against ${(few[form] / count).toFixed(0)} B with 14 of the 25 headers`,
      }
    }
  }
  return metrics
}

const withRows = (rows: readonly Row[]): string => encodeTrace({ rows })

function withFewHeaders(row: Row): Row {
  if (row.kind !== 'head') return row
  const { leftOut: _leftOut, statusText: _statusText, digests: _digests, ...rest } = row
  const headers: HeaderPairs = row.headers.map(([name, value]): [string, string] => [name.toLowerCase(), value])
  return { ...rest, headers: headers.filter(([name]) => keptBefore.test(name)) }
}

function sizesOf(runs: readonly string[]): Readonly<Record<'lines' | 'log' | 'packed', number>> {
  const dictionary = findCommonText(runs)
  const sum = (size: (lines: string) => number): number => runs.reduce((total, lines) => total + size(lines), 0)
  const log = (lines: string): Uint8Array => linesToLog(Buffer.from(lines))
  return {
    lines: sum((lines) => Buffer.byteLength(lines)),
    log: sum((lines) => log(lines).length),
    packed: sum((lines) => encodeRun(log(lines), lines, dictionary).bytes.length),
  }
}

async function recordRuns(steps: number, count: number): Promise<readonly (readonly Row[])[]> {
  const store = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  try {
    await using provider = await startProvider({ script: ({ turn }) => ({ text: writeAnswer(turn) }), keepExchanges: false })
    await using edge = await startEdge(provider.url)
    const recorder = createRecorder({ store, limits: { closeMilliseconds: 600_000 } })
    await recorder.start()
    for (let run = 0; run < count; run += 1)
      await recorder.run({ agent: 'bench', input: { steps } }, () => holdConversation({ steps }, `${edge.url}/v1`))
    await recorder.close()
    const recorded: (readonly Row[])[] = []
    for (const { id } of await listTraces({ store })) recorded.push((await readTrace(id, { store })).rows)
    return recorded
  } finally {
    await rm(store, { recursive: true, force: true })
  }
}

/** A proxy in front of a provider that adds headers as OpenAI's and Cloudflare's do: 25 in all. */
async function startEdge(provider: string): Promise<AsyncDisposable & { readonly url: string }> {
  let served = 0
  return await listen(async (request, response) => {
    served += 1
    const seed = (served * 2_654_435_761) % 2 ** 32
    const drawn = (digits: number): string => (seed.toString(16).padStart(8, '0') + (seed * 31).toString(16)).repeat(4).slice(0, digits)
    const forwarded = http.request(provider + String(request.url), { method: request.method, headers: request.headers }, (answer) => {
      response.sendDate = false
      response.writeHead(
        answer.statusCode ?? 200,
        [
          ['Date', new Date(1_790_000_000_000 + served * 1_700).toUTCString()],
          ['Content-Type', String(answer.headers['content-type'])],
          ['Transfer-Encoding', 'chunked'],
          ['Connection', 'keep-alive'],
          ['access-control-expose-headers', 'X-Request-ID'],
          ['openai-organization', 'user-qx1u3wlm2'],
          ['openai-processing-ms', String(300 + (seed % 900))],
          ['openai-project', 'proj_4Vn2mQxT8sLk'],
          ['openai-version', '2020-10-01'],
          ['x-envoy-upstream-service-time', String(310 + (seed % 900))],
          ['x-ratelimit-limit-requests', '10000'],
          ['x-ratelimit-limit-tokens', '2000000'],
          ['x-ratelimit-remaining-requests', String(9_999 - (seed % 40))],
          ['x-ratelimit-remaining-tokens', String(1_999_000 - (seed % 9_000))],
          ['x-ratelimit-reset-requests', `${6 + (seed % 30)}ms`],
          ['x-ratelimit-reset-tokens', `${seed % 90}ms`],
          ['x-request-id', `req_${drawn(32)}`],
          ['cf-cache-status', 'DYNAMIC'],
          ['Set-Cookie', `__cf_bm=${drawn(43)}-1790000000-1.0.1.1-${drawn(24)}; path=/; HttpOnly; Secure; SameSite=None`],
          ['Set-Cookie', `_cfuvid=${drawn(40)}-1790000000000-0.0.1.1-604800000; path=/; HttpOnly; Secure; SameSite=None`],
          ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains; preload'],
          ['X-Content-Type-Options', 'nosniff'],
          ['Server', 'cloudflare'],
          ['CF-RAY', `${drawn(16)}-FRA`],
          ['alt-svc', 'h3=":443"; ma=86400'],
        ].flat(),
      )
      answer.pipe(response)
    })
    await pipeline(request, forwarded)
  })
}
