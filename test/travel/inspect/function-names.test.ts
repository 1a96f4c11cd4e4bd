import { expect, it } from 'vitest'
import { declaredName } from '../../../src/travel/inspect/function-names.ts'

// `@` is where V8 says that the function begins.

it.each([
  ['async function early@() {}', 'early', 'early'],
  ['function* each @() {}', 'each', 'each'],
  ['const hit = @(p) => fetch(p)', 'hit', 'hit'],
  ['const hit = @async (p) => fetch(p)', 'hit', 'hit'],
  ['const hit = async function @() {}', 'hit', 'hit'],
  ['const hit = (@() => 1)', 'hit', 'hit'],
  ['exports.handler = async function@ () {}', 'exports.handler', 'exports.handler'],
  ['tools = { look: @async () => {}', 'look', 'look'],
  ['tools = { "look": @async () => {}', 'look', 'look'],
  ['tools = { async look@() {}', 'look', 'look'],
  ['class A { get total@() {}', 'get total', 'get total'],
  ['class A { static async *[Symbol.asyncIterator]@() {}', '[Symbol.asyncIterator]', '[Symbol.asyncIterator]'],
  ['class A { #secret@() {}', '#secret', '#secret'],
  ['class A { constructor@() {}', 'A', 'A'],
  ['@class A {}', 'A', 'A'],
  ['const f = /* @__PURE__ */ __name(@async () => 1, "f")', 'f', 'f'],
  ['export default @async () => 1', 'default', 'default'],
  // Invented.
  ['const len = await new Promise(@(resolve) => 1)', 'len', ''],
  ['em.done = await new Promise(@(resolve) => 1)', 'em.done', ''],
  ['await new Promise((r) => queueMicrotask(@() => 1))', 'EventEmitter.EventEmitter', ''],
  ['const total = items.map(@async (item) => 1)', 'total', ''],
])('%s', (marked, name, expected) => {
  const at = marked.lastIndexOf('@') === marked.indexOf('@') ? marked.indexOf('@') : marked.lastIndexOf('@')
  const source = marked.slice(0, at) + marked.slice(at + 1)
  expect(declaredName(source, at, name)).toBe(expected)
})
