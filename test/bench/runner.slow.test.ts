import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Figures } from '../../bench/figures.ts'

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

it('prints what goldens cost in the test runner as one JSON object and nothing else', { timeout: 300_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'runner', '--json', '--quick'])
  const { suite, metrics, absences = {} } = JSON.parse(stdout) as Figures
  expect(suite).toBe('runner')
  expect(Object.entries(metrics).map(([name, { unit, value }]) => [name, unit, Number.isFinite(value)])).toEqual([
    ['golden_warm_ms', 'ms', true],
    ['plain_test_warm_ms', 'ms', true],
    ['golden_file_added_ms', 'ms', true],
    ['plain_file_added_ms', 'ms', true],
    ['root_import_ms', 'ms', true],
    ['hundred_goldens_s', 's', true],
    ['hundred_plain_tests_s', 's', true],
    ['hundred_rebased_s', 's', true],
  ])
  // A quick run installs nothing.
  expect(Object.keys(absences)).toEqual(['aimock_test_warm_ms', 'aimock_file_added_ms', 'aimock_import_ms', 'hundred_aimock_tests_s'])
})
