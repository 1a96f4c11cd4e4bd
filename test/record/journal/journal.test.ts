import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { appendFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { describeCall, describeResult } from '../../../src/divergence/describe-call.ts'
import { createRecorder } from '../../../src/record/recorder.ts'
import { findRepeatedSideEffects } from '../../../src/replay/goldens/promotion/expect-departure.ts'
import { readTrace } from '../../../src/replay/traces/read-trace.ts'
import { tool } from '../../../src/run/tool.ts'
import { createDirectoryStore } from '../../../src/stores/directory-store.ts'
import { sideEffectsOf } from '../../../src/trace/side-effects.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts'
import { type CommandResult, runCommand } from '../../support/run-command.ts'
import { recordOnThread } from '../../support/record-on-thread.ts'
import { pretendNetworkFileSystem } from '../../support/network-file-system.ts'
import { holdThreadWrites } from '../../support/thread-writes.ts'

const isLinux = process.platform === 'linux'

/** What lies in a directory of recordings beside its index. */
const filesIn = (directory: string): string[] => readdirSync(directory).filter((name) => name !== 'index')

/** A run that was killed while the world held its last payment, with nothing of it in the log, and what the world was asked for, in order. */
let killed: { readonly directory: TemporaryDirectory; readonly asked: readonly string[] }

beforeAll(async () => {
  if (!isLinux) return undefined
  const directory = await createTemporaryDirectory()
  const asked: string[] = []
  const isHeld = Promise.withResolvers<void>()
  await using world = await listen(async (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (asked.length === 4) return isHeld.resolve()
    return void response.end('done')
  })
  const program = fileURLToPath(new URL('held-program.ts', import.meta.url))
  const child = spawn(process.execPath, [program, directory.resolve('runs'), world.url, directory.resolve('gate')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close')
  await Promise.race([isHeld.promise, ended])
  child.kill('SIGKILL')
  await ended
  killed = { directory, asked }
  return () => directory[Symbol.asyncDispose]()
}, 30_000)

/** A directory with a copy of the killed run in it. */
async function copyKilled(): Promise<TemporaryDirectory> {
  const directory = await createTemporaryDirectory()
  await cp(killed.directory.resolve('runs'), directory.resolve('runs'), { recursive: true })
  return directory
}

async function readShop(directory: TemporaryDirectory): Promise<Trace> {
  const { runs } = await createDirectoryStore(directory.resolve('runs')).find({ agent: 'shop' })
  expect(runs.map(({ status, steps }) => [status, steps])).toEqual([['in-flight', 4]])
  return await readTrace(runs[0]?.id ?? '', { store: directory.resolve('runs') })
}

it.skipIf(!isLinux)('shows the side effects of a killed run as steps in flight, though no row of it was written', async () => {
  await using directory = await copyKilled()
  expect(killed.asked).toEqual(['POST /payments', 'POST /orders/ord_1/cancel?token=secret', 'POST /shipments', 'POST /payments'])
  const trace = await readShop(directory)
  expect(trace.end).toBeUndefined()
  // Step 1 is no side effect, steps 3 and 8 are within tools that say what they do, and of step 5, which owns step 6, nothing is known.
  expect(trace.steps.map(({ step, owner, boundary, effect }) => [step, owner, boundary, effect])).toEqual([
    [2, 0, 'tool', 'write'],
    [4, 0, 'http', undefined],
    [6, 0, 'http', undefined],
    [7, 0, 'tool', 'write'],
  ])
  expect(trace.steps.map((step) => describeResult(step))).toEqual(['in flight', 'in flight', 'in flight', 'in flight'])
  const [pay, cancel] = trace.steps.map(({ boundary, name, input }) => describeCall(boundary, name, input))
  expect(pay).toMatch(/^pay\(.*what was not written yet.*\)$/)
  expect(cancel).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+$/)
  expect(sideEffectsOf(trace.steps, trace.header).map(({ step, inferred }) => [step, inferred])).toEqual([
    [2, undefined],
    [4, true],
    [6, true],
    [7, undefined],
  ])
  // What they were called with is not known: neither is known to repeat another.
  expect(findRepeatedSideEffects(trace)).toEqual([])
  const [{ id } = { id: '' }] = (await createDirectoryStore(directory.resolve('runs')).find({ agent: 'shop' })).runs
  const step = await createDirectoryStore(directory.resolve('runs')).readStep(id, 4)
  expect(step.map((row) => [row.kind, 'step' in row ? row.step : 0])).toEqual([
    ['run', 0],
    ['call', 4],
  ])
})

it.skipIf(!isLinux)('holds names and times, and no body, argument, key, path, tag or input', async () => {
  await using directory = await copyKilled()
  const [journal = '', ...more] = filesIn(directory.resolve('runs')).filter((name) => name.endsWith('.journal'))
  expect(more).toEqual([])
  const text = readFileSync(directory.resolve('runs', journal), 'utf8')
  for (const secret of ['4111', 'lovelace', 'Ada', 'cancel', 'ord_1', 'body of']) expect(text).not.toContain(secret)
})

it.skipIf(!isLinux)('is no recording that an agent could replay: the input is not known', async () => {
  await using directory = await copyKilled()
  await writeFile(directory.resolve('agent.mjs'), 'export const shop = ({ customer }) => customer')
  await writeFile(directory.resolve('goldenrun.config.mjs'), "export default { agents: { shop: './agent.mjs#shop' } }")
  const { id } = (await readShop(directory)).header
  const goldenrun = (...args: readonly string[]): Promise<CommandResult> => runCommand(directory.path, [...args, '--store', 'runs'])
  const shown = await goldenrun('show', id)
  expect(shown.stdout).toMatch(/^ +input +not known: it was not written before the process died, or the disk was full$/m)
  const replayed = await goldenrun('replay', id)
  expect(replayed).toMatchObject({ status: 2, stdout: expect.stringContaining('1 trace replayed: 1 could not run.') })
  expect(replayed.stdout).toContain(
    `The input of the run "${id}" is not known, so no agent can replay it: the process died, or the disk was full, before the input was written. Only side effects are left, from its journal. To see them: npx goldenrun show ${id}`,
  )
  const promoted = await goldenrun('promote', id, '--name', 'killed', '--yes', '--allow-unfinished')
  expect(promoted.status).toBe(2)
  expect(promoted.stderr).toContain('its input is not known: the process died, or the disk was full, before the input was written.')
  // A fork may bring an input of its own.
  const forked = await goldenrun('fork', id, '--at', '2', '--input', '{"customer":"Bob"}', '--no-keep')
  expect(forked.stdout).toContain('Returned "Bob"')
})

it.skipIf(!isLinux)('redacts names', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = await recordOnThread(directory.resolve('runs'), { redact: { rules: [{ name: 'tenant', pattern: /tenant-\w+/ }] } })
  const pay = tool('pay for tenant-acme', { effect: 'write' }, (_order: string) => {
    const [journal = ''] = filesIn(directory.resolve('runs')).filter((name) => name.endsWith('.journal'))
    return readFileSync(directory.resolve('runs', journal), 'utf8')
  })
  const text = await recorder.run({ agent: 'agent of tenant-acme', input: 0 }, () => pay('ord_1'))
  await recorder.close()
  expect(text).toContain('"name":"pay for ')
  expect(text).not.toContain('acme')
})

it.skipIf(!isLinux)('has the rows of the log once they are written, and the journal for the rest', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = await recordOnThread(directory.resolve('runs'))
  const pay = tool('pay', { effect: 'write' }, async ({ order }: { order: string }) => order)
  const copies: string[] = []
  await recorder.run({ agent: 'agent', input: 0 }, async () => {
    await pay({ order: 'ord_1' })
    await recorder.flush()
    const disk = await holdThreadWrites(directory.resolve('gate'))
    await pay({ order: 'ord_2' })
    // As the disk has it now: a copy, since whoever reads in this process waits for the thread.
    for (const name of filesIn(directory.resolve('runs')).toSorted().slice(-2)) {
      await mkdir(directory.resolve('copy'), { recursive: true })
      await cp(directory.resolve('runs', name), directory.resolve('copy', name))
      copies.push(name.replace(/^.*\./, ''))
    }
    await disk.release()
  })
  await recorder.close()
  expect(copies).toEqual(['journal', 'runlog'])
  const [id = ''] = await createDirectoryStore(directory.resolve('copy')).list()
  const { steps } = await readTrace(id, { store: directory.resolve('copy') })
  expect(steps.map(({ step, name, input }) => [step, name, input])).toEqual([
    [1, 'pay', { order: 'ord_1' }],
    [2, 'pay', expect.objectContaining({ reason: 'what was not written yet' })],
  ])
  expect(steps.map((step) => describeResult(step))).toEqual(['"ord_1"', 'in flight'])
})

it.each([true, false])('leaves no journal of a run that ended well, nor of one that is not kept (thread: %s)', async (thread) => {
  await using directory = await createTemporaryDirectory()
  const pay = tool('pay', { effect: 'write' }, async (order: string) => order)
  for (const rest of [1, 0]) {
    const recorder = createRecorder({ store: directory.resolve('runs'), thread, sample: { rest } })
    await recorder.start()
    await recorder.flush()
    const during = await recorder.run({ agent: 'agent', input: 0 }, async () => {
      await pay('ord_1')
      return filesIn(directory.resolve('runs')).some((name) => name.endsWith('.journal'))
    })
    expect(during).toBe(isLinux)
    await recorder.close()
    expect(recorder.stats()).toMatchObject({ recorded: rest, sampledOut: 1 - rest })
    expect(filesIn(directory.resolve('runs')).map((name) => name.replace(/^.*\./, ''))).toEqual(['runlog'])
  }
})

it.skipIf(!isLinux)('reads a journal whose last line was torn, and the lines behind it', async () => {
  await using directory = await copyKilled()
  const [journal = ''] = filesIn(directory.resolve('runs')).filter((name) => name.endsWith('.journal'))
  const file = directory.resolve('runs', journal)
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  await writeFile(file, ['', lines[0], lines[1], lines[2]?.slice(0, 20), lines[3]?.slice(0, -1)].join('\n'))
  const { steps } = await readTrace(journal.replace('.journal', ''), { store: directory.resolve('runs') })
  expect(steps.map(({ step }) => step)).toEqual([2])
})

it.skipIf(!isLinux)('finds a run again as its journal goes on', async () => {
  await using directory = await copyKilled()
  await readShop(directory)
  const [journal = ''] = filesIn(directory.resolve('runs')).filter((name) => name.endsWith('.journal'))
  const last = (await directory.read(`runs/${journal}`)).split('\n').at(-1) ?? ''
  await appendFile(directory.resolve('runs', journal), `\n${last.replace('"step":7', '"step":9')}`)
  const { runs } = await createDirectoryStore(directory.resolve('runs')).find({ agent: 'shop' })
  expect(runs.map(({ steps }) => steps)).toEqual([5])
})

it.skipIf(!isLinux)('removes the journal with its recording', async () => {
  await using directory = await copyKilled()
  const store = createDirectoryStore(directory.resolve('runs'))
  for (const id of await store.list()) expect(await store.remove(id)).toBe(true)
  expect(await store.list()).toEqual([])
  expect(filesIn(directory.resolve('runs')).filter((name) => !name.endsWith('.new'))).toEqual([])
})

it('has no journal on a network file system, where an append may take long', async () => {
  await using directory = await createTemporaryDirectory()
  await (await recordOnThread(directory.resolve('local'))).close()
  pretendNetworkFileSystem()
  const recorder = await recordOnThread(directory.resolve('runs'))
  const pay = tool('pay', { effect: 'write' }, async (_order: string) => filesIn(directory.resolve('runs')))
  const during = await recorder.run({ agent: 'agent', input: 0 }, () => pay('ord_1'))
  await recorder.close()
  expect(during.filter((name) => name.endsWith('.journal'))).toEqual([])
  expect(recorder.stats()).toMatchObject({ recorded: 2, failed: 0 })
})
