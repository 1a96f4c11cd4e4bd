import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Figures } from '../../bench/figures.ts'

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

it('prints what time travel takes as one JSON object and nothing else', { timeout: 300_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'travel', '--json', '--quick'])
  const { suite, metrics } = JSON.parse(stdout) as Figures
  expect(suite).toBe('travel')
  expect(Object.keys(metrics)).toEqual([
    'fork_prefix_ms_28',
    'fork_28_vs_rerun',
    'resume_vs_prefix_1000',
    'verify_cached_calls',
    'samples_concurrent_16_leaks',
  ])
  expect([metrics['verify_cached_calls']?.value, metrics['samples_concurrent_16_leaks']?.value]).toEqual([0, 0])
})
