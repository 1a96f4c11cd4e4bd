import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pageOfReplay, pageOfRun, toHtml } from '../../src/goldens/pages/to-page.ts'
import { viewerApp } from '../../src/goldens/pages/viewer-app.ts'
import { compressedSize } from '../../scripts/build-viewer.ts'
import { judge } from '../../src/matchers/holds.ts'
import { replay } from '../../src/replay/replay.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { tool } from '../../src/run/tool.ts'
import { decodePageData, encodePageData, type RunPage } from '../../src/viewer/page-data.ts'
import { renderPage } from '../../src/viewer/render-page.ts'
import { recordRun } from '../support/record-run.ts'

const golden = 'golden-traces/refund-twice-support-openai.jsonl'

/** The data of a page, as its script reads it. */
function dataOf(html: string): RunPage {
  const [, data = ''] = /id="data">([^<]*)</.exec(html) ?? []
  return decodePageData(gunzipSync(Buffer.from(data, 'base64')).toString()) as RunPage
}

it("embeds a golden's own text", async () => {
  const text = readFileSync(golden, 'utf8')
  const page = dataOf(toHtml(pageOfRun({ trace: await readTrace(golden), text }), 'refund-twice'))
  expect(page.runs).toEqual([{ name: 'refund-twice-support-openai', text }])
})

it('gives the same bytes for the same run', async () => {
  const write = async (): Promise<string> => toHtml(pageOfRun({ trace: await readTrace(golden) }), 'refund-twice')
  expect(await write()).toBe(await write())
})

it("takes less than 200 kB for a project's golden, and less than 60 kB compressed for its app", async () => {
  const html = toHtml(pageOfRun({ trace: await readTrace(golden) }), 'refund-twice')
  expect(Buffer.byteLength(html)).toBeLessThan(200_000)
  expect(await compressedSize()).toBeLessThan(60_000)
})

it('allows only its own script and style, by their hashes, and no address at all', async () => {
  const html = toHtml(pageOfRun({ trace: await readTrace(golden) }), 'refund-twice')
  const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? []
  const hashOf = (pattern: RegExp): string =>
    createHash('sha256')
      .update(pattern.exec(html)?.[1] ?? '')
      .digest('base64')
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${hashOf(/<script>([\s\S]*?)<\/script>/)}'`,
    `style-src 'sha256-${hashOf(/<style>([\s\S]*?)<\/style>/)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ])
  expect(html).not.toMatch(/(?:src|href)=|@import|url\(/)
})

it('never writes a name of a recording as markup', async () => {
  const html = renderPage({ title: '</title><script>alert(1)</script>"\u001B[31m', data: '' }, viewerApp())
  expect(html).toContain('<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot; [31m</title>')
})

it('keeps values that JSON has no word for in a verdict', () => {
  const differences = [{ path: 'args.at', expected: new Date(0), received: undefined }]
  const verdict = { status: 'not held', headline: 'h', explanation: '', notes: [], advice: [], nearest: [] } as const
  const divergences = [{ cause: 'input', step: 1, position: 'at', parts: ['args'], differences }] as const
  const page: RunPage = {
    kind: 'run',
    runs: [],
    comparisons: [{ kind: 'replay', pairs: [[1, null]], verdict: { ...verdict, divergences } }],
  }
  expect(decodePageData(encodePageData(page))).toEqual({
    ...page,
    comparisons: [
      {
        kind: 'replay',
        pairs: [[1, null]],
        verdict: { ...verdict, divergences: [{ ...divergences[0], differences: [{ path: 'args.at', expected: new Date(0) }] }] },
      },
    ],
  })
})

const getOrder = tool('get_order', { effect: 'read' }, async ({ id }: { id: string }) => ({ id }))
const refund = tool('refund_order', { effect: 'write' }, async ({ id }: { id: string }) => ({ id }))

it('pairs the call that a replay refused with the recorded one, and the others by their numbers', async () => {
  const { trace } = await recordRun(async () => refund(await getOrder({ id: 'ord_1' })))
  const run = await replay(trace, async () => {
    await getOrder({ id: 'ord_1' })
    return await refund({ id: 'ord_2' })
  })
  const verdict = judge(run)
  if (verdict.holds) throw new Error('It has to be red.')
  const page = pageOfReplay(run, verdict)
  expect(page.kind === 'run' && page.comparisons).toMatchObject([
    {
      kind: 'replay',
      pairs: [
        [1, 1],
        [2, 3],
      ],
      verdict: { status: 'not held', divergences: [{ cause: 'input', step: 2 }] },
    },
  ])
})

it('places a call that was not recorded behind the calls before it', async () => {
  const { trace } = await recordRun(async () => {
    await getOrder({ id: 'ord_1' })
    return await getOrder({ id: 'ord_2' })
  })
  const run = await replay(trace, async () => {
    await getOrder({ id: 'ord_1' })
    return await refund({ id: 'ord_1' })
  })
  const verdict = judge(run)
  if (verdict.holds) throw new Error('It has to be red.')
  const page = pageOfReplay(run, verdict)
  expect(page.kind === 'run' && page.comparisons[0]?.pairs).toEqual([
    [1, 1],
    [null, 3],
    [2, null],
  ])
})
