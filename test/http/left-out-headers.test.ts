import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isLeftOut, leftOutHeaders, withoutLeftOut } from '../../src/http/left-out-headers.ts'

const page = readFileSync(new URL('../../docs/doors.md', import.meta.url), 'utf8')

it('is the table in docs/doors.md', () => {
  const [, rows = ''] = /\| left out \| reason \|\n\| --- \| --- \|\n((?:\|.*\n)+)/.exec(page) ?? []
  const documented = rows.split('\n').flatMap((row) => {
    const [, names = '', reason = ''] = /^\| (.*) \| (.*) \|$/.exec(row) ?? []
    return names === '' ? [] : [{ names: names.split(', ').map((name) => name.replaceAll('`', '')), reason }]
  })
  expect(documented).toEqual(leftOutHeaders)
})

it.each(['CF-Ray', 'alt-svc', 'NEL', 'Report-To', 'Strict-Transport-Security', 'x-envoy-upstream-service-time'])(
  'leaves out %s',
  (name) => {
    expect(isLeftOut(name)).toBe(true)
  },
)

it.each(['retry-after', 'x-request-id', 'x-elastic-product', 'x-envoy', 'set-cookie', 'via', 'server'])('keeps %s', (name) => {
  expect(isLeftOut(name)).toBe(false)
})

it('names each header that is left out once', () => {
  expect(
    withoutLeftOut({
      headers: [
        ['CF-Ray', '1'],
        ['x-one', '2'],
        ['cf-ray', '3'],
      ],
    }),
  ).toEqual({ headers: [['x-one', '2']], leftOut: ['cf-ray'] })
})
