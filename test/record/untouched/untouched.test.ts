import { it } from 'vitest'
import { expectUntouched } from './expect-untouched.ts'

// More of them: untouched.slow.test.ts; others each time: npm run untouched.
it('shows an agent the same of forty random HTTP behaviours as without a recorder', async () => {
  await expectUntouched(40)
})
