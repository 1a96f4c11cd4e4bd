import { expect, it } from 'vitest'
import { holdFramework } from '../support/hold-framework.ts'
import { bothCalled, misspelt, turns } from './orders.ts'

it('holds the tool runner of the Anthropic SDK', async () => {
  const { called, mutant } = await holdFramework('anthropic-runner', turns)
  expect(called).toEqual(bothCalled)
  expect(mutant).toMatchObject(misspelt)
})
