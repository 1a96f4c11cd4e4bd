import { execFileSync } from 'node:child_process'
import { expect } from 'vitest'
import type { AdviceId } from '../../src/divergence/report/advice-ids.ts'
import { tool } from '../../src/run/tool.ts'
import { type AdvisedProject, type Agent, textOf } from './advised-project.ts'
import { type Cases, expectGreen, unquote } from './follow.ts'

const look = tool('look', { effect: 'read' }, async (id: string) => ({ id }))
const send = tool('send', { effect: 'write' }, async (letter: { readonly to: string; readonly text: string }) => ({ sent: letter.to }))

const post =
  (project: AdvisedProject, path: string, body: object, headers: Record<string, string> = {}): (() => Promise<unknown>) =>
  async () => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
    return await (await fetch(`${project.url}${path}`, options)).json()
  }

const asking = (project: AdvisedProject, model: string): Agent =>
  post(project, '/v1/chat/completions', { model, messages: [{ role: 'user', content: 'How many?' }] })

/** Follows an advice to set an option, both in the config and in code. */
async function setOption(project: AdvisedProject, id: AdviceId, agent: Agent): Promise<void> {
  const { command } = await project.advisedInTest(id, agent)
  expectGreen(await project.evaluate(command, agent))
  await project.use(agent)
  await project.configure((await project.advised(id)).command ?? '')
  await project.holds()
}

const twice: Agent = async () => [await look('one'), await look('two')]
const once: Agent = async () => [await look('one')]

const ours = 'refunds@our-shop.example'
const quoting: Agent = async (text: string) => await send({ to: ours, text })

export const callCases: Cases<
  | 'record-again'
  | 'promote-newer'
  | 'answer-call'
  | 'allow-model'
  | 'ignore-headers'
  | 'mute-telemetry'
  | 'ignore-own-value'
  | 'keep-constant'
  | 'end-the-wait'
  | 'read-clock-inside'
  | 'ambient-if-shared'
  | 'keep-once-and-record'
> = {
  async 'record-again'(project) {
    await project.golden(once)
    await project.use(twice)
    const { words } = await project.advised('record-again')
    if (!words.endsWith('record the run again and promote it.')) throw new Error(words)
    await project.golden(twice)
    await project.holds()
    // A call that is no longer made, and another order.
    for (const changed of [once, (async () => [await look('two'), await look('one')]) satisfies Agent]) {
      await project.golden(twice)
      await project.use(changed)
      await project.advised('record-again')
      await project.golden(changed)
      await project.holds()
    }
  },
  async 'promote-newer'(project) {
    await project.golden(once)
    await project.record(twice)
    await project.use(twice)
    await project.run((await project.advised('promote-newer')).command, '--yes')
    await project.holds()
  },
  async 'answer-call'(project) {
    await project.golden(once)
    const { command = '' } = await project.advisedInTest('answer-call', twice)
    const run = await project.evaluate(command.replace('…', `(id) => ({ id })`), twice)
    // The call is still none of the recorded run: a matcher says whether the agent does what it should with the answer.
    expect(run.outcome).toEqual({ status: 'returned', output: [{ id: 'one' }, { id: 'two' }] })
  },
  async 'allow-model'(project) {
    await project.golden(asking(project, 'gpt-5'))
    await setOption(project, 'allow-model', asking(project, 'gpt-6'))
  },
  async 'ignore-headers'(project) {
    await project.golden(post(project, '/orders', {}, { 'x-deployment': 'one', 'x-zone': 'a' }))
    await setOption(project, 'ignore-headers', post(project, '/orders', {}, { 'x-deployment': 'two', 'x-zone': 'b' }))
  },
  async 'mute-telemetry'(project) {
    const order = post(project, '/orders', { id: 1 })
    const telling: Agent = async () => [await order(), await post(project, '/v1/traces', { spans: 3 })()].slice(0, 1)
    await project.golden(async () => [await order()])
    await setOption(project, 'mute-telemetry', telling)
  },
  async 'ignore-own-value'(project) {
    await project.golden(quoting, { input: `I wrote to ${ours}` })
    await setOption(project, 'ignore-own-value', quoting)
  },
  async 'keep-constant'(project) {
    const source = new URL('../../src/index.ts', import.meta.url).href
    await project.golden(quoting, { input: `I wrote to ${ours}` })
    await project.use(
      `import { tool } from '${source}'\nconst send = tool('send', { effect: 'write' }, async (letter) => ({ sent: letter.to }))\nexport const agent = async (text) => await send({ to: '${ours}', text })\n`,
    )
    // A constant is in a file that git tracks.
    const git = (...args: readonly string[]): unknown => execFileSync('git', args, { cwd: project.directory.path })
    git('init', '--quiet')
    git('add', '.')
    const { command } = await project.advised('keep-constant')
    await project.run(command, '--yes')
    if (!(await textOf(project.directory.resolve('golden-traces/g.jsonl'))).includes(ours)) throw new Error('The constant was not kept.')
    await project.holds()
  },
  async 'end-the-wait'(project) {
    await project.golden(once)
    await project.use(async () => await new Promise(() => void look('one')))
    await project.advised('end-the-wait')
    await project.use(once)
    await project.holds()
  },
  async 'read-clock-inside'(project) {
    const atLoad = new Date()
    const agent: Agent = async () => await look(`Today is ${atLoad.toISOString().slice(0, 10)}.`)
    await project.golden(async () => await look('Today is 2026-01-31.'))
    await project.use(agent)
    await project.advised('read-clock-inside')
    const inside: Agent = async () => await look(`Today is ${new Date().toISOString().slice(0, 10)}.`)
    await project.golden(inside)
    await project.holds()
  },
  async 'ambient-if-shared'(project) {
    const { agent, warm } = cached(project)
    await warm()
    await project.golden(agent)
    await project.use(cached(project).agent)
    const { words } = await project.advised('ambient-if-shared')
    await project.configure(unquote(/ambient: \[[^\]]*\]/, words))
    await project.holds()
  },
  async 'keep-once-and-record'(project) {
    const { agent, warm } = cached(project)
    await warm()
    await project.golden(agent)
    await project.use(cached(project).agent)
    await project.advised('keep-once-and-record')
    const perRun: Agent = async () => await (cached(project).agent as () => unknown)()
    await project.golden(perRun)
    await project.use(perRun)
    await project.holds()
  },
}

/** An agent whose module keeps an entity tag from run to run. */
function cached(project: AdvisedProject): { readonly agent: Agent; warm(): Promise<void> } {
  let tag: string | undefined
  return {
    warm: async () => void (tag = '"one"'),
    agent: async () => {
      const response = await fetch(`${project.url}/prices`, tag === undefined ? {} : { headers: { 'if-none-match': tag } })
      tag = '"one"'
      await response.text()
      return 'done'
    },
  }
}
