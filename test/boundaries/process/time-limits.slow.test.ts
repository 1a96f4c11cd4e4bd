import { type ChildProcess, exec, execFile, execFileSync, execSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'

const takes = 250
const program = `setTimeout(() => console.log('done'), ${takes})`
const command = `"${process.execPath}" -e "${program}"`
const args = ['-e', program]

/** Starts a process that may take so long, and gives what came of it. */
type Way = (limit: { readonly timeout?: number }) => unknown

const ends = async (child: ChildProcess): Promise<unknown> => once(child, 'close')
const code = (error: unknown): unknown => Reflect.get(error as object, 'signal')

const ways: readonly (readonly [form: string, way: Way])[] = [
  ['exec', async (limit) => ends(exec(command, limit))],
  ['promisified exec', async (limit) => promisify(exec)(command, limit).catch(code)],
  ['execFile', async (limit) => ends(execFile(process.execPath, args, limit))],
  ['promisified execFile', async (limit) => promisify(execFile)(process.execPath, args, limit).catch(code)],
  ['spawn', async (limit) => ends(spawn(process.execPath, args, limit))],
  ['execSync', (limit) => execSync(command, limit).toString()],
  ['execFileSync', (limit) => execFileSync(process.execPath, args, limit).toString()],
  ['spawnSync', (limit) => spawnSync(process.execPath, args, limit).stdout.toString()],
]

it.each(ways)('compares the time limit of %s with what the process took', async (_form, way) => {
  let timeout: number | undefined = 20_000
  const agent = async (): Promise<unknown> => way(timeout === undefined ? {} : { timeout })
  const { trace } = await recordRun(agent)
  const causes: unknown[] = []
  for (timeout of [20_000, 60_000, undefined, 40]) {
    const { divergences } = await replay(trace, agent)
    causes.push(divergences.map(({ cause, step, received }) => [cause, step, received]))
  }
  expect(causes).toEqual([[], [], [], [['time-limit', 1, { limit: 40, after: 40 }]]])
})

it('holds a process that was ended at its limit, with the same limit', async () => {
  const agent = async (): Promise<unknown> => promisify(exec)(command, { timeout: 30 }).catch(code)
  const { trace, output } = await recordRun(agent)
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome, output]).toEqual([[], { status: 'returned', output }, 'SIGTERM'])
})

it('finds a limit where there was none', async () => {
  let options = {}
  const agent = async (): Promise<unknown> => promisify(exec)(command, options)
  const { trace } = await recordRun(agent)
  options = { timeout: 100 }
  const run = await replay(trace, agent)
  expect(run.divergences.map(({ cause, step }) => [cause, step])).toEqual([['time-limit', 1]])
})

it('keeps no limit by the clock of the machine that replays', async () => {
  let isReplayed = false
  const stall = (): void => void (isReplayed && Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150))
  const timeout = 100
  const agent = async (): Promise<unknown> => {
    const started = spawn('echo', ['three'], { timeout })
    const seen = Promise.all([
      promisify(exec)('echo one', { timeout }),
      promisify(execFile)('echo', ['two'], { timeout }),
      once(started, 'exit'),
    ])
    setTimeout(stall, 1)
    setTimeout(stall, 2)
    return (await seen).map((each) => (Array.isArray(each) ? each : each.stdout))
  }
  const { trace, output } = await recordRun(agent)
  isReplayed = true
  const run = await replay(trace, agent)
  expect([run.divergences, output]).toEqual([[], ['one\n', 'two\n', [0, null]]])
})

it('leaves a limit that is no number to Node', async () => {
  const refused = (timeout: unknown): unknown => {
    try {
      return Reflect.apply(execFile, undefined, [process.execPath, ['-e', ''], { timeout }])
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const agent = async (): Promise<unknown[]> => [refused(Symbol('soon')), refused({ valueOf: () => assertNever() })]
  const { trace, output } = await recordRun(agent)
  const run = await replay(trace, agent)
  const codes = await agent()
  expect(codes).toEqual([expect.stringMatching(/^ERR_/), expect.stringMatching(/^ERR_/)])
  expect([output, run.outcome]).toEqual([codes, { status: 'returned', output: codes }])
})

function assertNever(): never {
  throw new Error('nobody asks for its number')
}
