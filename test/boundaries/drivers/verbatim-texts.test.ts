import { expect, it } from 'vitest'
import { keepVerbatim, reviveVerbatim } from '../../../src/boundaries/drivers/node-redis/verbatim-texts.ts'

class VerbatimText {
  readonly format: string
  readonly #text: string

  constructor(format: string, text: string) {
    this.format = format
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

const bare = (fields: object): object => Object.assign(Object.create(null) as object, fields)

it('gives replies without verbatim texts as they are', () => {
  for (const reply of [
    bare({ total: '12' }),
    ['a', bare({ b: ['c'] })],
    new Map([['a', 1]]),
    new Set(['a']),
    Buffer.from('a'),
    null,
    'text',
    1,
  ])
    for (const mapped of [keepVerbatim(reply, VerbatimText), reviveVerbatim(reply, VerbatimText), reviveVerbatim(reply, undefined)])
      expect(mapped).toBe(reply)
})

it('keeps verbatim texts anywhere in a reply, and the prototypes of what they are in', () => {
  const reply = ['a', bare({ note: new VerbatimText('mkd', '# title') }), new Map([['note', new VerbatimText('txt', 'plain')]])]
  const kept = keepVerbatim(reply, VerbatimText)
  expect(JSON.stringify(kept)).toBe('["a",{"note":{"verbatim:mkd":"# title"}},{}]')
  const [, held, map] = reviveVerbatim(kept, VerbatimText) as [string, { readonly note: VerbatimText }, Map<string, VerbatimText>]
  expect(Object.getPrototypeOf(held)).toBe(null)
  expect([held.note, map.get('note')].map((text) => [text instanceof VerbatimText, text?.format, String(text)])).toEqual([
    [true, 'mkd', '# title'],
    [true, 'txt', 'plain'],
  ])
  expect(reviveVerbatim(['a', { 'verbatim:mkd': '# title' }], undefined)).toEqual(['a', '# title'])
})
