import { expect, it } from 'vitest'
import { holdFramework } from '../support/hold-framework.ts'
import { bothCalled, misspelt, turns } from './orders.ts'

it('holds a ToolLoopAgent of the AI SDK, and names a tool that is called with something else', async () => {
  const { called, mutant } = await holdFramework('ai-sdk-loop', turns)
  expect(called).toEqual(bothCalled)
  expect(mutant).toMatchObject(misspelt)
})

it('takes nothing of what the AI SDK passes beside the arguments for the input of a function, and lists each call once', async () => {
  const { called, mutant } = await holdFramework('ai-sdk-tool', turns)
  expect(called).toEqual(bothCalled)
  expect(mutant).toMatchObject(misspelt)
})
