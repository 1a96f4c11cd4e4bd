import { expect, it } from 'vitest'
import { holdFramework } from '../support/hold-framework.ts'
import { both, bothCalled, misspelt, turns } from './orders.ts'

it('holds an agent of LangGraph, and names a tool that is called with something else', async () => {
  const { called, mutant } = await holdFramework('langgraph-invoke', turns)
  expect(called).toEqual(bothCalled)
  expect(mutant).toMatchObject(misspelt)
})

it('holds a stream of LangGraph with a tool that is a class with private fields', async () => {
  const { called, mutant } = await holdFramework('langgraph-stream', turns)
  expect(called).toEqual(bothCalled)
  expect(mutant).toMatchObject(misspelt)
})

it('holds a graph that fans out, whose nodes call a tool made with func', async () => {
  const { called, mutant } = await holdFramework('langgraph-fan-out', [{ toolCalls: both }])
  expect(called).toEqual(bothCalled)
  expect(mutant).toMatchObject(misspelt)
})

it('takes nothing of LangGraph’s runtime for the input of a function that LangChain calls', async () => {
  const { called, mutant } = await holdFramework('langchain-tool', turns)
  expect(called).toEqual(bothCalled)
  expect(mutant).toMatchObject(misspelt)
})
