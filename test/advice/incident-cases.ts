import { rm } from 'node:fs/promises'
import { expect } from 'vitest'
import { expectDeparture, type IncidentOptions } from '../../src/replay/goldens/promotion/expect-departure.ts'
import { tool } from '../../src/run/tool.ts'
import type { AdvisedProject, Agent } from './advised-project.ts'
import type { Cases } from './follow.ts'

const look = tool('look', { effect: 'read' }, async (id: string) => ({ id }))
const audit = tool('audit', { effect: 'write' }, async (id: string) => ({ id }))
const notify = tool('notify', { effect: 'write' }, async (id: string) => ({ id }))
let refunds = 0
const refund = tool('refund', { effect: 'write' }, async (id: string) => {
  refunds += 1
  if (refunds === 1) throw new Error('the connection was lost')
  return { id }
})

/** An agent that refunds, and does something where that fails. */
const desk =
  (failed: () => unknown, before: () => unknown = () => undefined): Agent =>
  async () => {
    await look('ord_1')
    await before()
    const done = await refund('ord_1').catch(failed)
    await audit('ord_1')
    return done
  }
const buggy = desk(() => refund('ord_1'))
const pending = (): object => ({ status: 'pending' })
const fixed = desk(pending)

/** Records the incident, and makes it the golden. */
async function incident(project: AdvisedProject, options: IncidentOptions = {}, agent: Agent = buggy): Promise<void> {
  refunds = 0
  const trace = await project.record(agent)
  refunds = 0
  await project.golden(agent, { promote: { expect: expectDeparture(trace, options) } })
}

const asking =
  (project: AdvisedProject, prompt: string): Agent =>
  async () => {
    const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'system', content: prompt }] })
    await (
      await fetch(`${project.url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    ).json()
    return await (buggy as () => unknown)()
  }

export const incidentCases: Cases<
  | 'fix-the-agent'
  | 'prompt-needs-model'
  | 'decide-without-chance'
  | 'delete-golden'
  | 'reach-trigger-again'
  | 'promote-newer-incident'
  | 'add-check'
  | 'promote-incident-again'
  | 'change-checks'
  | 'expect-error'
  | 'allow-write'
  | 'answer-in-golden'
> = {
  async 'fix-the-agent'(project) {
    await incident(project)
    await project.advised('fix-the-agent')
    await project.use(fixed)
    await project.holds()
  },
  async 'prompt-needs-model'(project) {
    await incident(project, {}, asking(project, 'Be brief.'))
    await project.use(asking(project, 'Be careful.'))
    // Nothing can be done: the recorded answers stay, whatever the prompt says.
    await project.advised('prompt-needs-model')
    await project.use(asking(project, 'Be very careful.'))
    await project.advised('prompt-needs-model')
  },
  async 'decide-without-chance'(project) {
    await incident(project)
    await project.use(desk(() => (Math.random() < 0.5 ? refund('ord_1') : pending())))
    await project.advised('decide-without-chance')
    await project.use(fixed)
    await project.holds()
  },
  async 'delete-golden'(project) {
    await incident(project)
    await project.use(async () => await look('ord_1'))
    await project.advised('delete-golden')
    await rm(project.directory.resolve('golden-traces/g.jsonl'))
    await expect(project.holds()).rejects.toThrow('There is no file golden-traces/g.jsonl')
  },
  async 'reach-trigger-again'(project) {
    await incident(project)
    await project.use(async () => await look('ord_1'))
    await project.advised('reach-trigger-again')
    await project.use(fixed)
    await project.holds()
  },
  async 'promote-newer-incident'(project) {
    await incident(project)
    const telling = (failed: () => unknown): Agent => desk(failed, () => notify('ord_1'))
    await project.use(telling(pending))
    await project.advised('promote-newer-incident')
    await incident(
      project,
      {},
      telling(() => refund('ord_1')),
    )
    await project.use(telling(pending))
    await project.holds()
  },
  async 'add-check'(project) {
    const checked: IncidentOptions = {
      at: 4,
      trigger: 2,
      checks: [{ matcher: 'toHaveOutcome', args: [{ output: { status: 'pending' } }] }],
    }
    const quiet: Agent = async () => [await look('ord_1'), await refund('ord_1').catch(pending)][1]
    await incident(project, checked)
    const golden = await project.directory.read('golden-traces/g.jsonl')
    await project.directory.write('golden-traces/g.jsonl', golden.replace(/,"checks":\[.*?\}\]\}\]/, ''))
    await project.use(quiet)
    await project.advised('add-check')
    await incident(project, checked)
    await project.use(quiet)
    await project.holds()
  },
  async 'promote-incident-again'(project) {
    await incident(project)
    const golden = await project.directory.read('golden-traces/g.jsonl')
    await project.directory.write('golden-traces/g.jsonl', golden.replace(/"at":3/, '"at":99'))
    await project.use(fixed)
    await project.advised('promote-incident-again')
    await incident(project)
    await project.use(fixed)
    await project.holds()
  },
  async 'change-checks'(project) {
    await incident(project, { checks: [{ matcher: 'toHaveOutcome', args: [{ output: { status: 'pending' } }] }] })
    const lost = desk(() => ({ status: 'lost' }))
    await project.use(lost)
    await project.advised('change-checks')
    await project.use(fixed)
    await project.holds()
    await incident(project, { checks: [{ matcher: 'toHaveOutcome', args: [{ output: { status: 'lost' } }] }] })
    await project.use(lost)
    await project.holds()
  },
  async 'expect-error'(project) {
    await incident(project)
    await project.use(
      desk(() => {
        throw new Error('No refund.')
      }),
    )
    await project.run((await project.advised('expect-error')).command, '--yes')
    await project.holds()
  },
  async 'allow-write'(project) {
    await incident(project)
    await project.use(desk(() => notify('ord_1').catch(pending)))
    await project.run((await project.advised('allow-write')).command, '--yes')
    // What the write gives is the next question.
    await project.advised('answer-in-golden')
  },
  async 'answer-in-golden'(project) {
    await incident(project, { allowWrites: ['notify'] })
    await project.use(desk(() => notify('ord_1')))
    const { command } = await project.advised('answer-in-golden')
    await project.directory.write('answers.json', '{ "notify": { "id": "ord_1" } }')
    await project.run(command, '--yes')
    await project.holds()
  },
}
