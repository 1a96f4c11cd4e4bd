import { expect, test } from 'vitest'

test('has a page', () => {
  expect(document.body).toBeDefined()
})
