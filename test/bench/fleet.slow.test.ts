import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Figures } from '../../bench/figures.ts'

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

it('prints what a fleet in a bucket takes as one JSON object and nothing else', { timeout: 300_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'fleet', '--json', '--quick'])
  const { suite, metrics } = JSON.parse(stdout) as Figures
  expect(suite).toBe('fleet')
  expect(Object.keys(metrics)).toEqual([
    'ship_runs_per_second',
    'bytes_per_run_cold',
    'requests_per_run',
    'index_bytes_per_run',
    'find_ms_million_runs_day',
    'find_ms_million_runs_week',
    'find_ms_million_runs_trace',
    'find_ms_million_runs_none',
    'cost_per_month_1_4m_a_day',
  ])
})
