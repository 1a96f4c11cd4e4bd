import { AsyncResource } from 'node:async_hooks'
import crypto from 'node:crypto'
import { EventEmitter, once as onceOf } from 'node:events'
import net from 'node:net'
import { promisify } from 'node:util'
import { expect } from 'vitest'
// oxlint-disable-next-line import/no-unassigned-import -- it says what is a test's own
import '../../src/vitest/mark-tests.ts'
import { realTimers } from '../../src/node/real-timers.ts'
import { external } from '../../src/run/external.ts'
import { live } from '../../src/run/live.ts'
import { tool } from '../../src/run/tool.ts'
import type { AdvisedProject, Agent } from './advised-project.ts'
import { type Cases, expectGreen, unquote } from './follow.ts'

const look = tool('look', { effect: 'read' }, async (id: string) => ({ id }))
const once: Agent = async () => [await look('one')]

/** A connection that no boundary records. */
async function ping(project: AdvisedProject): Promise<string> {
  const socket = net.connect(Number(new URL(project.url).port), '127.0.0.1')
  await onceOf(socket, 'connect')
  socket.destroy()
  return 'pong'
}
const pinging =
  (project: AdvisedProject): Agent =>
  async () =>
    [await look('one'), await ping(project)].slice(0, 1)

/** What a module has made when it loaded: it does jobs outside of any run and of any test. */
const asked = new EventEmitter()
asked.on(
  'job',
  AsyncResource.bind((job: () => void) => job()),
)
const outside = async <Result>(body: () => Promise<Result>): Promise<Result> =>
  await new Promise((resolve, reject) => void asked.emit('job', () => void body().then(resolve, reject)))
const request = (project: AdvisedProject): Promise<string> => fetch(`${project.url}/jobs`).then(async (response) => await response.text())

/** Two lanes: one waits for an answer, the other works. The last word has whoever is through last. */
const slow = external('slow', (what: string) => new Promise<string>((resolve) => realTimers.setTimeout(() => resolve(what), 800)))
const derive = promisify(crypto.pbkdf2)
const racing =
  (work: () => Promise<unknown>): Agent =>
  async () => {
    const order: string[] = []
    await Promise.all([slow('answer').then((answer) => order.push(answer)), work().then(() => order.push('work'))])
    return order
  }
/** Quick in the recorded run, slow in the replay, as on a busy machine. */
let iterations = 1
const deriveKey = async (): Promise<unknown> => await derive('secret', 'salt', iterations, 32, 'sha512')
const goldenThatRaces = async (project: AdvisedProject): Promise<void> => {
  iterations = 1
  await project.golden(racing(deriveKey))
  iterations = 400_000
}

export const contactCases: Cases<
  | 'return-instead-of-exit'
  | 'wrap-contact'
  | 'declare-live'
  | 'wrap-lost-contact'
  | 'create-inside'
  | 'allow-lost-contact'
  | 'own-work-races'
  | 'own-work-as-step'
> = {
  async 'return-instead-of-exit'(project) {
    await project.golden(once)
    await project.use(async () => {
      await look('one')
      process.exit(0)
    })
    await project.advised('return-instead-of-exit')
    await project.use(once)
    await project.holds()
  },
  async 'wrap-contact'(project) {
    await project.golden(once)
    await project.use(pinging(project))
    await project.advised('wrap-contact')
    const wrapped: Agent = async () => [await look('one'), await external('ping', async () => await ping(project))()]
    await project.golden(wrapped)
    await project.holds()
  },
  async 'declare-live'(project) {
    await project.golden(once)
    await project.use(pinging(project))
    await project.advised('declare-live')
    await project.use(async () => [await look('one'), await live('a ping', async () => await ping(project))].slice(0, 1))
    await project.holds()
  },
  async 'wrap-lost-contact'(project) {
    await project.golden(once)
    const asking: Agent = async () =>
      [await look('one'), await outside(async () => await request(project)).catch(() => 'failed')].slice(0, 1)
    await project.advisedInTest('wrap-lost-contact', asking)
    const wrapped: Agent = async () => [
      await look('one'),
      await external('job', async () => await outside(async () => await request(project)))(),
    ]
    await project.golden(wrapped)
    expectGreen(await project.replay(wrapped))
  },
  async 'create-inside'(project) {
    await project.golden(once)
    const asking: Agent = async () =>
      [await look('one'), await outside(async () => await request(project)).catch(() => 'failed')].slice(0, 1)
    await project.advisedInTest('create-inside', asking)
    const inside: Agent = async () => [await look('one'), await request(project)]
    await project.golden(inside)
    expectGreen(await project.replay(inside))
  },
  async 'allow-lost-contact'(project) {
    await project.golden(once)
    const asking: Agent = async () =>
      [await look('one'), await outside(async () => await request(project)).catch(() => 'failed')].slice(0, 1)
    const { words } = await project.advisedInTest('allow-lost-contact', asking)
    expectGreen(await project.evaluate(unquote(/replay\([^)]*\)/, words).replace('…', "'g', agent"), asking))
    expect(words).toContain("{ guard: 'run' }")
    expectGreen(await project.replay(asking, { guard: 'run' }))
  },
  async 'own-work-races'(project) {
    await goldenThatRaces(project)
    const { all } = await project.advised('own-work-races')
    expect(all.map(({ id }) => id)).toContain('own-work-as-step')
  },
  async 'own-work-as-step'(project) {
    await goldenThatRaces(project)
    await project.advised('own-work-as-step')
    iterations = 1
    await project.golden(racing(external('derive', deriveKey)))
    iterations = 400_000
    await project.holds()
  },
}
