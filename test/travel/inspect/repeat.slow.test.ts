import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { programs } from '../../chaos/programs.ts'
import { runNode } from '../../support/run-command.ts'
import type { RepeatedInspection } from './repeat-inspected.ts'

// The hard runs of test/chaos, a sample: `npm run test:full -- inspect` repeats them a thousand times on each Node.

const program = fileURLToPath(new URL('repeat-inspected-program.ts', import.meta.url))
const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())

it.each(Object.keys(programs))(`inspects without a trace in the run: %s (GOLDENRUN_SEED=${seed})`, async (name) => {
  const { stdout, stderr } = await runNode(process.cwd(), [program, name, '10', seed])
  const { equal, frames } = JSON.parse(stdout.trim().split('\n').at(-1) ?? stderr) as RepeatedInspection
  expect(equal).toBe(10)
  expect(frames).toHaveLength(1)
  expect(frames[0]).toBeGreaterThan(0)
})
