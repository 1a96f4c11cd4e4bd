import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withProgress } from '../../src/cli/progress.ts'
import { createTerminal } from '../../src/cli/terminal.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

it('says nothing of what is short, and leaves nothing behind of what is long', async () => {
  const lines: string[] = []
  const result = await withProgress({ status: (text) => void lines.push(text), width: 20 }, async (progress) => {
    progress.tell('1 of 3')
    vi.advanceTimersByTime(400)
    progress.tell('2 of 3')
    expect(lines).toEqual([])
    vi.advanceTimersByTime(400)
    progress.tell('3 of 3: a name of many letters')
    return 'done'
  })
  expect(result).toBe('done')
  expect(lines).toEqual(['3 of 3: a name of …', ''])
})

it('leaves nothing behind of what fails, nor anything to leave of what never spoke', async () => {
  const lines: string[] = []
  const terminal = { status: (text: string) => void lines.push(text), width: 80 }
  const failing = withProgress(terminal, async (progress) => {
    vi.advanceTimersByTime(1000)
    progress.tell('half')
    throw new Error('no more')
  })
  await expect(failing).rejects.toThrow('no more')
  expect(lines).toEqual(['half', ''])
  await withProgress(terminal, async () => undefined)
  expect(lines).toEqual(['half', ''])
})

it('shows after a while what was told at once', async () => {
  vi.useRealTimers()
  const lines: string[] = []
  const shown = Promise.withResolvers<void>()
  const status = (text: string): void => {
    lines.push(text)
    shown.resolve()
  }
  await withProgress({ status, width: 80 }, async (progress) => {
    progress.tell('Inspecting refund-twice')
    await shown.promise
  })
  expect(lines).toEqual(['Inspecting refund-twice', ''])
})

it('sends the output of others to standard error until it is restored, and prints no progress outside a terminal', () => {
  const written: string[] = []
  const stream = (name: string): object => ({ fd: -1, on: () => undefined, write: (text: string) => void written.push(`${name} ${text}`) })
  const streams = { stdin: stream('in'), stdout: stream('out'), stderr: stream('err') } as unknown as NodeJS.Process
  const terminal = createTerminal(streams)
  terminal.status('half')
  const restore = terminal.divert()
  streams.stdout.write('an agent speaks')
  restore()
  terminal.print('done')
  expect(written).toEqual(['err an agent speaks', 'out done\n'])
})
