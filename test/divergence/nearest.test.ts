import { expect, it } from 'vitest'
import { nearestCalls } from '../../src/divergence/nearest.ts'

const live = { boundary: 'tool', name: 'refund', input: { id: 'ord_1', amount: 20, note: 'late' } } as const
const recorded = (step: number, input: object, name = 'refund'): { step: number; name: string; boundary: 'tool'; input: object } => ({
  step,
  name,
  boundary: 'tool',
  input,
})
const stepsOf = (candidates: Parameters<typeof nearestCalls>[1]): number[] => nearestCalls(live, candidates).map(({ step }) => step)

it('gives the calls with the fewest differences first', () => {
  expect(
    stepsOf([
      recorded(1, { id: 'ord_2', amount: 25, note: 'late' }),
      recorded(2, { id: 'ord_1', amount: 25, note: 'late' }),
      recorded(3, { id: 'ord_2', amount: 25, note: 'lost' }),
    ]),
  ).toEqual([2, 1, 3])
})

it('gives smaller differences before larger ones, and earlier steps before later ones', () => {
  expect(
    stepsOf([
      recorded(1, { ...live.input, note: 'a wholly other note' }),
      recorded(3, { ...live.input, note: 'lade' }),
      recorded(2, { ...live.input, note: 'lake' }),
    ]),
  ).toEqual([2, 3, 1])
})

it('gives three at the most', () => {
  expect(stepsOf([1, 2, 3, 4, 5].map((step) => recorded(step, { ...live.input, amount: 30 + step })))).toEqual([1, 2, 3])
})

it('gives calls of another name after those of the same, and none of another boundary', () => {
  expect(
    nearestCalls(live, [
      recorded(1, live.input, 'cancel'),
      recorded(2, { id: 'x' }),
      { step: 3, boundary: 'external', name: 'refund', input: live.input },
    ]),
  ).toEqual([
    {
      step: 2,
      name: 'refund',
      differences: [
        { path: 'args.id', part: 'args', expected: 'x', received: 'ord_1' },
        { path: 'args.amount', part: 'args', expected: undefined, received: 20 },
        { path: 'args.note', part: 'args', expected: undefined, received: 'late' },
      ],
      agrees: [],
    },
    { step: 1, name: 'cancel', differences: [], agrees: ['args.id', 'args.amount', 'args.note'] },
  ])
})

it('gives nothing where there is nothing', () => {
  expect(stepsOf([])).toEqual([])
})

it('says which arguments are the same', () => {
  const items = { 'order id': 1, list: [{ a: 1 }], listing: 2 }
  const [near] = nearestCalls({ ...live, input: items }, [recorded(1, { ...items, list: [{ a: 2 }] })])
  expect(near?.agrees).toEqual(['args["order id"]', 'args.listing'])
  expect(nearestCalls({ ...live, input: 'a' }, [recorded(1, items)])[0]?.agrees).toEqual([])
})

it('says which parts of a request are the same', () => {
  const chat = (user: string, fields: object = {}): object => ({
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    headers: [['content-type', 'application/json']],
    json: {
      model: 'gpt-5',
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: user },
      ],
      temperature: 0,
      tools: [],
      ...fields,
    },
  })
  const near = (boundary: 'model' | 'http', name: string, input: object, other: object): readonly string[] | undefined =>
    nearestCalls({ boundary, name, input }, [{ step: 1, boundary, name, input: other }])[0]?.agrees
  expect(near('model', 'openai.chat', chat('a'), chat('b'))).toEqual([
    'method',
    'url',
    'headers',
    'model',
    'system-prompt',
    'sampling',
    'tool-schema',
  ])
  expect(near('model', 'openai.chat', chat('a'), chat('a', { temperature: 1, model: 'gpt-4' }))).toEqual([
    'method',
    'url',
    'headers',
    'system-prompt',
    'messages',
    'tool-schema',
  ])
  const http = (url: string, text: string): object => ({ method: 'POST', url, headers: [], text })
  expect(near('http', 'a', http('https://a/x?page=1', 'a'), http('https://a/x?page=2', 'a'))).toEqual(['method', 'body'])
  expect(near('http', 'a', http('https://a/x?page=1', 'a'), http('https://a/x?page=1', 'b'))).toEqual(['method', 'url'])
})
