import { expect, test } from 'vitest'

test('shows what it is given', () => {
  document.body.textContent = 'Your refund is on its way.'
  expect(document.body.innerHTML).toBe('Your refund is on its way.')
})
