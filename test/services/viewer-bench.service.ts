import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Figures } from '../../bench/figures.ts'

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

it('prints what a page takes as one JSON object and nothing else', { timeout: 120_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'viewer', '--json', '--quick'])
  const { suite, metrics } = JSON.parse(stdout) as Figures
  expect(suite).toBe('viewer')
  expect(Object.keys(metrics)).toEqual([
    'open_ms_300_steps_5mb',
    'key_ms_p95',
    'app_gzip_kb',
    'golden_page_kb',
    'axe_violations',
    'requests',
  ])
  expect([metrics['axe_violations']?.value, metrics['requests']?.value]).toEqual([0, 0])
})
