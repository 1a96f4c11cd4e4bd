import { expect, it } from 'vitest'
import { doors } from './doors.ts'
import { runTrial, type Time } from './trial.ts'

const core = Object.entries(doors).flatMap(([door, { core: isCore }]) => (isCore === true ? [door] : []))
const trials = core.flatMap((door) => (['early', 'late'] as const).map((time): [string, Time] => [door, time]))

// All doors, all behaviours, on several versions of Node: npm run conformance.
it.concurrent.each(trials)('records and replays what goes through %s, made %s', async (door, time) => {
  const findings = await runTrial({ door, time, extent: 'core' })
  expect(findings.length).toBeGreaterThan(0)
  expect(findings.filter(({ wrong }) => wrong.length > 0)).toEqual([])
})
