import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { renderReport } from '../../../src/divergence/create-report.ts'
import { replay } from '../../../src/replay/replay.ts'
import { external } from '../../../src/run/external.ts'
import { recordRun } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

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

describe('a listener for the end of the process that a replayed run adds', () => {
  const adding = ['on', 'addListener', 'once', 'prependListener', 'prependOnceListener'] as const

  it.each([
    ['on', 'touch'],
    ['addListener', 'mkdir'],
    ['once', 'mkfifo'],
    ['prependListener', 'tee'],
    ['prependOnceListener', 'mknod'],
  ] as const)('does nothing real when the process ends, added by process.%s', async (name, program) => {
    await using directory = await createTemporaryDirectory()
    const file = path.join(directory.path, 'touched')
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const before = new Set(process.rawListeners('exit'))
    await replay(recorded.trace, async () => {
      const found = await look('ord_1')
      process[name]('exit', () => {
        writeFileSync(file, 'written')
        execFileSync(program, program === 'mknod' ? [file, 'p'] : [file])
      })
      return found
    })
    const [listener] = process.rawListeners('exit').filter((one) => !before.has(one))
    expect(() => Reflect.apply(listener ?? (() => undefined), process, [0])).toThrow(`refused to contact ${program} (child process)`)
    process.removeListener('exit', listener as () => void)
    expect(existsSync(file)).toBe(false)
    expect(said.mock.calls.join('')).toContain(
      `goldenrun refused to call process ${program} (external) at test/boundaries/process/exit.test.ts:`,
    )
    expect(process.rawListeners('exit')).not.toContain(listener)
  })

  it('is removed by itself, as Node does', async () => {
    const before = process.listenerCount('exit')
    const listener = (): void => undefined
    await replay(recorded.trace, async () => {
      for (const name of adding) process[name]('beforeExit', listener)
      for (const _ of adding) process.off('beforeExit', listener)
      process.once('exit', listener)
      process.off('exit', listener)
      return await look('ord_1')
    })
    expect([process.listenerCount('exit'), process.listeners('beforeExit').includes(listener)]).toEqual([before, false])
  })

  it('is called once, if it was added so', async () => {
    let calls = 0
    await replay(recorded.trace, async () => {
      process.once('beforeExit', () => (calls += 1))
      return await look('ord_1')
    })
    process.emit('beforeExit', 0)
    process.emit('beforeExit', 0)
    expect(calls).toBe(1)
  })
})
