import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startProgress } from '../../src/cli/progress.ts'
import { createTerminal } from '../../src/cli/terminal.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

it('says nothing of what is short, and leaves nothing behind of what is long', () => {
  const lines: string[] = []
  {
    using progress = startProgress({ status: (text) => void lines.push(text), width: 20 })
    progress.tell('1 of 3')
    vi.advanceTimersByTime(400)
    progress.tell('2 of 3')
    expect(lines).toEqual([])
    vi.advanceTimersByTime(400)
    progress.tell('3 of 3: a name of many letters')
  }
  expect(lines).toEqual(['3 of 3: a name of …', ''])
})

it('ends once', () => {
  const lines: string[] = []
  const progress = startProgress({ status: (text) => void lines.push(text), width: 80 })
  vi.advanceTimersByTime(1000)
  progress.tell('half')
  progress.end()
  progress.end()
  expect(lines).toEqual(['half', ''])
})

it('has what others print go to standard error until that is ended, and tells nobody who does not watch', () => {
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
