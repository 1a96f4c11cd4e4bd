import { expect, it } from 'vitest'
import { keepResult, reviveResult } from '../../../src/boundaries/drivers/postgres/postgres-answer.ts'
import type { PostgresResult } from '../../../src/boundaries/drivers/postgres/postgres-query.ts'
import { keepValue } from '../../../src/boundaries/drivers/postgres/postgres-values.ts'

// Shapes of the driver postgres that need no server; with one: test/services/postgres.service.ts.

function resultOf(rows: readonly unknown[], ...names: readonly string[]): PostgresResult {
  const columns = names.map((name) => ({ name, type: 25 }))
  return Object.assign([...rows], { columns, count: rows.length, command: 'SELECT', state: { status: 'I' } })
}

it('keeps rows as lists in the order of their columns, without a name in each', () => {
  const result = resultOf(
    [
      { total: '3', id: 'ord_1' },
      { total: '4', id: 'ord_2' },
    ],
    'id',
    'total',
  )
  const kept = keepResult(result)
  expect(kept).toMatchObject({
    rows: [
      ['ord_1', '3'],
      ['ord_2', '4'],
    ],
  })
  expect(kept).not.toHaveProperty('records')
  expect([...reviveResult(kept, false, '')]).toEqual([...result])
})

it.each([
  ['of two columns with one name, which a row has once', resultOf([{ id: 'ord_1' }], 'id', 'id')],
  ['that lack a column', resultOf([{ id: 'ord_1' }], 'id', 'total')],
  ['with names of their own', resultOf([{ id: 'ord_1', sum: '3' }], 'id', 'total')],
])('keeps rows as they are %s', (_, result) => {
  const kept = keepResult(result)
  expect(kept).toMatchObject({ records: [...result] })
  expect(kept).not.toHaveProperty('rows')
  expect([...reviveResult(kept, false, '')]).toEqual([...result])
})

it.each([
  { value: 'paid' },
  { first: 'Ann', rest: ['Lee'] },
  { type: 'card', value: 4, array: [1] },
  Object.assign(Object.create(null) as object, { value: 'paid' }),
])('takes plain data for nothing that postgres makes: %j', (value) => {
  expect(keepValue(value, () => 'a fragment')).toBe(value)
})
