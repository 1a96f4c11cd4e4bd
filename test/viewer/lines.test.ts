import { expect, it } from 'vitest'
import type { PageComparison, PageDivergence, PageVerdict } from '../../src/viewer/page-data.ts'
import { lineFor } from '../../src/viewer/app/keys.ts'
import { type Line, linesOf, linesOfBoth } from '../../src/viewer/model/lines.ts'
import { fromHash, toHash } from '../../src/viewer/model/page-place.ts'
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
  const verdict: PageVerdict = { ...unsaid, status: 'not held', divergences }
  const [a, b] = [left, right].map((rows) => viewRun({ name: 'a-run', text: traceText(rows) }))
  if (a === undefined || b === undefined) throw new Error('There are two runs.')
  return linesOfBoth(a, b, { kind: 'replay', pairs, verdict })
}

const unsaid = { headline: '', explanation: '', notes: [], advice: [], nearest: [] } as const

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

it('places what only the second run has where it happened there, also behind a checkpoint', () => {
  const checkpoint: Row = { kind: 'checkpoint', owner: 0, name: 'turn-done', state: {}, at: 1 }
  const lines = compare(
    [...toolRows(1, 'get_order'), ...toolRows(2, 'fetch_order', { owner: 1 }), checkpoint, ...toolRows(3, 'close'), end],
    [...toolRows(1, 'get_order'), checkpoint, ...toolRows(4, 'send_mail'), { ...checkpoint, name: 'mailed' }, ...toolRows(3, 'close'), end],
    [
      [1, 1],
      [2, null],
      [3, 3],
      [null, 4],
    ],
    [],
  )
  expect(lines.map(({ key }) => key)).toEqual([
    'input',
    'step=1',
    'step=2',
    'checkpoint=1',
    'other-step=4',
    'other-checkpoint=2',
    'step=3',
    'outcome',
  ])
})

it('keeps what a tool did in its body with the tool, before a call that only the second run made', () => {
  const lines = compare(
    [...toolRows(1, 'get_order'), ...toolRows(2, 'fetch_order', { owner: 1 }), end],
    [...toolRows(1, 'get_order'), ...toolRows(3, 'send_mail'), end],
    [
      [1, 1],
      [2, null],
      [null, 3],
    ],
    [],
  )
  expect(lines.map(({ key }) => key)).toEqual(['input', 'step=1', 'step=2', 'other-step=3', 'outcome'])
})

it('marks a call that was changed and got the recorded answer, and is not what the verdict is about', () => {
  const rows = [...toolRows(1, 'get_order'), ...toolRows(2, 'refund_order'), ...toolRows(3, 'refund_order'), end]
  const again = divergence(3, { cause: 'unexpected-call', parts: [] })
  const lines = linesOfBoth(viewRun({ name: 'a', text: traceText(rows) }), viewRun({ name: 'b', text: traceText(rows) }), {
    kind: 'replay',
    pairs: [1, 2, 3].map((step) => [step, step]),
    verdict: {
      ...unsaid,
      status: 'repeated',
      divergences: [again],
      drifted: [divergence(1)],
      departure: divergence(2, { cause: 'unexpected-call', parts: [] }),
    },
  })
  expect(lines.map(({ key, mark, isFirst, isDeparture }) => [key, mark, isFirst, isDeparture])).toEqual([
    ['input', 'same', false, false],
    ['step=1', 'differs', false, false],
    ['step=2', 'same', false, true],
    ['step=3', 'again', true, false],
    ['outcome', 'same', false, false],
  ])
  expect(lineFor('d', lines, 'input')?.key).toBe('step=1')
  expect(lineFor('d', lines, 'step=1')?.key).toBe('step=3')
})

it('marks the inputs of two runs that differ, and not what a tool of a fork did not do', () => {
  const view = (header: Parameters<typeof traceText>[1], rows: readonly Row[]) => viewRun({ name: 'a', text: traceText(rows, header) })
  const rows = toolRows(1, 'get_order')
  const verdict: PageVerdict = { ...unsaid, status: 'same', divergences: [] }
  const lines = linesOfBoth(
    view({ input: { ticket: 1 } }, [...rows, ...toolRows(2, 'fetch_order', { owner: 1 }), end]),
    view({ input: { ticket: 2 }, forkedFrom: { id: 'a', step: 1, routes: {} } }, [...rows, end]),
    {
      kind: 'run',
      pairs: [
        [1, 1],
        [2, null],
      ],
      verdict,
    },
  )
  expect(shown(lines)).toEqual([
    ['input', 'differs'],
    ['step=1', 'same'],
    ['step=2', 'not run'],
    ['outcome', 'same'],
  ])
  expect(lineFor('D', lines, 'outcome')?.key).toBe('input')
})

it.each([
  ['#step=7', { key: 'step=7', other: 0 }],
  ['#other-step=10&with=2', { key: 'other-step=10', other: 1 }],
  ['', { key: '', other: 0 }],
])('links to a place, and finds it again: %s', (hash, place) => {
  expect(fromHash(hash, 3)).toEqual(place)
  expect(toHash(place)).toBe(hash || '#')
})

it.each(['#step=1&with=9', '#step=1&with=0', '#step=1&with=x', '#step=1'])(
  'takes the first comparison where a link names none: %s',
  (hash) => {
    expect(fromHash(hash, 3)).toEqual({ key: 'step=1', other: 0 })
  },
)

it('takes an address with a stray percent sign as it is', () => {
  expect(fromHash('#100%', 1)).toEqual({ key: '100%', other: 0 })
})
