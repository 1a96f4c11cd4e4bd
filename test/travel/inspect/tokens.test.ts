import { expect, it } from 'vitest'
import { isInOneStatement } from '../../../src/travel/inspect/tokens.ts'

it.each([
  ['one(() => { a(); b() }, last)', true],
  ['one(a, b); last()', false],
  ['one(a) / 2; b(c) / last', false],
  ['one = /a; b/.exec(last)', true],
  ['one(function () { if (a) /b};/.test(c) }, last)', true],
  ['one(";", last)', true],
])('says of `one` and `last` in %s that they are in one statement: %s', (source, expected) => {
  expect(isInOneStatement(source, source.indexOf('one'), source.indexOf('last'))).toBe(expected)
})
