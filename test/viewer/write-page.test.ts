import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isRedPageOf, pageName, redPageName } from '../../src/goldens/pages/page-name.ts'
import { removeRedPages } from '../../src/goldens/pages/pages-folder.ts'
import { type RedPageOptions, writeRedPage } from '../../src/goldens/pages/write-page.ts'
import { judge } from '../../src/matchers/holds.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { replay } from '../../src/replay/replay.ts'
import { readTraceText } from '../../src/replay/traces/read-trace-text.ts'
import { tool } from '../../src/run/tool.ts'
import { dataOfPage } from '../support/page-data.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const greet = tool('greet', { effect: 'read' }, async (name: string) => `Hello ${name}`)

/** Writes the page of a golden that is replayed with another name. */
async function writeRed(golden: string, options: RedPageOptions, name = 'Eve'): Promise<string> {
  const { trace } = await recordRun(() => greet('Ada'))
  const { text } = toGolden(trace, { name: golden, expect: { replay: 'same' }, promotedAt: '2026-11-23T00:00:00.000Z' })
  const run = await replay(await readTraceText(text, golden), () => greet(name))
  const verdict = judge(run)
  if (verdict.holds) throw new Error('It has to be red.')
  return writeRedPage(run, verdict, options).page ?? ''
}

it.each([
  ['names that a file may have', ['refund-twice', 'v1.2_a']],
  ['a folder, and the dash that would stand for it', ['sub/refund', 'sub-refund']],
  ['letters that no name of a file has', ['größe', 'grüße', 'gr e', 'gr-e']],
  ['long names', [`${'a'.repeat(150)}1`, `${'a'.repeat(150)}2`]],
])('gives each golden a page of its own: %s', (_, goldens) => {
  const names = goldens.map((golden) => redPageName(golden))
  expect(new Set(names).size).toBe(goldens.length)
  expect(names.filter((name) => !/^[\w.-]{1,140}\.red\.html$/.test(name))).toEqual([])
})

it('keeps a name that a file may have', () => {
  expect([redPageName('refund-twice'), redPageName('refund-twice', 2)]).toEqual(['refund-twice.red.html', 'refund-twice~2.red.html'])
  expect(pageName(['a', 'b'])).toBe('a-and-b.html')
})

it('knows the pages of a golden', () => {
  expect(isRedPageOf('sub-refund.red.html', 'sub-refund')).toBe(true)
  expect(isRedPageOf(redPageName('sub/refund', 3), 'sub/refund')).toBe(true)
  expect(isRedPageOf('sub-refund.red.html', 'sub/refund')).toBe(false)
  expect(isRedPageOf('refund.html', 'refund')).toBe(false)
})

it('writes a page for each test of a golden, the same again for the same test', async () => {
  await using directory = await createTemporaryDirectory()
  const folder = directory.path
  const write = (test: string, name: string): Promise<string> => writeRed('two/tests', { folder, test }, name)
  const [one, two, again] = [await write('one', 'Eve'), await write('two', 'Mallory'), await write('one', 'Trent')]
  expect(again).toBe(one)
  expect(one).not.toBe(two)
  const received = [one, two].map((file) => dataOfPage(readFileSync(file, 'utf8')).comparisons[0]?.verdict.divergences[0]?.differences)
  expect(received).toMatchObject([[{ received: 'Trent' }], [{ received: 'Mallory' }]])
})

it('removes the pages of a golden that holds again, and no other', async () => {
  await using directory = await createTemporaryDirectory()
  const folder = directory.resolve('pages')
  for (const name of ['sub/refund', 'sub-refund']) await writeRed(name, { folder })
  removeRedPages('sub/refund', folder)
  expect(readdirSync(folder)).toEqual(['sub-refund.red.html'])
  removeRedPages('sub-refund', `${folder}/nothing`)
})
