import { request } from 'node:http'
import { connect } from 'node:net'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { writeFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay.ts'
import { external } from '../../src/run/external.ts'
import { recordRun } from '../support/record-run.ts'
import { recordLateRun } from '../support/record-late-run.ts'
import { runNode } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const source = pathToFileURL(fileURLToPath(new URL('../../src/replay/quiet-refusals.ts', import.meta.url))).href

const refused = "Object.assign(new Error('refused'), { code: 'GOLDENRUN_REFUSED' })"
const wentOn = { status: 0, stdout: 'went on\n', stderr: '' }
const ended = { stdout: '', stderr: expect.stringMatching(/TypeError: no luck$/m) }

it.each([
  ['goes on after a refusal that nobody handles', `throw ${refused}`, wentOn],
  ['goes on after a rejection by a refusal', `void Promise.reject(${refused})`, wentOn],
  ['goes on after an error with a refusal as its cause', `void Promise.reject(new Error('lost', { cause: ${refused} }))`, wentOn],
  ['goes on after several errors, one of them a refusal', `void Promise.any([Promise.reject(${refused})])`, wentOn],
  ['goes on after the event of an error', `throw { error: ${refused} }`, wentOn],
  ['goes on after an error of another realm', `new EventEmitter().emit('error', { ...${refused} })`, wentOn],
  ['goes on after a rejection while it is released', `void Promise.reject(${refused}); release()`, wentOn],
  ['ends after a refusal, once it is released', `release(); setImmediate(() => { throw ${refused} })`, { stdout: '' }],
  ['ends after another error', "throw new TypeError('no luck')", ended],
  ['ends after a rejection by another error', "void Promise.reject(new TypeError('no luck'))", ended],
  ['ends after an error that is its own cause', "const e = new TypeError('no luck'); e.cause = e; throw e", { stdout: '' }],
  [
    'ends after an error that throws when it is looked at',
    "throw Object.defineProperty(new TypeError('no luck'), 'code', { get: () => { throw new Error('hidden') } })",
    ended,
  ],
])('%s', async (_, code, expected) => {
  await using directory = await createTemporaryDirectory()
  const program = `import { EventEmitter } from 'node:events'
    import { quietRefusals } from '${source}'
    const release = quietRefusals()
    setTimeout(() => { ${code} })
    setTimeout(() => console.log('went on'), 20)`
  const { status, ...printed } = await runNode(directory.path, ['--input-type=module', '--eval', program])
  expect({ status: Math.min(status, 1), ...printed }).toMatchObject({ status: 1, ...expected })
})

const notify = external('notify', async (to: string) => Promise.resolve(to))
const pause = async (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Listens for what would end the process, beside the test runner. Gives what was heard. */
async function hear(body: () => Promise<unknown>): Promise<unknown[]> {
  const heard: unknown[] = []
  const listener = (error: unknown): void => void heard.push(error)
  process.on('unhandledRejection', listener).on('uncaughtException', listener)
  try {
    await body()
    await turn()
    await turn()
  } finally {
    process.off('unhandledRejection', listener).off('uncaughtException', listener)
  }
  return heard
}

it.each([
  ['a call that nobody awaits', 'unexpected-call', async () => void (await notify('somebody'))],
  ['a request', 'unexpected-call', async () => void (await fetch('http://127.0.0.1:4010/refunds', { method: 'POST' }))],
  ['a request with events', 'unexpected-call', async () => void request('http://127.0.0.1:4010/refunds', { method: 'POST' }).end()],
  ['a contact', 'unrecorded-contact', async () => void connect(4010, '127.0.0.1')],
])('tells nobody of a refusal that nobody handles: %s', async (_, cause, call) => {
  const { trace } = await recordRun(() => pause(2))
  const heard = await hear(async () => {
    const run = await replay(trace, async () => {
      void call()
      await pause(2)
    })
    expect(run.divergences).toMatchObject([{ cause }])
  })
  expect(heard).toEqual([])
})

it('does not report a refused late write to a file', async () => {
  await using directory = await createTemporaryDirectory()
  const agent = (text: string) => async (): Promise<void> => {
    setTimeout(() => writeFileSync(directory.resolve('a.txt'), text), 20)
  }
  const trace = await recordLateRun(agent('paid'), {}, { files: { record: [`${directory.path}/**`] } })
  const heard = await hear(async () => {
    expect((await replay(trace, agent('refunded'))).divergences).toMatchObject([{ cause: 'input', name: 'file write' }])
  })
  expect(heard).toEqual([])
})

it('leaves the process as it was', async () => {
  const { emit } = process
  const { trace } = await recordRun(() => pause(2))
  await replay(trace, () => pause(2))
  await turn()
  expect(process.emit).toBe(emit)
})
