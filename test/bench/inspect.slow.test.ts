import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Figures } from '../../bench/figures.ts'

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

it('prints what inspecting takes as one JSON object and nothing else', { timeout: 300_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'inspect', '--json', '--quick'])
  const { suite, metrics } = JSON.parse(stdout) as Figures
  expect(suite).toBe('inspect')
  expect(Object.keys(metrics)).toEqual(['inspect_ms_per_step', 'inspect_hash_equal', 'debug_to_stop_ms', 'inspect_memory_mb'])
  expect(metrics['inspect_hash_equal']?.value).toBe(1)
})
