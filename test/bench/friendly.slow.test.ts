import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Figures } from '../../bench/figures.ts'

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

it('prints how far a new user gets as one JSON object and nothing else', { timeout: 300_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'friendly', '--json', '--quick'])
  const { suite, metrics } = JSON.parse(stdout) as Figures
  expect(suite).toBe('friendly')
  expect(Object.keys(metrics)).toEqual(['first_red_vitest_commands', 'first_red_jest_commands', 'init_green', 'rebase_ms_300'])
  // Of a project with Vitest and one with Jest.
  expect(metrics['init_green']?.value).toBe(2)
  for (const name of ['first_red_vitest_commands', 'first_red_jest_commands']) expect(metrics[name]?.value).toBeLessThanOrEqual(6)
})
