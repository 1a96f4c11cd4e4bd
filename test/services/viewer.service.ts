import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { findViolations, launchBrowser, untilReady, watch, type Watched } from '../../bench/viewer/browser.ts'
import { longRun } from '../../bench/viewer/long-run.ts'
import { pageOfComparisons, pageOfReplay, pageOfRun, toHtml } from '../../src/goldens/pages/to-page.ts'
import { serveViews } from '../../src/cli/view/serve-views.ts'
import { judge } from '../../src/matchers/holds.ts'
import { compareRuns } from '../../src/replay/compare/compare-runs.ts'
import { expectDeparture } from '../../src/replay/goldens/promotion/expect-departure.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { readTraceText } from '../../src/replay/traces/read-trace-text.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { fork } from '../../src/travel/fork.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { PageData } from '../../src/viewer/page-data.ts'
import { recordCancel } from '../support/recordings.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { toolRows, traceText } from '../support/trace-rows.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const opened: { readonly page: Page; readonly watched: Watched }[] = []
/** Whatever a test does with a page: it asks for nothing and breaks nothing. */
afterEach(async () => {
  for (const { page, watched } of opened.splice(0)) {
    await page.close()
    expect(watched).toEqual({ requests: [], problems: [] })
  }
})

interface Screen {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  readonly hash?: string
}

/** Opens a page from a file, as a user does. */
async function open(data: PageData, { width = 1280, height = 800, dark = false, hash = '' }: Screen = {}): Promise<Page> {
  const directory = await createTemporaryDirectory()
  const file = await directory.write('page.html', toHtml(data, 'a run'))
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' })
  opened.push({ page, watched: watch(page) })
  await page.goto(`${pathToFileURL(file ?? `${directory.path}/page.html`).href}${hash}`)
  await untilReady(page)
  await directory[Symbol.asyncDispose]()
  return page
}

const textPage = (text: string): PageData => pageOfRun({ trace: decodeTrace(text, 'a run', digest), text })

const incident = async (): Promise<PageData> => pageOfRun({ trace: await readTrace('refund-twice-support-openai') })

const getOrder = tool('get_order', { effect: 'read' }, async ({ id }: { id: string }) => ({ id, status: 'packed' }))
const mail = tool('send_mail', { effect: 'write' }, async ({ text }: { text: string }) => text.length)

/** A replay whose agent writes another mail. */
async function redReplay(onDivergence: 'stop' | 'continue' = 'stop'): Promise<PageData> {
  const agent = (words: string) => async (): Promise<string> => {
    await getOrder({ id: 'ord_1' })
    await mail({ text: `Dear customer, your order ${words} on Monday.` })
    await getOrder({ id: words })
    return words
  }
  const { trace } = await recordRun(agent('was sent'))
  const run = await replay(trace, agent('will be sent'), { onDivergence })
  const verdict = judge(run)
  if (verdict.holds) throw new Error('It has to be red.')
  return pageOfReplay(
    { ...run, trace: run.trace, toTrace: run.toTrace, commands: { exec: 'npx', rebase: 'npx vitest run a.jsonl -u' } } as typeof run,
    verdict,
  )
}

async function comparison(): Promise<PageData> {
  const [a, b] = [await readTrace('cancel-unshipped-support-openai'), await readTrace('cancel-unshipped-support-anthropic')]
  return pageOfComparisons({ trace: a }, [{ trace: b, comparison: await compareRuns(a, b) }])
}

const kinds: readonly (readonly [string, () => Promise<PageData>])[] = [
  ['an incident', incident],
  ['a red replay', () => redReplay()],
  ['a red replay that went on', () => redReplay('continue')],
  ['a comparison', comparison],
]

const selected = (page: Page): Promise<string | null> => page.locator('[aria-current=step]').getAttribute('id')

it.each(kinds)('shows %s in which axe finds nothing, light and dark, wide and narrow', async (_, read) => {
  const data = await read()
  for (const screen of [{}, { dark: true }, { width: 360, height: 740 }]) {
    const page = await open(data, screen)
    expect(await findViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
})

it('says at a glance what an incident is about', async () => {
  const page = await open(await incident())
  const text = await page.locator('body').innerText()
  expect(text).toContain('The refund timed out after it was booked, so the agent booked another')
  expect(text).toContain('An incident: step 5 triggered it, and step 7 is the call that must not happen again.')
  expect(await page.locator('.badge', { hasText: 'repeats 5' }).count()).toBe(1)
  expect(await page.locator('.badge', { hasText: 'trigger' }).count()).toBe(1)
})

it('goes by keys from step to step, to side effects and to model calls', async () => {
  const page = await open(await incident())
  const press = async (...keys: readonly string[]): Promise<string | null> => {
    for (const key of keys) await page.keyboard.press(key)
    return await selected(page)
  }
  expect(await selected(page)).toBe('line-step=7')
  expect(await press('Home', 'j', 'j')).toBe('line-step=2')
  expect(await press('k')).toBe('line-step=1')
  expect(await press('s')).toBe('line-step=5')
  expect(await press('s')).toBe('line-step=7')
  expect(await press('m')).toBe('line-step=9')
  expect(await press('M')).toBe('line-step=4')
  expect(await press('End')).toBe('line-outcome')
  expect(await press('Home')).toBe('line-input')
  await page.keyboard.press('?')
  expect(await page.getByRole('dialog').innerText()).toContain('the next side effect')
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

it('opens at the step that its link names, and names each step that is selected', async () => {
  const page = await open(await incident(), { hash: '#step=7' })
  expect(await selected(page)).toBe('line-step=7')
  expect(await page.locator('.pane').innerText()).toContain('This side effect was already made by step 5.')
  await page.keyboard.press('k')
  await expect.poll(() => new URL(page.url()).hash).toBe('#step=6')
  await page.evaluate(() => void (location.hash = '#step=2'))
  await page.locator('[id="line-step=2"][aria-current=step]').waitFor()
})

it('shows the agent’s variables around a step, with the line of the source', async () => {
  const frame = {
    place: 'runTool  src/run-tool.ts:30:52',
    source: 'const order = await cancelOrder(args)',
    variables: [['args', '{ id: "<b>ord_1</b>" }']],
  } as const
  const trace = await readTrace('refund-twice-support-openai')
  const page = await open(
    pageOfRun({
      trace,
      variables: {
        7: [
          { ...frame, moment: 'before' },
          { ...frame, moment: 'after' },
        ],
      },
    }),
    { hash: '#step=7' },
  )
  await page.getByRole('button', { name: 'Variables 2 functions' }).click()
  const text = await page.locator('body').innerText()
  expect(text).toContain('before the call: runTool')
  expect(text).toContain('after the call: runTool')
  expect(text).toContain('const order = await cancelOrder(args)')
  expect(text).toContain('{ id: "<b>ord_1</b>" }')
  expect(await findViolations(page)).toEqual([])
})

it('searches everything, and goes from place to place', async () => {
  const page = await open(await incident())
  await page.keyboard.press('/')
  await page.keyboard.type('DESK LAMP')
  const found = page.locator('.line')
  await page.locator('mark').first().waitFor()
  expect(await found.count()).toBe(6)
  await page.keyboard.press('Enter')
  expect(await selected(page)).toBe('line-step=2')
  await page.keyboard.press('Enter')
  expect(await selected(page)).toBe('line-step=3')
  await page.keyboard.press('Escape')
  expect(await found.count()).toBeGreaterThan(10)
})

it('shows a model call as a conversation of which only what is new is unfolded', async () => {
  const page = await open(await incident(), { hash: '#step=4' })
  const pane = page.locator('.pane')
  expect(await pane.locator('.message').count()).toBe(3)
  await pane.getByRole('button', { name: '1 earlier message' }).click()
  expect(await pane.locator('.message').count()).toBe(4)
  await pane.getByRole('button', { name: /^Raw HTTP/ }).click()
  expect(await pane.innerText()).toContain('POST http://127.0.0.1:4010/v1/chat/completions')
})

it('shows the pieces of a stream with their times', async () => {
  const page = await open(textPage(longRun(2, 4000)), { hash: '#step=1' })
  await page.getByRole('button', { name: /^Stream \d+ pieces, the first after 220 ms$/ }).click()
  const [, second] = await page.locator('.pane tbody tr').allInnerTexts()
  expect(second).toMatch(/^230 ms\t10 ms\t\d+ B\tdata: /)
})

it('centres the first divergence of a red replay, marks the words that differ, and gives the command', async () => {
  const page = await open(await redReplay())
  expect(await selected(page)).toBe('line-step=2')
  expect(await page.locator('.verdict del').allInnerTexts()).toEqual(['was'])
  expect(await page.locator('.verdict ins').allInnerTexts()).toEqual(['will be'])
  expect(await page.locator('.verdict .command code').innerText()).toBe('npx vitest run a.jsonl -u')
  expect(await page.locator('.line.first').count()).toBe(1)
  expect(await page.locator('[id="line-step=3"]').getByRole('img', { name: 'not reached' }).count()).toBe(1)
})

it('dims what follows from the first divergence, and goes to each by keys', async () => {
  const page = await open(await redReplay('continue'))
  expect(await page.locator('.line.after').count()).toBeGreaterThan(0)
  await page.keyboard.press('d')
  expect(await selected(page)).toBe('line-step=3')
  await page.keyboard.press('D')
  expect(await selected(page)).toBe('line-step=2')
})

it('zooms the timeline and goes to the step that is clicked', async () => {
  const page = await open(await incident())
  const widthOf = async (): Promise<number> => (await page.locator('.bar rect').first().boundingBox())?.width ?? 0
  const before = await widthOf()
  await page.keyboard.press('+')
  await expect.poll(widthOf).not.toBe(before)
  await page.keyboard.press('0')
  await expect.poll(widthOf).toBe(before)
  await page.locator('.bar', { hasText: '9 gpt' }).click()
  expect(await selected(page)).toBe('line-step=9')
})

it('is dark where the system is, and changes by a key', async () => {
  const page = await open(await incident(), { dark: true })
  const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await background()).toBe('rgb(15, 18, 23)')
  await page.keyboard.press('t')
  expect(await background()).toBe('rgb(255, 255, 255)')
})

it('shows a hostile run as text', async () => {
  const markup = '<img src=x onerror="globalThis.broken=1"><script>globalThis.broken=1</script>'
  const deep = JSON.parse(`${'{"a":'.repeat(190)}1${'}'.repeat(190)}`) as object
  const input: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":"x"}')
  const text = traceText(
    [
      ...toolRows(1, markup, { input: { [markup]: markup, escape: '\u001B]0;title\u0007\u202Eevil' }, output: deep }),
      ...toolRows(2, '__proto__', { input, output: 'x'.repeat(10_000_000) }),
      { kind: 'checkpoint', owner: 0, name: markup, state: input, at: 60 },
      { kind: 'note', what: 'flagged', where: markup, at: 70 },
      { kind: 'end', at: 80, output: `</script>${markup}` },
    ],
    { agent: markup, tags: { [markup]: markup }, input: { href: 'javascript:alert(1)' } },
  )
  const page = await open(textPage(text))
  for (let line = 0; line < 7; line += 1) {
    for (const button of await page.locator('.pane .fold[aria-expanded=false]').all()) await button.click()
    await page.keyboard.press('j')
  }
  expect(await page.evaluate(() => [Reflect.get(globalThis, 'broken'), Reflect.get({}, 'polluted')])).toEqual([undefined, undefined])
  expect(await page.locator('img, iframe, object, embed').count()).toBe(0)
  await page.keyboard.press('Home')
  await page.keyboard.press('j')
  expect(await page.locator('.pane').innerText()).toContain(markup)
  expect(await page.locator('.pane').innerText()).toContain(String.raw`\u001b]0;title\u0007\u202eevil`)
  await page.keyboard.press('j')
  expect(await page.locator('.pane').innerText()).toContain('10.0 MB more')
  expect(await findViolations(page)).toEqual([])
})

it('opens three thousand steps', async () => {
  const page = await open(textPage(longRun(3000, 5_000_000)))
  await page.keyboard.press('End')
  expect(await selected(page)).toBe('line-outcome')
  expect(await page.locator('[id="line-outcome"]').isVisible()).toBe(true)
})

it('prints all of its steps', async () => {
  const page = await open(textPage(longRun(100, 100_000)))
  await page.emulateMedia({ media: 'print' })
  const list = await page.locator('#steps').evaluate((element) => [element.scrollHeight, element.clientHeight])
  expect(list[0]).toBe(list[1])
  expect(await page.locator('.toolbar').isVisible()).toBe(false)
})

it('serves a list of runs that leads to their pages and back', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel('.goldenrun/runs')
  const readRuns = async (names: readonly string[], list: string): Promise<PageData> =>
    pageOfRun({ trace: await readTrace(names[0] ?? '', { store: '.goldenrun/runs' }) }, { list })
  const server = await serveViews({
    store: '.goldenrun/runs',
    query: {},
    port: 0,
    readRuns,
    forkRun: () => Promise.reject(new Error('Nothing is forked here.')),
  })
  try {
    const page = await browser.newPage()
    const watched = watch(page)
    await page.goto(server.address)
    await untilReady(page)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('searchbox').fill('nothing of this')
    expect(await page.locator('tbody tr').count()).toBe(0)
    await page.getByRole('searchbox').fill('user=42')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('returned')
    await expect.poll(() => new URL(page.url()).hash).toBe('#query=user%3D42&status=returned')
    await page.reload()
    await untilReady(page)
    expect(await page.getByRole('searchbox').inputValue()).toBe('user=42')
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('returned')
    await page.getByRole('link', { name: id }).click()
    await untilReady(page)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain(id)
    await page.getByRole('link', { name: 'All runs' }).click()
    await page.locator('tbody tr').first().waitFor()
    await page.close()
    expect(watched.problems).toEqual([])
    expect(watched.requests.every((address) => address.endsWith('/changes'))).toBe(true)
  } finally {
    await server.close()
  }
})

it('continues a served run from a step with an answer that is edited there', async () => {
  const agent = async (): Promise<string> => {
    const { status } = await getOrder({ id: 'ord_1' })
    return `Your order is ${status}.`
  }
  const { trace } = await recordRun(agent)
  const runs = new Map<string, Trace>([['run', trace]])
  const server = await serveViews({
    store: '.goldenrun/runs',
    query: {},
    port: 0,
    readRuns: async ([first = '', other], list) => {
      const [a, b] = [runs.get(first) ?? trace, runs.get(other ?? '')]
      const options = { list, forks: `${list}fork/${first}` }
      if (b === undefined) return pageOfRun({ trace: a }, options)
      return pageOfComparisons({ trace: a }, [{ trace: b, comparison: await compareRuns(a, b) }], options)
    },
    forkRun: async (_run, { step, answer }) => {
      const forked = await fork(trace, agent, { at: step, edit: { answer: JSON.parse(answer) as object } })
      runs.set('fork', forked.toTrace())
      return 'fork'
    },
  })
  try {
    const page = await browser.newPage()
    const watched = watch(page)
    await page.goto(`${server.addressOf(['run'])}#step=1`)
    await page.getByRole('button', { name: 'Continue with a different answer' }).click()
    await page.getByRole('textbox', { name: 'The answer' }).fill('{"id":')
    await page.getByRole('button', { name: 'Fork' }).click()
    expect(await page.getByRole('alert').innerText()).toBe('The answer begins like JSON, but is not valid JSON.')
    await page.getByRole('textbox', { name: 'The answer' }).fill('{"id":"ord_1","status":"lost"}')
    await page.getByRole('button', { name: 'Fork' }).click()
    await page.locator('.verdict').waitFor()
    expect(await page.locator('[id="line-outcome"]').innerText()).toContain('Your order is lost.')
    // That the answer was refused is an error of a request, which Chromium names.
    expect(watched.problems.filter((problem) => !problem.includes('422'))).toEqual([])
    await page.close()
  } finally {
    await server.close()
  }
})

it('compares two runs by name, says how each ended, and shows how their inputs differ', async () => {
  const [a, b] = [{ input: { ticket: 'first' } }, { input: { ticket: 'second' }, id: '20261121-021400001-0a0b0c0d' }].map((header) =>
    decodeTrace(traceText([...toolRows(1, 'get_order'), { kind: 'end', at: 99, output: 'done' }], header), 'a run', digest),
  )
  if (a === undefined || b === undefined) throw new Error('There are two runs.')
  const page = await open(pageOfComparisons({ trace: a }, [{ trace: b, comparison: await compareRuns(a, b) }]), { hash: '#step=1' })
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^a .*0000-0a0b0c0d\s*returned\s*b .*0001-0a0b0c0d\s*returned$/)
  await page.keyboard.press('D')
  expect(await selected(page)).toBe('line-input')
  expect(await page.locator('section.differs').innerText()).toMatch(/input\.ticket[^]*a\s+first[^]*b\s+second/)
  expect(await page.locator('.verdict').innerText()).toContain('The agents were given different inputs.')
})

it('keeps in a link which of several comparisons is shown', async () => {
  const runs = ['done', 'given up', 'later'].map((output, index) =>
    decodeTrace(
      traceText([...toolRows(1, 'get_order'), { kind: 'end', at: 99, output }], { id: `20261121-02140000${index}-0a0b0c0d` }),
      'a run',
      digest,
    ),
  )
  const [a, ...others] = runs
  if (a === undefined) throw new Error('There are runs.')
  const compared = await Promise.all(others.map(async (trace) => ({ trace, comparison: await compareRuns(a, trace) })))
  const data = pageOfComparisons({ trace: a }, compared)
  const page = await open(data)
  await page.getByRole('combobox', { name: 'Compared with' }).selectOption('1')
  await expect.poll(() => new URL(page.url()).hash).toBe('#outcome&with=2')
  const again = await open(data, { hash: '#outcome&with=2' })
  expect(await again.getByRole('combobox', { name: 'Compared with' }).inputValue()).toBe('1')
  expect(await again.locator('.pane').innerText()).toContain('later')
})

it('says where a link, or a key, leads nowhere', async () => {
  const page = await open(await incident(), { hash: '#step=99999' })
  expect(await page.getByRole('status').innerText()).toBe('There is no step 99999 here.')
  await page.keyboard.press('j')
  expect(await page.getByRole('status').count()).toBe(0)
  await page.keyboard.press('d')
  expect(await page.getByRole('status').innerText()).toBe('There is no next divergence.')
})

it('opens a run that repeated a side effect there, and says so, and what it threw', async () => {
  const rows = [
    ...toolRows(1, 'get_order'),
    ...toolRows(2, 'refund_order', { effect: 'write', input: { id: 'ord_1' } }),
    ...toolRows(3, 'refund_order', { effect: 'write', input: { id: 'ord_1' } }),
    { kind: 'end', at: 99, error: { name: 'TypeError', message: 'fetch failed' } },
  ] as const
  const page = await open(textPage(traceText(rows)))
  expect(await selected(page)).toBe('line-step=3')
  expect(await page.locator('.about .alert').innerText()).toBe(
    'Step 3 repeats the side effect of step 2: refund_order. Threw TypeError: fetch failed',
  )
})

it('tells a text from a number, and an empty key from none', async () => {
  const input = { amount: 4900, text: '4900', '': 'nothing', '\n': 1 }
  const page = await open(textPage(traceText(toolRows(1, 'refund_order', { input }))), { hash: '#step=1' })
  const leaves = await page.locator('.pane .leaf').allInnerTexts()
  expect(leaves.map((text) => text.replace(/\s*path$/, '').trim())).toEqual([
    'amount 4900',
    'text "4900"',
    '"" "nothing"',
    String.raw`"\n" 1`,
  ])
})

it('shows no character that turns the direction of writing, wherever a recording may have put it', async () => {
  const turned = 'safe\u202Etxt.exe'
  const rows = [
    ...toolRows(1, turned, { effect: 'write', input: { [turned]: turned }, at: 0, took: 400 }),
    ...toolRows(2, turned, { effect: 'write', input: { [turned]: turned }, owner: 1 }),
    { kind: 'checkpoint', owner: 0, name: turned, state: { [turned]: 1 }, at: 50 },
    { kind: 'end', at: 80, error: { name: turned, message: turned } },
  ] as const
  const frame = { moment: 'before', place: turned, source: turned, variables: [[turned, turned]] } as const
  const text = traceText(rows, { agent: turned, agentVersion: turned, tags: { [turned]: turned }, input: { [turned]: turned } })
  const trace = decodeTrace(text, 'a run', digest)
  const page = await open(pageOfRun({ trace, text, flags: [turned], variables: { 1: [frame], 2: [frame] } }))
  await page.keyboard.press('Home')
  for (let line = 0; line < 6; line += 1) {
    for (const button of await page.locator('.pane .fold[aria-expanded=false]').all()) await button.click()
    const found = await page.evaluate(() =>
      [...document.querySelectorAll('#app *')].flatMap((element) => [
        ...[...element.childNodes].flatMap((node) =>
          node.nodeType === 3 && node.textContent?.includes('\u202E') === true ? [element.outerHTML] : [],
        ),
        ...[...element.attributes].flatMap(({ name, value }) => (value.includes('\u202E') ? [`${element.tagName} ${name}`] : [])),
      ]),
    )
    expect([line, found]).toEqual([line, []])
    await page.keyboard.press('j')
  }
})

it('shows a call that was changed and got the recorded answer, with the word that differs, on the page of an incident', async () => {
  let refunds = 0
  const book = tool('book', { effect: 'write' }, async ({ id }: { id: string }) => {
    if ((refunds += 1) === 1) throw new Error('the connection was lost')
    return { id }
  })
  const agent = (tone: string) => async (): Promise<unknown> => {
    await getOrder({ id: `ord_1 in a ${tone} tone` })
    return await book({ id: 'ord_1' }).catch(() => book({ id: 'ord_1' }))
  }
  const { trace } = await recordRun(agent('friendly'))
  const { text } = toGolden(trace, { name: 'twice', expect: expectDeparture(trace), promotedAt: '2026-11-23T00:00:00.000Z' })
  const run = await replay(await readTraceText(text, 'twice'), agent('formal'))
  const verdict = judge(run)
  if (verdict.holds) throw new Error('It has to be red.')
  const page = await open(pageOfReplay(run, verdict))
  expect(await selected(page)).toBe('line-step=3')
  const line = page.locator('[id="line-step=3"]')
  expect(await line.getByRole('img', { name: 'repeats the incident' }).count()).toBe(1)
  expect(await line.locator('.number').allInnerTexts()).toEqual(['3', '3'])
  expect(await page.locator('.pane section.differs').innerText()).toContain('The call that must not happen again')
  await page.keyboard.press('D')
  expect(await selected(page)).toBe('line-step=1')
  expect(await page.locator('.pane del').allInnerTexts()).toEqual(['friendly'])
  expect(await page.locator('.pane ins').allInnerTexts()).toEqual(['formal'])
  expect(await page.locator('.pane .column').count()).toBe(2)
})
