import { expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { cardsByTheirDigits, lookAlikes } from './look-alikes.ts'

it('leaves 99 % and more of two thousand harmless look-alikes alone, as text and as the values that they are', () => {
  expect(lookAlikes.length).toBeGreaterThanOrEqual(2000)
  expect(cardsByTheirDigits).toBeGreaterThan(60)
  const changed = lookAlikes.flatMap(({ family, text }) => {
    const redacted = createRedactor().text(text)
    const value = readValue(text)
    const asValue = createRedactor().value(value)
    const isKept = redacted === text && JSON.stringify(asValue) === JSON.stringify(value)
    return isKept ? [] : [`${family}: ${text} → ${redacted} / ${JSON.stringify(asValue)}`]
  })
  expect(changed.length / lookAlikes.length, changed.join('\n')).toBeLessThanOrEqual(0.01)
})

/** JSON as the value that it is; any other text as a field of one. */
function readValue(text: string): unknown {
  return text.startsWith('{') ? JSON.parse(text) : { text, list: [text] }
}
