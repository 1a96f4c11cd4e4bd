import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pageOfReplay, pageOfRun, toHtml } from '../../src/goldens/pages/to-page.ts'
import { viewerApp } from '../../src/goldens/pages/viewer-app.ts'
import { compressedSize } from '../../scripts/build-viewer.ts'
import { judge } from '../../src/matchers/holds.ts'
import { expectDeparture } from '../../src/replay/goldens/promotion/expect-departure.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { replay } from '../../src/replay/replay.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { readTraceText } from '../../src/replay/traces/read-trace-text.ts'
import { tool } from '../../src/run/tool.ts'
import { decodePageData, encodePageData, type RunPage } from '../../src/viewer/page-data.ts'
import { linesOfBoth } from '../../src/viewer/model/lines.ts'
import { viewRuns } from '../../src/viewer/model/viewed-run.ts'
import { renderPage } from '../../src/viewer/render-page.ts'
import { dataOfPage } from '../support/page-data.ts'
import { recordRun } from '../support/record-run.ts'

const golden = 'golden-traces/refund-twice-support-openai.jsonl'

it("embeds a golden's own text", async () => {
  const text = readFileSync(golden, 'utf8')
  const page = dataOfPage(toHtml(pageOfRun({ trace: await readTrace(golden), text }), 'refund-twice'))
  expect(page.runs).toEqual([{ name: 'refund-twice-support-openai', text }])
})

it('gives the same bytes for the same run', async () => {
  const write = async (): Promise<string> => toHtml(pageOfRun({ trace: await readTrace(golden) }), 'refund-twice')
  expect(await write()).toBe(await write())
})

it("takes less than 202 kB for a project's golden, and less than 69 kB compressed for its app", async () => {
  const html = toHtml(pageOfRun({ trace: await readTrace(golden) }), 'refund-twice')
  expect(Buffer.byteLength(html)).toBeLessThan(202_000)
  expect(await compressedSize()).toBeLessThan(69_000)
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

it('lists a call that was not recorded with the others of the replay', async () => {
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
    [2, null],
    [null, 3],
  ])
})

it('shows the call that repeats an incident beside the recorded one, and what was changed before it', async () => {
  let refunds = 0
  const look = tool('look', { effect: 'read' }, async ({ words }: { words: string }) => words.length)
  const book = tool('book', { effect: 'write' }, async ({ id }: { id: string }) => {
    if ((refunds += 1) === 1) throw new Error('the connection was lost')
    return { id }
  })
  const agent = (words: string) => async (): Promise<unknown> => {
    await look({ words })
    return await book({ id: 'ord_1' }).catch(() => book({ id: 'ord_1' }))
  }
  const { trace } = await recordRun(agent('friendly'))
  const { text } = toGolden(trace, { name: 'twice', expect: expectDeparture(trace), promotedAt: '2026-11-23T00:00:00.000Z' })
  const run = await replay(await readTraceText(text, 'twice'), agent('formal'))
  const verdict = judge(run)
  if (verdict.holds) throw new Error('It has to be red.')
  const page = pageOfReplay(run, verdict) as RunPage
  expect(page.comparisons[0]).toMatchObject({
    pairs: [
      [1, 1],
      [2, 2],
      [3, 4],
    ],
    verdict: {
      status: 'repeated',
      divergences: [{ step: 3, position: 'at', differences: [] }],
      drifted: [{ step: 1, differences: [{ path: 'args.words', expected: 'friendly', received: 'formal' }] }],
    },
  })
  const [left, right] = viewRuns(page)
  expect([...(right?.steps.values() ?? [])].map(({ label }) => label)).toEqual(['1', '2', '3'])
  const lines = left && right && page.comparisons[0] && linesOfBoth(left, right, page.comparisons[0])
  expect(lines?.map(({ key, mark }) => [key, mark])).toEqual([
    ['input', 'same'],
    ['step=1', 'differs'],
    ['step=2', 'same'],
    ['step=3', 'again'],
    ['note=1', 'not reached'],
    ['outcome', 'not reached'],
  ])
})

it('numbers the steps of a replay as the recorded ones, and those that were not recorded not at all', async () => {
  const { trace } = await recordRun(async () => refund(await getOrder({ id: 'ord_1' })))
  const run = await replay(
    trace,
    async () => {
      await getOrder({ id: 'ord_1' })
      await getOrder({ id: 'ord_9' }).catch(() => undefined)
      return await refund({ id: 'ord_1' })
    },
    { onDivergence: 'continue' },
  )
  const verdict = judge(run)
  if (verdict.holds) throw new Error('It has to be red.')
  const [, right] = viewRuns(pageOfReplay(run, verdict) as RunPage)
  expect([...(right?.steps.values() ?? [])].map(({ step, label }) => [step.name, label])).toEqual([
    ['get_order', '1'],
    ['get_order', '+'],
    ['refund_order', '2'],
  ])
})
