import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { errorsOfAction, errorsOfWorkflow } from './support/github-schema.ts'

it('is described as GitHub wants it, and so is the workflow of this repository', async () => {
  expect(await errorsOfAction(await readFile('action.yml', 'utf8'))).toEqual([])
  expect(await errorsOfWorkflow(await readFile('.github/workflows/ci.yml', 'utf8'))).toEqual([])
  // The parser does find what is wrong.
  expect(await errorsOfAction('name: x\ndescription: x\nruns:\n  using: composite\n  stepz: []\n')).not.toEqual([])
  expect(await errorsOfWorkflow('on: pushed\njobs: {}\n')).not.toEqual([])
})
