import { expect, it } from 'vitest'
import { SourcePositions } from '../../../src/travel/inspect/source-positions.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

it('tells the code of the agent from the helper that a transpiler has put into its line', async () => {
  await using directory = await createTemporaryDirectory()
  const url = await directory.write('agent.ts', 'await using file = open()\n')
  const helper = 'function _usingCtx() { return { d() {} } }'
  const script = `"use strict";${helper}open()\nclose()\n`
  const positions = new SourcePositions()
  positions.add({ scriptId: '7', url })
  expect(positions.needsText({ scriptId: '7' })).toBe(true)
  positions.addText('7', script)
  const isOfAgent = (lineNumber: number, columnNumber: number): boolean => positions.isOfAgent({ scriptId: '7', lineNumber, columnNumber })
  const [start, end] = [script.indexOf(helper), script.indexOf('open()')]
  expect([start - 1, start, end - 1, end].map((column) => isOfAgent(0, column))).toEqual([true, false, false, true])
  expect(isOfAgent(1, start)).toBe(true)
})
