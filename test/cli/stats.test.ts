import { expect, it } from 'vitest'
import { record, recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { runCommand, withoutTimes } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

/** Columns are as wide as what stands in them, which differs from run to run. */
const inColumns = (output: string): string => withoutTimes(output).replaceAll(/(?<=\S) {2,}/g, '  ')

it('counts recordings by agent and version', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordCancel(store)
  await recordCancel(store)
  await recordRefundTwice(store)
  await record(store, { agent: 'triage', input: {} }, () => Promise.reject(new Error('no')))

  const { stdout, stderr, status } = await runCommand(project.path, ['stats'])
  expect(inColumns(stdout)).toMatchInlineSnapshot(`
    "4 recordings in .goldenrun/runs, from YYYY-MM-DD hh:mm:ssZ to YYYY-MM-DD hh:mm:ssZ:
      agent  version  runs  threw  in flight  flagged  repeated  median  tokens  size
      triage  1  1  0  0  0  # ms  0  # kB
      support  1  0  0  1  1  # ms  0  # kB
      support  1.4.0  2  0  0  0  0  # ms  0  # kB
      all  4  1  0  1  1  # ms  0  # kB
    "
  `)
  expect([status, stderr]).toEqual([0, ''])

  const json = await runCommand(project.path, ['stats', '--agent', 'support', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({
    runs: 3,
    returned: 3,
    threw: 0,
    inFlight: 0,
    flagged: 1,
    repeatedSideEffects: 1,
    agents: [
      { agent: 'support', agentVersion: null, runs: 1 },
      { agent: 'support', agentVersion: '1.4.0', runs: 2, medianMs: expect.any(Number) },
    ],
  })
})

it('says where it looked when there is nothing', async () => {
  await using project = await createTemporaryDirectory()
  expect((await runCommand(project.path, ['stats'])).stdout).toBe('No recordings in .goldenrun/runs.\n')
  expect((await runCommand(project.path, ['stats', '--agent', 'a'])).stdout).toBe('No recordings in .goldenrun/runs that match.\n')
})
