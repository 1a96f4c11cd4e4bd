import LibsqlDatabase from 'libsql'
import PromisedDatabase from 'libsql/promise'
import { expect, vi } from 'vitest'
import { installDoors } from '../../src/boundaries/doors.ts'
import { isReplacement } from '../../src/boundaries/patches.ts'
import { createReport, reportDivergences } from '../../src/divergence/create-report.ts'
import type { AdviceId } from '../../src/divergence/report/advice-ids.ts'
import type { Advice } from '../../src/divergence/report/report.ts'
import { compareRuns } from '../../src/replay/compare/compare-runs.ts'
import { rerun } from '../../src/replay/rerun.ts'
import { tool } from '../../src/run/tool.ts'
import { wrapClient } from '../../src/run/wrap-client/wrap-client.ts'
import { spawnCommand } from '../support/run-command.ts'
import type { AdvisedProject, Agent } from './advised-project.ts'
import { type Cases, expectGreen } from './follow.ts'

const look = tool('look', { effect: 'read' }, async (id: string) => ({ id }))
const once: Agent = async () => [await look('one')]

const source = new URL('../../src/index.ts', import.meta.url).href

/** A module that counts its runs. `perRun` counts within each. */
const counting = (perRun: boolean): string => `import { tool } from '${source}'
const look = tool('look', { effect: 'read' }, async (id) => ({ id }))
let runs = 0
export const agent = async () => {
  ${perRun ? 'let runs = 0' : ''}
  runs += 1
  return await look('run ' + runs)
}
`

/** Makes the golden of a module, and replays it twice in this process. */
async function replayTwice(project: AdvisedProject, text: string): Promise<void> {
  await project.use(text)
  await project.golden(await project.load())
  await project.use(text)
  await project.holds()
}

/** An agent that asks for a token once for all runs of its process. */
const withToken = (): Agent => {
  let token: Promise<unknown> | undefined
  return async () => {
    token ??= look('token')
    await token
    return await look('order')
  }
}

const byId = (advice: readonly Advice[], id: AdviceId): Advice => {
  const found = advice.find((each) => each.id === id)
  if (found === undefined) throw new Error(`"${id}" is not advised: ${JSON.stringify(advice)}`)
  return found
}

export const processCases: Cases<
  'replay-fresh' | 'keep-once' | 'declare-ambient' | 'see-recorded-run' | 'see-both' | 'debug' | 'wrap-database'
> = {
  async 'replay-fresh'(project) {
    await replayTwice(project, counting(false))
    const { command = '' } = await project.advised('replay-fresh')
    const { status, stdout } = await spawnCommand(project.directory.path, command.replace('npx goldenrun ', '').split(' '))
    expect([status, stdout]).toEqual([0, expect.stringContaining('1 held')])
  },
  async 'keep-once'(project) {
    await replayTwice(project, counting(false))
    await project.advised('keep-once')
    await project.use(counting(true))
    await project.holds()
    await project.holds()
  },
  async 'declare-ambient'(project) {
    const trace = await project.golden(withToken())
    const agent = withToken()
    const { divergence, replays } = await rerun(trace, agent, { times: 3 })
    const [first] = replays
    if (first === undefined || divergence === undefined) throw new Error('The replays do not differ.')
    const { command } = project.note(byId(reportDivergences({ ...first, divergences: [divergence] }).advice, 'declare-ambient'))
    expectGreen(await project.evaluate(command, agent))
    const ambient = ['look']
    expect((await rerun(trace, withToken(), { times: 3, ambient })).hashes).toHaveLength(1)
  },
  async 'see-recorded-run'(project) {
    let runs = 0
    const agent: Agent = async () => await look(`run ${(runs += 1)}`)
    await project.golden(agent)
    const { divergence, replays } = await project.inside(async () => await rerun('g', agent, { times: 2 }))
    const [first] = replays
    if (first === undefined || divergence === undefined) throw new Error('The replays do not differ.')
    await project.run(project.note(byId(reportDivergences({ ...first, divergences: [divergence] }).advice, 'see-recorded-run')).command)
  },
  async 'see-both'(project) {
    const one = await project.record(once)
    const two = await project.record(async () => [await look('two')])
    const { divergences } = await compareRuns(one, two)
    const report = createReport({ trace: one, divergences, steps: two.steps, outcome: { status: 'returned' }, other: two.header.id })
    await project.run(project.note(byId(report.advice, 'see-both')).command)
  },
  async debug(project) {
    const agent = (id: string): string =>
      `import { tool } from '${source}'\nconst look = tool('look', { effect: 'read' }, async (id) => ({ id }))\nexport const agent = async () => [await look('one'), await look('${id}')]\n`
    await project.use(agent('two'))
    await project.golden(await project.load())
    await project.use(agent('three'))
    const { command = '' } = await project.advised('debug')
    const { status, stdout } = await spawnCommand(project.directory.path, command.replace('npx goldenrun ', '').split(' '))
    expect([status, stdout]).toEqual([0, expect.stringContaining('agent-')])
  },
  async 'wrap-database'(project) {
    const file = project.directory.resolve('orders.db')
    const plain = new LibsqlDatabase(file)
    plain.exec('CREATE TABLE orders (id TEXT)')
    const database = new PromisedDatabase(file, {})
    const early = (await database.prepare("INSERT INTO orders VALUES ('ord_1')")) as { run(): Promise<unknown> }
    const release = installDoors()
    await vi.waitUntil(() => isReplacement(early.run))
    try {
      await project.golden(once)
      await project.use(async () => [await look('one'), await early.run()].slice(0, 1))
      await project.advised('wrap-database')
      const orders = wrapClient('orders', database) as unknown as { prepare(sql: string): Promise<{ run(): Promise<unknown> }> }
      const wrapped: Agent = async () =>
        [await look('one'), await (await orders.prepare("INSERT INTO orders VALUES ('ord_2')")).run()].slice(0, 1)
      await project.golden(wrapped)
      await project.holds()
    } finally {
      release()
      plain.close()
    }
  },
}
