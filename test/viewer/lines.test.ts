import { expect, it } from 'vitest'
import type { PageComparison, PageDivergence, PageVerdict } from '../../src/viewer/page-data.ts'
import { lineFor } from '../../src/viewer/app/keys.ts'
import { type Line, linesOf, linesOfBoth } from '../../src/viewer/model/lines.ts'
import { viewRun } from '../../src/viewer/model/viewed-run.ts'
import type { Row } from '../../src/trace/rows.ts'
import { toolRows, traceText } from '../support/trace-rows.ts'

const end: Row = { kind: 'end', at: 500, output: 'done' }

const divergence = (step: number, more: Partial<PageDivergence> = {}): PageDivergence => ({
  cause: 'input',
  step,
  position: 'at',
  parts: ['args'],
  differences: [],
  ...more,
})

function compare(
  left: readonly Row[],
  right: readonly Row[],
  pairs: PageComparison['pairs'],
  divergences: readonly PageDivergence[],
): Line[] {
  const verdict: PageVerdict = { status: 'not held', headline: '', explanation: '', divergences, notes: [], advice: [], nearest: [] }
  const [a, b] = [left, right].map((rows) => viewRun({ name: 'a-run', text: traceText(rows) }))
  if (a === undefined || b === undefined) throw new Error('There are two runs.')
  return linesOfBoth(a, b, { kind: 'replay', pairs, verdict })
}

const shown = (lines: readonly Line[]): unknown[] => lines.map(({ key, mark }) => [key, mark])

it('aligns the steps of a replay with the recorded ones, and marks what differs first and what comes after it', () => {
  const recorded = [...toolRows(1, 'get_order'), ...toolRows(2, 'refund_order'), ...toolRows(3, 'close_ticket'), end]
  const lines = compare(
    recorded,
    recorded,
    [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
    [divergence(2), divergence(3)],
  )
  expect(shown(lines)).toEqual([
    ['input', 'same'],
    ['step=1', 'same'],
    ['step=2', 'differs'],
    ['step=3', 'differs'],
    ['outcome', 'same'],
  ])
  expect(lines.map(({ isFirst }) => isFirst)).toEqual([false, false, true, false, false])
  expect(lines.map(({ isAfter }) => isAfter)).toEqual([false, false, false, true, true])
})

it('places a call that was not recorded where it was made, and says what a stopped replay did not reach', () => {
  const extra = divergence(1, { cause: 'unexpected-call', position: 'after', name: 'send_mail', parts: [] })
  const lines = compare(
    [...toolRows(1, 'get_order'), ...toolRows(2, 'refund_order'), end],
    [...toolRows(1, 'get_order'), ...toolRows(3, 'send_mail')],
    [
      [1, 1],
      [null, 3],
      [2, null],
    ],
    [extra],
  )
  expect(shown(lines)).toEqual([
    ['input', 'same'],
    ['step=1', 'same'],
    ['other-step=3', 'only right'],
    ['step=2', 'not reached'],
    ['outcome', 'not reached'],
  ])
  expect(lines[2]).toMatchObject({ isFirst: true, divergences: [extra] })
})

it('finds each of several calls of one name by one divergence', () => {
  const extra = divergence(1, { cause: 'unexpected-call', position: 'after', name: 'send_mail', parts: [] })
  const others = [extra, { ...extra, step: 2 }]
  const lines = compare(
    [...toolRows(1, 'get_order'), ...toolRows(2, 'refund_order'), end],
    [...toolRows(1, 'get_order'), ...toolRows(2, 'refund_order'), ...toolRows(3, 'send_mail'), ...toolRows(4, 'send_mail'), end],
    [
      [1, 1],
      [null, 3],
      [2, 2],
      [null, 4],
    ],
    others,
  )
  expect(lines.flatMap(({ key, divergences }) => divergences.map(({ step }) => [key, step]))).toEqual([
    ['other-step=3', 1],
    ['other-step=4', 2],
  ])
})

it('shows what a tool did in its body as not run, for a replay answers the tool', () => {
  const inner = toolRows(2, 'fetch_order', { owner: 1 })
  const lines = compare(
    [...toolRows(1, 'get_order'), ...inner, end],
    [...toolRows(1, 'get_order'), end],
    [
      [1, 1],
      [2, null],
    ],
    [],
  )
  expect(shown(lines)).toContainEqual(['step=2', 'not run'])
})

it('pairs checkpoints by their names', () => {
  const checkpoint = (name: string): Row => ({ kind: 'checkpoint', owner: 0, name, state: {}, at: 1 })
  const lines = compare([checkpoint('found'), checkpoint('paid'), end], [checkpoint('paid'), checkpoint('extra'), end], [], [])
  expect(shown(lines)).toEqual([
    ['input', 'same'],
    ['checkpoint=1', 'only left'],
    ['checkpoint=2', 'same'],
    ['other-checkpoint=2', 'only right'],
    ['outcome', 'same'],
  ])
})

it('goes by keys to steps, side effects, and the divergence', () => {
  const lines = linesOf(
    viewRun({
      name: 'a-run',
      text: traceText([...toolRows(1, 'get_order'), ...toolRows(2, 'refund_order', { effect: 'write' }), ...toolRows(3, 'close'), end]),
    }),
  )
  const go = (key: string, from: string): string | undefined => lineFor(key, lines, from)?.key
  expect([go('j', 'input'), go('k', 'step=1'), go('ArrowDown', 'step=3')]).toEqual(['step=1', 'input', 'outcome'])
  expect([go('s', 'input'), go('s', 'step=2'), go('S', 'outcome')]).toEqual(['step=2', undefined, 'step=2'])
  expect([go('m', 'input'), go('d', 'input'), go('x', 'input')]).toEqual([undefined, undefined, undefined])
  expect([go('Home', 'step=2'), go('End', 'step=2')]).toEqual(['input', 'outcome'])
})
