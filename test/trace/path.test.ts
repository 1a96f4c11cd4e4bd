import { expect, it } from 'vitest'
import type { PathKey } from '../../src/trace/json.ts'
import { anyKey, parsePath, toPath } from '../../src/trace/path.ts'

const written: readonly (readonly [path: string, keys: readonly PathKey[]])[] = [
  ['args', ['args']],
  ['messages[0].content', ['messages', 0, 'content']],
  ['headers["x-tenant"]', ['headers', 'x-tenant']],
  ['args["$ref"]', ['args', '$ref']],
  ['args["a \\"quoted\\" name"]', ['args', 'a "quoted" name']],
  ['args["line\\nbreak"][12][3]', ['args', 'line\nbreak', 12, 3]],
  ['args["]"]["[*]"].a_1', ['args', ']', '[*]', 'a_1']],
  ['args["12"]', ['args', '12']],
  ['args[""]', ['args', '']],
  ['args.__proto__', ['args', '__proto__']],
  ['args["naïve"]', ['args', 'naïve']],
]

it.each(written)('reads %s as it writes it', (path, keys) => {
  expect(toPath(keys, '')).toBe(path)
  expect(parsePath(path)).toEqual(keys)
})

it('reads any field and any item', () => {
  expect(parsePath('messages[*].metadata[*]')).toEqual(['messages', anyKey, 'metadata', anyKey])
})

it.each([
  ['', '"" cannot be parsed from "" on'],
  ['.args', '".args" cannot be parsed from ".args" on'],
  ['args..id', '"args..id" cannot be parsed from "..id" on'],
  ['args.x-id', '"args.x-id" cannot be parsed from "-id" on'],
  ['args[x]', '"args[x]" cannot be parsed from "[x]" on'],
  ['args[01]', '"args[01]" cannot be parsed from "[01]" on'],
  ['args[-1]', '"args[-1]" cannot be parsed from "[-1]" on'],
  ["args['id']", '"args[\'id\']" cannot be parsed from "[\'id\']" on'],
  ['args["id]', '"args[\\"id]" cannot be parsed from "[\\"id]" on'],
  ['args["\\x"]', '"args[\\"\\\\x\\"]" holds "\\x", which is not text'],
  ['args.*', '"args.*" cannot be parsed from ".*" on'],
  ['args ', '"args " cannot be parsed from " " on'],
])('says where %s cannot be read', (path, problem) => {
  expect(parsePath(path)).toEqual({ problem })
})
