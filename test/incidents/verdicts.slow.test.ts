import { expect, it } from 'vitest'
import type { Step, Trace } from '../../src/trace/trace.ts'
import { judgeGolden } from '../../src/matchers/judge-golden.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { createDesk, type Habits, type Incident, recordIncident, stepOf } from './desk.ts'

const answers = { find: { id: 're_1' }, 'openai.chat': { text: 'It is on its way.' } }
const looksUp: Habits = { failed: (_again, { find }) => find({ order: 'ord_1' }) }

const warnings = collectWarnings()
const bare = await recordIncident()
const answered = await recordIncident(() => ({ answers }))

async function words(incident: Incident, ...habits: readonly Habits[]): Promise<string[]> {
  const judged: string[] = []
  for (const each of habits) judged.push((await incident.judge(each)).word)
  return judged
}

it('takes the first of the repeated calls for the trigger', () => {
  expect(bare.golden.header.golden?.expect).toEqual({
    replay: 'departs',
    trigger: stepOf(bare.trace, 'refund'),
    at: stepOf(bare.trace, 'refund', 2),
  })
})

it('takes the last step before for the trigger, where the call repeats none', async () => {
  const checks = [{ matcher: 'toHaveOutcome', args: [{ status: 'returned' }] }]
  const { golden, trace } = await recordIncident((recorded) => ({ at: stepOf(recorded, 'openai.chat', 2), checks }))
  expect(golden.header.golden?.expect).toMatchObject({ trigger: stepOf(trace, 'refund', 2) })
})

it('takes the first read for the trigger of a repeated read', async () => {
  const policies = ({ steps }: Trace): Step[] => steps.filter(({ input }) => JSON.stringify(input).includes('/policy'))
  const { golden, trace } = await recordIncident((recorded) => ({ at: policies(recorded)[1]?.step ?? 0 }), {
    reads: ['/policy', '/policy'],
  })
  expect(golden.header.golden?.expect).toMatchObject({ trigger: policies(trace)[0]?.step })
})

it('needs a check where the run went wrong from its input on', async () => {
  await expect(recordIncident((trace) => ({ at: stepOf(trace, 'refund'), trigger: 'input' }))).rejects.toThrow(
    'so an agent that does nothing at all would pass',
  )
})

it('finds that the agent makes the call again, whatever its arguments', async () => {
  const less: Habits = { failed: (_again, { refund }) => refund({ amount: 4899 }) }
  expect(await words(bare, {}, less)).toEqual(['repeated', 'repeated'])
  const { report } = await bare.judge(less)
  expect(report).toContain(`Step ${stepOf(bare.trace, 'refund', 2)} makes refund again, with amount 4899 instead of 4900.`)
  expect(report).toContain('Fix the agent, not the golden.')
  expect(report).not.toContain('answers')
})

it('gives recorded answers up to the trigger, whatever the prompt, the model or a read’s arguments, and lists the drift', async () => {
  const edits: Habits[] = [{ prompt: 'Be formal.' }, { model: 'gpt-5' }, { path: '/orders/ord_1?full=1' }]
  expect(await words(bare, ...edits)).toEqual(['repeated', 'repeated', 'repeated'])
  for (const edit of edits) expect(await words(answered, { ...edit, ...looksUp })).toEqual(['held'])
  const { run } = await answered.judge({ prompt: 'Be formal.', ...looksUp })
  expect(run.incident?.drift.map(({ step, cause }) => [step, cause])).toEqual([[1, 'input']])
})

it('takes a read that was added, dropped or reordered for drift where it has an answer', async () => {
  const incident = await recordIncident(() => ({ answers: { ...answers, http: { policy: 'kind' } } }), { reads: ['/a', '/b'] })
  expect(await words(incident, { reads: ['/b', '/a'] }, { reads: ['/a'] }, { reads: ['/a', '/b', '/c'] })).toEqual([
    'repeated',
    'repeated',
    'repeated',
  ])
  expect(await words(incident, { reads: ['/b', '/a'], ...looksUp }, { reads: ['/a'], ...looksUp })).toEqual(['held', 'held'])
})

it('wants writes before the trigger as they were recorded', async () => {
  const { word, report } = await bare.judge({ amount: 1, ...looksUp })
  expect(word).toBe('not exercised')
  expect(report).toContain('the incident was not exercised')
})

it('says that no recorded answer can tell where the prompt is the fix', async () => {
  const { word, report } = await bare.judge({ prompt: 'Never refund twice.' })
  expect(word).toBe('repeated')
  expect(report).toContain('If the fix is in the prompt, no recorded answer can tell whether it works')
  expect((await bare.judge()).report).not.toContain('recorded answer')
})

it('never lets answers come before recorded ones, up to the trigger', async () => {
  const incident = await recordIncident(() => ({ answers: { ...answers, 'openai.chat': { text: 'Nothing to refund.' } } }))
  const { run } = await incident.judge({ prompt: 'Be formal.', ...looksUp })
  expect(JSON.stringify(run.steps[0]?.output)).toContain('call_1')
})

it.each([
  ['throws at once', () => Promise.reject(new Error('No configuration.'))],
  ['returns at once', () => Promise.resolve('Hello.')],
])('is not exercised where the agent %s', async (_, agent) => {
  const { word, report } = await answered.judgeAgent(agent)
  expect(word).toBe('not exercised')
  expect(report).toContain(`step ${stepOf(answered.trace, 'refund')}`)
})

it('gives a call after the trigger its recorded answer where it differs by earlier drift only', async () => {
  const same: Habits = { failed: () => Promise.resolve({ id: 're_2' }) }
  const { word } = await bare.judge({ prompt: 'Be formal.', ...same })
  expect(word).toBe('held')
  expect((await bare.judge({ failed: () => Promise.resolve({ id: 'unknown' }) })).word).toBe('not exercised')
})

it('names the answer to add where a call has none', async () => {
  const { word, report } = await bare.judge(looksUp)
  expect(word).toBe('not exercised')
  expect(report).toContain('find')
  expect(report).toMatch(/answers/)
})

it('is red of a write that is not allowed, and takes one that is', async () => {
  const notes: Habits = { ...looksUp, last: ({ note }) => note({ of: 'refund' }) }
  expect(await words(answered, notes)).toEqual(['failed'])
  const allowing = await recordIncident(() => ({ answers: { ...answers, note: {} }, allowWrites: ['note'] }))
  expect(await words(allowing, notes)).toEqual(['held'])
})

it('allows the writes that the recorded run made after the trigger', async () => {
  const recorded: Habits = { last: ({ note }) => note({ of: 'refund' }) }
  const incident = await recordIncident(() => ({ answers }), recorded)
  expect(incident.golden.header.golden?.expect).toMatchObject({ allowWrites: ['note'] })
  expect(await words(incident, { ...recorded, ...looksUp })).toEqual(['held'])
})

it('holds, and says on what evidence', async () => {
  const { word, report } = await answered.judge({ prompt: 'Be formal.', ...looksUp })
  expect(word).toBe('held')
  expect(report).toContain(
    `exercised at step ${stepOf(answered.trace, 'refund')}; departs after it: find instead of refund; 1 earlier input drifted`,
  )
})

it('counts late calls: a refund after the answer is repeated, though the recorder was closed with the answer', async () => {
  const later = (ms: number): Habits => ({
    failed: async (again) => {
      setTimeout(() => void again().catch(() => undefined), ms)
      return { id: 're_2' }
    },
  })
  const closedAtOnce: Trace = { ...bare.golden, watchedUntil: bare.golden.end?.at ?? 0 }
  for (const ms of [50, 1000, 50_000]) {
    const { verdict } = await judgeGolden(closedAtOnce, createDesk(bare.url, later(ms)))
    expect(verdict).toMatchObject({ holds: false, why: 'repeated' })
  }
})

it('says how the agent failed on the way to the trigger', async () => {
  const { report, word } = await bare.judgeAgent(() => Promise.reject(new Error('no shop here')))
  expect(word).toBe('not exercised')
  expect(report).toContain('no such call: it threw Error: no shop here')
})

it('fails where an error comes that no check expects, and holds where one does', async () => {
  const throws: Habits = { failed: () => Promise.reject(new Error('cannot tell')) }
  const { word, report } = await answered.judge(throws)
  expect(word).toBe('failed')
  expect(report).toContain('cannot tell')
  const checks = [{ matcher: 'toHaveOutcome', args: [{ status: 'threw', error: { message: 'cannot tell' } }] }]
  const expecting = await recordIncident(() => ({ answers, checks }))
  expect([(await expecting.judge(throws)).word, (await expecting.judge(looksUp)).word]).toEqual(['held', 'failed'])
})

it('fails where a check does', async () => {
  const incident = await recordIncident(() => ({ answers, checks: [{ matcher: 'toHaveCalledTool', args: ['note'] }] }))
  expect(await words(incident, looksUp)).toEqual(['failed'])
})

it('depends on chance where the agent decides by a coin', async () => {
  const coin: Habits = { failed: (again) => (Math.random() < 0.5 ? again() : Promise.resolve({ id: 're_2' })) }
  const { word, report } = await bare.judge(coin)
  expect(word).toBe('nondeterminism')
  expect(report).toMatch(/repeated|held/)
})

it('takes the usual trigger of a golden that names none, and says so once', async () => {
  const { header, rows } = bare.golden
  const expectation = { replay: 'departs', at: stepOf(bare.trace, 'refund', 2) } as const
  const old = { ...header, golden: { name: 'of-format-1', promotedAt: header.startedAt, promotedFrom: header.id, expect: expectation } }
  const golden = { ...bare.golden, header: old, rows: [old, ...rows.slice(1)] }
  const verdicts = [await judgeGolden(golden, createDesk(bare.url)), await judgeGolden(golden, createDesk(bare.url))]
  expect(verdicts.map(({ verdict }) => verdict)).toEqual([
    expect.objectContaining({ why: 'repeated' }),
    expect.objectContaining({ why: 'repeated' }),
  ])
  await new Promise(setImmediate)
  const said = `"of-format-1" does not say what triggered its incident: step ${stepOf(bare.trace, 'refund')} (refund) is assumed.`
  expect(warnings).toEqual([expect.stringContaining(said)])
})
