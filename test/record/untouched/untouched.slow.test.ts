import { it } from 'vitest'
import { expectUntouched } from './expect-untouched.ts'

it('shows an agent the same of a hundred and fifty random HTTP behaviours as without a recorder', async () => {
  await expectUntouched(150)
})
