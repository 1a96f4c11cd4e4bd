import { expect, it } from 'vitest'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createJestWorkspace } from '../support/jest-workspace.ts'
import { expectAllPassed, expectAssertedOnly, NOT_ASSERTED_TESTS } from '../support/not-asserted.ts'
import type { RanTest } from '../support/not-awaited.ts'
import { environmentConfig, playFile, recordFile } from './files.ts'

it.each<[string, Readonly<Record<string, string>>, (tests: readonly RanTest[]) => void, number]>([
  ['passes a test that does not look at its replay', {}, expectAllPassed, 0],
  [
    'fails a test that does not look at its replay, where replays have to be asserted',
    { 'goldenrun.config.js': 'module.exports = { assertReplays: true }\n' },
    expectAssertedOnly,
    1,
  ],
])(
  '%s',
  async (_title, config, expectTests, exit) => {
    await using workspace = await createJestWorkspace()
    const files = {
      ...config,
      'jest.config.cjs': environmentConfig,
      'record.js': recordFile,
      'not-asserted.test.js': playFile + NOT_ASSERTED_TESTS,
    }
    const { status, folder } = await workspace.jest(files, { args: ['--json', '--outputFile=told.json'] })
    const { testResults } = JSON.parse(await readFile(path.join(folder, 'told.json'), 'utf8')) as {
      testResults: { assertionResults: RanTest[] }[]
    }
    expectTests(testResults.flatMap(({ assertionResults }) => assertionResults))
    expect(status).toBe(exit)
  },
  120_000,
)
