import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Figures } from '../../bench/figures.ts'

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

const cells = ['json_c1', 'json_c64', 'sse_c1', 'sse_c64', '100k_c1', '100k_c64'].map((cell) => `cpu_${cell}`)
const withouts = ['delta', 'delta_and_dedupe', 'zstd', 'keyframes', 'redaction'].map((part) => `bytes_ratio_20_without_${part}`)

/** The metrics that the suite has to give, by unit; of conversations those of the quick run's lengths. */
const expected: Readonly<Record<string, readonly string[]>> = {
  x: [
    ...cells,
    ...cells.flatMap((cell) => [`hook_${cell}`, `scope_${cell}`, `tee_${cell}`]),
    'bytes_ratio_5',
    'bytes_ratio_20',
    ...withouts,
    'bytes_vs_otlp',
  ],
  '%': ['run_p99_overhead_percent', 'burst_p99_overhead_percent'],
  'runs/s': ['ingest_runs_per_second'],
  µs: ['side_effect_append_us'],
  ms: ['main_thread_ms_per_step_20', 'total_ms_per_step_20', 'lookup_ms_million_runs'],
}

/** Those of what may be absent here: recorded runs, and what is installed to be measured against. */
const mayBeAbsent = ['bytes_ratio_real_runs', 'bytes_vs_otlp_real_runs', 'interceptors_cpu', 'otel_cpu', 'cpu_node22']

it('prints the figures of a recorder as one JSON object and nothing else', { timeout: 300_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'record', '--json', '--quick'])
  const { suite, metrics, absences = {} } = JSON.parse(stdout) as Figures
  expect(suite).toBe('record')
  const names = Object.entries(expected).flatMap(([unit, each]) => each.map((name) => [name, unit]))
  expect(names.map(([name = '']) => [name, metrics[name]?.unit])).toEqual(names)
  expect(mayBeAbsent.filter((name) => metrics[name] === undefined && typeof absences[name] !== 'string')).toEqual([])
  expect(Object.values(metrics).filter(({ value }) => !Number.isFinite(value))).toEqual([])
})
