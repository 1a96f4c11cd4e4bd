import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { renderReport } from '../../../src/divergence/create-report.ts'
import { replay } from '../../../src/replay/replay.ts'
import { external } from '../../../src/run/external.ts'
import { recordRun } from '../../support/record-run.ts'

const look = external('look', async (order: string) => `${order} is late`)
const lines = readFileSync(import.meta.filename, 'utf8').split('\n')
const markedLine = (name: string): number => lines.findIndex((line) => line.endsWith(`// line: ${name}`)) + 1

const endings: Readonly<Record<string, () => unknown>> = {
  'process.exit(0)': () => process.exit(0), // line: process.exit(0)
  'process.exit(1)': () => process.exit(1), // line: process.exit(1)
  'process.exit()': () => process.exit(), // line: process.exit()
  'process.reallyExit(0)': () => (process as unknown as { reallyExit(status: number): never }).reallyExit(0), // line: process.reallyExit(0)
  'process.abort()': () => process.abort(), // line: process.abort()
  "process.kill(process.pid, 'SIGKILL')": () => process.kill(process.pid, 'SIGKILL'), // line: process.kill(process.pid, 'SIGKILL')
  "process.kill(process.pid, 'SIGTERM')": () => process.kill(process.pid), // line: process.kill(process.pid, 'SIGTERM')
}

const recorded = await recordRun(async () => await look('ord_1'))

it.each(Object.keys(endings))('is red for an agent that now ends its process by %s, and goes on', async (ending) => {
  const agent = async (): Promise<string> => {
    const found = await look('ord_1')
    endings[ending]?.()
    return found
  }
  const { divergences } = await replay(recorded.trace, agent)
  expect(divergences[0]).toMatchObject({
    cause: 'unrecorded-contact',
    step: 1,
    position: 'after',
    name: `exit ${ending}`,
    site: { file: 'test/boundaries/process/exit.test.ts', line: markedLine(ending) },
  })
})

it('is red where the agent swallows the refusal, or makes it in a callback that nobody awaits', async () => {
  const agents = {
    swallowed: () => {
      try {
        process.exit(0)
      } catch {
        // As a library might.
      }
    },
    late: () => void setTimeout(() => process.exit(0), 10),
    'not awaited': () => void Promise.resolve().then(() => process.exit(0)),
  }
  for (const [how, end] of Object.entries(agents)) {
    const { divergences } = await replay(recorded.trace, async () => {
      const found = await look('ord_1')
      end()
      return found
    })
    expect([how, divergences[0]?.name]).toEqual([how, 'exit process.exit(0)'])
  }
})

it('only asks whether this process is there', async () => {
  const { divergences } = await replay(recorded.trace, async () => {
    process.kill(process.pid, 0)
    return await look('ord_1')
  })
  expect(divergences).toEqual([])
})

it('says that the agent ended its process, and what to do', async () => {
  const run = await replay(recorded.trace, async () => {
    await look('ord_1')
    process.exit(0)
  })
  const report = renderReport(run, { color: false, width: 120 })
  expect(report).toContain('The agent ended its process, which the recorded run did not do.')
  expect(report).toContain('process.exit(0)')
  expect(report).toContain('Let the agent return, and end the process in the program that calls it.')
  expect(report).not.toContain('record the run again')
})
