import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createRecorder } from '../../src/record/recorder.ts'
import type { RecorderOptions } from '../../src/record/recorder-options.ts'
import { promote } from '../../src/goldens/promote.ts'
import type { PromoteError } from '../../src/replay/goldens/promotion/promote-error.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { readRecording } from '../support/read-recording.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

interface Ticket {
  readonly email: string
}

const send = tool('send', { effect: 'write' }, async (mail: object) => ({ sent: Object.keys(mail).length }))

/** Records a run in the working directory, and reads it. */
async function record<Input>(agent: (input: Input) => unknown, input: Input, options: Partial<RecorderOptions> = {}): Promise<Trace> {
  const store = '.goldenrun/runs'
  const recorder = createRecorder({ store, ...options })
  await recorder.run({ agent: 'mailer', input }, agent)
  await recorder.close()
  const names = (await readdir(store)).filter((name) => name !== 'index')
  return await readTrace(`${store}/${names.toSorted().at(-1)}`)
}

it('keeps a golden that the agent repeats, redacted', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const agent = async ({ email }: Ticket): Promise<object> => await send({ to: email, from: 'support@shop.example' })
  const { trace, standIns } = await promote(await record(agent, { email: 'ann@firm.de' }), { name: 'same', agent })
  expect(trace.header.golden?.name).toBe('same')
  expect(standIns).toEqual({ total: 2, byRule: { email: 2 } })
})

it('names what no longer holds where the agent looks into a value that was taken out, and writes nothing', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const agent = async ({ email }: Ticket): Promise<object> => {
    const [, domain = ''] = email.split('@')
    await send({ to: email, isOurs: domain === 'shop.example' })
    return { domain: createHash('sha256').update(domain).digest('hex').slice(0, 8) }
  }
  const recording = await record(agent, { email: 'ann@shop.example' })
  const { id } = recording.header
  const { code, message } = await promote(recording, { name: 'looks', agent }).then(
    () => ({ code: 'none', message: 'It was promoted.' }),
    (error: PromoteError) => error,
  )
  expect(code).toBe('GOLDENRUN_PROMOTE_DOES_NOT_REPLAY')
  const found = [
    `Cannot promote ${id}: the agent does not repeat the recorded run:`,
    '  step 1 (send): input at args.isOurs: expected true, received false',
    `  after step 1: outcome at output.domain: expected "${hashOf('shop.example')}", received "${hashOf('haab.invalid')}"`,
    'If a redacted value causes this: name public values in redact.keep, turn the rule off in redact.off, or change the code so that it ' +
      'does not inspect the value, and record the run again. ',
  ].join('\n')
  expect(message.slice(0, found.length)).toBe(found)
  // What comes between depends on the modules that this process has loaded.
  expect(message).toMatch(
    /leave the place out \(replay: \{ ignore: \['<path>'\] \}\), .* See docs\/limits\.md#values-that-goldenrun-does-not-see\.$/,
  )
  expect(await readdir(project.path)).not.toContain('golden-traces')
  const kept = await record(agent, { email: 'ann@shop.example' }, { redact: { keep: [/@shop\.example$/] } })
  await promote(kept, { name: 'looks', agent })
})

it('takes an incident whose agent has been mended, and gives the agent its context', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const agent = async (_input: object, { times }: { times: number }): Promise<void> => {
    for (let time = 0; time < times; time += 1) await send({ time: 'now' })
  }
  const recording = await record((input: object) => agent(input, { times: 2 }), {})
  const incident = { replay: 'departs', at: 2 } as const
  const mended = { expect: incident, agent, replay: { context: { times: 1 } } }
  await expect(promote(recording, { name: 'twice', ...mended })).rejects.toThrow('the agent does not reproduce the incident')
  await promote(recording, { name: 'twice', ...mended, allowUnverifiedIncident: true })
  await promote(recording, { name: 'seen', expect: incident, agent, replay: { context: { times: 2 } } })
  const same = promote(recording, { name: 'same', agent, replay: { context: { times: 1 } } })
  await expect(same).rejects.toThrow('step 2 (send): missing call')
})

it('takes an incident whose mended agent makes a call of its own in the place of the step', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const find = tool('find', { effect: 'read' }, async (_of: object) => ({ sent: 1 }))
  const agent = async (_input: object, { looks }: { looks: boolean }): Promise<void> => {
    await send({ time: 'now' })
    if (looks) await find({})
    else await send({ time: 'now' })
  }
  const recording = await record((input: object) => agent(input, { looks: false }), {})
  const options = { agent, replay: { context: { looks: true } } }
  const unanswered = promote(recording, { name: 'twice', expect: { replay: 'departs', at: 2 }, ...options })
  await expect(unanswered).rejects.toThrow('Failed to hold "twice": the incident was not exercised.')
  const answers = { find: { sent: 0 } }
  const held = promote(recording, { name: 'twice', expect: { replay: 'departs', at: 2, answers }, ...options })
  await expect(held).rejects.toThrow('Held "twice": exercised at step 1; departs after it: find instead of send.')
})

it('keeps random bytes as they are, or takes them out with their hex and base64 forms', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const drawn: Buffer[] = []
  const agent = async (): Promise<object> => {
    const bytes = randomBytes(24)
    drawn.push(bytes)
    await send({ hex: bytes.toString('hex'), base64: bytes.toString('base64'), url: `https://a.example/${bytes.toString('base64url')}` })
    return { bytes, short: randomBytes(4).length }
  }
  const kept = await record(agent, {})
  expect(JSON.stringify(kept.steps)).toContain(drawn[0]?.toString('hex'))
  const trace = await record(agent, {}, { redact: { draws: 'stand-in' } })
  expect(trace.header.redaction.draws).toBe('stand-in')
  const { text } = await readRecording('.goldenrun/runs', trace.header.id)
  for (const form of ['hex', 'base64', 'base64url'] as const) expect(text).not.toContain(drawn[1]?.toString(form).replaceAll('=', ''))
  const standIn = Buffer.from('REDACTED0000000000000001')
  expect(trace.steps[0]?.input).toEqual({
    hex: standIn.toString('hex'),
    base64: standIn.toString('base64'),
    url: `https://a.example/${standIn.toString('base64url')}`,
  })
  expect(trace.end?.output).toMatchObject({ bytes: new Uint8Array(standIn) })
  await promote(trace, { name: 'drawn', agent })
  const run = await replay('drawn', agent)
  expect(run.divergences).toEqual([])
  expect(run.hash).toBe(trace.hash)
})

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
