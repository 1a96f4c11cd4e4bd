import { describe, expect, it } from 'vitest'
import { gatherResults } from '../../src/goldens/results/gather.ts'
import type { GoldenResult } from '../../src/goldens/results/golden-result.ts'

const result = (status: GoldenResult['status'], test?: string, more: Partial<GoldenResult> = {}): GoldenResult => ({
  name: 'golden',
  file: 'golden-traces/golden.jsonl',
  status,
  ...(test === undefined ? {} : { test }),
  ...more,
})

const rebase = (key: string): Partial<GoldenResult> => ({
  rebase: {
    file: '/golden',
    rebased: `/tmp/${key}/golden`,
    key,
    changes: [{ key: 'c', of: 'input', path: 'a', expected: 'b', received: 'c' }],
  },
})

const report = (key: string): Partial<GoldenResult> => ({ report: { key, markdown: key, json: {} as never } })

/** Every order of some results. */
function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, index) => orders(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]))
}

describe.each([
  ['one that all rebase alike', [result('rebased', undefined, rebase('a')), result('rebased', 't', rebase('a'))], 'rebased', 1, 0],
  ['one that is rebased to two texts', [result('rebased', 's', rebase('a')), result('rebased', 't', rebase('b'))], 'not held', 0, 1],
  ['one that holds for another test', [result('held', 's'), result('rebased', 't', rebase('a'))], 'not held', 0, 1],
  ['one that holds with options', [result('held', 's', { hasOptions: true }), result('rebased', 't', rebase('a'))], 'rebased', 1, 0],
  ['one that a test refuses', [result('not held', 's', { refusal: { reason: 'r' } }), result('held', 't')], 'not held', 0, 0],
  ['one that holds', [result('held'), result('held', 's'), result('held', 't')], 'held', 0, 0],
  [
    'one of an incident, with new inputs',
    [result('repeated', undefined, rebase('a')), result('repeated', 't', rebase('a'))],
    'repeated',
    1,
    0,
  ],
] as const)('%s', (_, results, status, rebased, disputed) => {
  it('gives the same result in any order of reports', () => {
    for (const order of orders(results)) {
      const gathered = gatherResults(order)
      expect(gathered.goldens.map((golden) => golden.status)).toEqual([status])
      expect([gathered.rebased.length, gathered.disputed.length]).toEqual([rebased, disputed])
    }
  })
})

it('tells a change once, with the other goldens that carry it, each by its name once', () => {
  const other = { name: 'other', file: 'golden-traces/other.jsonl' }
  const results = [
    result('not held', undefined, report('one')),
    result('not held', 's', report('one')),
    result('not held', 't', { ...other, ...report('one') }),
    result('not held', undefined, { ...other, ...report('one') }),
    result('not held', 'u', report('two')),
  ]
  const { findings } = gatherResults(results)
  expect(findings.map(({ key, alsoIn }) => [key, alsoIn])).toEqual([
    ['one', ['other']],
    ['two', []],
  ])
})
