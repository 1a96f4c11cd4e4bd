import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Figures } from '../../bench/figures.ts'
import { listTauRuns } from '../../examples/tau/tau-run.ts'

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

it.skipIf(listTauRuns().length === 0)(
  'says of mutated agents what the world around them says (skipped where the recorded runs are absent)',
  { timeout: 300_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, 'verdicts', '--json', '--quick'])
    const { suite, metrics, absences = {} } = JSON.parse(stdout) as Figures
    expect(suite).toBe('verdicts')
    const value = (name: string): number | undefined => metrics[name]?.value
    // A quarter and more of the mutations are refactorings, and the rest does harm wherever it comes to bear.
    expect(value('mutations')).toBeGreaterThanOrEqual(25)
    expect(value('harmful_runs')).toBeGreaterThanOrEqual(15)
    expect(value('benign_runs')).toBeGreaterThanOrEqual(5)
    expect(value('harmful_detected')).toBe(1)
    expect(value('first_step_right')).toBe(1)
    expect(value('cause_right')).toBe(1)
    expect(value('benign_false_alarms')).toBe(0)
    expect(value('verdict_share_of_replay')).toBeLessThanOrEqual(1)
    expect(Object.keys(absences)).toEqual(['aimock_harmful_detected', 'vitest_evals_harmful_detected'])
  },
)
