import { expect, it } from 'vitest'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createJestWorkspace } from '../support/jest-workspace.ts'
import { expectAwaitedOnly, NOT_AWAITED_TESTS, type RanTest } from '../support/not-awaited.ts'
import { environmentConfig, playFile, recordFile } from './files.ts'

const PLAY = `${playFile}const playConcurrently = async () => replay(await recorded, agent)
`

it('fails a test that ends while a replay or an assertion of it is in progress', async () => {
  await using workspace = await createJestWorkspace()
  const files = { 'jest.config.cjs': environmentConfig, 'record.js': recordFile, 'not-awaited.test.js': PLAY + NOT_AWAITED_TESTS }
  const { status, folder } = await workspace.jest(files, { args: ['--json', '--outputFile=told.json'] })
  const { testResults } = JSON.parse(await readFile(path.join(folder, 'told.json'), 'utf8')) as {
    testResults: { assertionResults: RanTest[] }[]
  }
  expectAwaitedOnly(testResults.flatMap(({ assertionResults }) => assertionResults))
  expect(status).toBe(1)
}, 120_000)
