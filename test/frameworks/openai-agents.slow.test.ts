import { expect, it } from 'vitest'
import { holdFramework } from '../support/hold-framework.ts'
import { bothCalled, misspelt, turns } from './orders.ts'

it('holds two agents of OpenAI Agents, one of which hands over', async () => {
  const { called, mutant } = await holdFramework('openai-agents-handoff', [
    { toolCalls: [{ name: 'transfer_to_orders', args: {} }] },
    ...turns,
  ])
  expect(called).toEqual([['transfer_to_orders', {}, 'asked'], ...bothCalled])
  expect(mutant).toMatchObject({ ...misspelt, step: 3 })
})

it('takes neither the run context nor the signal of OpenAI Agents for the input of a function', async () => {
  const { called, mutant } = await holdFramework('openai-agents-tool', turns)
  expect(called).toEqual(bothCalled)
  expect(mutant).toMatchObject(misspelt)
})
