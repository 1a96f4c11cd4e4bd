import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Figures } from '../../bench/figures.ts'

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

it('says of mutated agents what was declared of them, and what the world around them saw', { timeout: 300_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'verdicts', '--json', '--quick'])
  const { suite, metrics, absences = {} } = JSON.parse(stdout) as Figures
  expect(suite).toBe('verdicts')
  const value = (name: string): number | undefined => metrics[name]?.value
  // Every fifth mutation of each agent, in one run; the desk's only where the recorded runs are there.
  expect(value('mutations')).toBeGreaterThanOrEqual(60)
  expect(value('mutation_kinds')).toBeGreaterThanOrEqual(30)
  expect(value('harmful_runs')).toBeGreaterThanOrEqual(30)
  expect(value('benign_runs')).toBeGreaterThanOrEqual(15)
  expect(value('harmful_detected')).toBe(1)
  expect(value('first_step_right')).toBeGreaterThanOrEqual(0.97)
  expect(value('cause_right')).toBeGreaterThanOrEqual(0.97)
  expect(value('line_right')).toBeGreaterThanOrEqual(0.9)
  expect(value('benign_false_alarms')).toBe(0)
  expect(value('incident_agents')).toBeGreaterThanOrEqual(60)
  expect(value('incident_false_holds')).toBe(0)
  expect(value('incident_false_reds')).toBe(0)
  expect(value('verdict_share_of_replay')).toBeLessThanOrEqual(1)
  expect(Object.keys(absences)).toEqual(['aimock_harmful_detected', 'vitest_evals_harmful_detected'])
})
