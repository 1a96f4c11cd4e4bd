import { expect, it } from 'vitest'
import { EnvironmentMask } from '../../../src/travel/inspect/environment-mask.ts'

const secret = 'swordfish & chips?~'
const mask = new EnvironmentMask([
  ['SHOP_KEY', secret],
  ['SHORT', 'salmon'],
])

it.each(['', 'u', 'us', 'bob:', 'bob2:', 'a longer text, '])(
  'masks a value in the base64 of a longer text that begins with "%s"',
  (before) => {
    for (const after of ['', ':', ' x', ' and more']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const masked = mask.mask(`Basic ${Buffer.from(`${before}${secret}${after}`).toString(encoding)}`)
        const [start = '', end = '', ...others] = masked.slice('Basic '.length).split('<env SHOP_KEY>')
        expect(others).toEqual([])
        expect(masked).toContain('<env SHOP_KEY>')
        // What is left has the text around the value, and no whole character of it.
        expect(before).toContain(Buffer.from(start, encoding).toString().slice(0, before.length))
        expect(start.length).toBeLessThanOrEqual(Math.ceil((before.length * 4) / 3) + 1)
        expect(end.replaceAll('=', '').length).toBeLessThanOrEqual(Math.ceil((after.length * 4) / 3) + 1)
      }
    }
  },
)

it('leaves a value of fewer than 7 bytes in the base64 of a longer text', () => {
  const inText = Buffer.from('bob:salmon').toString('base64')
  expect(mask.mask(inText)).toBe(inText)
  expect(mask.mask(`${Buffer.from('salmon').toString('base64')} ${Buffer.from('salmon').toString('hex')}`)).toBe('<env SHORT> <env SHORT>')
})
