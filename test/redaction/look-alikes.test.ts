import { expect, it } from 'vitest'
import { createRedactor } from '../../src/record/redaction/redactor.ts'
import { cardsByTheirDigits, lookAlikes } from './look-alikes.ts'

it('leaves 495 and more of five hundred harmless look-alikes alone, as text and as the values that they are', () => {
  expect(lookAlikes).toHaveLength(500)
  expect(cardsByTheirDigits).toBeGreaterThan(60)
  const changed = lookAlikes.flatMap(({ family, text }) => {
    const redacted = createRedactor().text(text)
    const value = readValue(text)
    const asValue = createRedactor().value(value)
    const isKept = redacted === text && JSON.stringify(asValue) === JSON.stringify(value)
    return isKept ? [] : [`${family}: ${text} → ${redacted} / ${JSON.stringify(asValue)}`]
  })
  expect(changed.slice(5), changed.join('\n')).toEqual([])
})

/** JSON as the value that it is; any other text as a field of one. */
function readValue(text: string): unknown {
  return text.startsWith('{') ? JSON.parse(text) : { text, list: [text] }
}
