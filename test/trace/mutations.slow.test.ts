import { it } from 'vitest'
import { expectCutsRefused } from '../support/mutated-traces.ts'

it('reads a golden that is cut anywhere as an error, but for the line break at its end', () => {
  expectCutsRefused(1)
})
