import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

it('prints what doors cost as one JSON object and nothing else', { timeout: 120_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'doors', '--json', '--quick'])
  const { suite, metrics } = JSON.parse(stdout) as { suite: string; metrics: Record<string, { value: number }> }
  expect(suite).toBe('doors')
  const drivers = ['grpc', 'ws', 'pg', 'postgres', 'mysql2', 'ioredis', 'redis', 'mongodb', 'node_sqlite', 'better_sqlite3'].flatMap(
    (name) => [`${name}_record_cpu`, `${name}_step_vs_stub`, `${name}_bytes_per_query`],
  )
  expect(Object.keys(metrics)).toEqual(['mcp_record_cpu', 'mcp_step_vs_stub', 'child_record_cpu', ...drivers])
  for (const { value } of Object.values(metrics)) expect(value).toBeGreaterThan(0)
})
