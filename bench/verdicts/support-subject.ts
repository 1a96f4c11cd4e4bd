import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { readTrace } from 'goldenrun/replay'
import { createSupportScript } from '../../examples/support-agent/scripts.ts'
import { USUAL_PORTS } from '../../examples/support-agent/start-world.ts'
import { startPayments } from '../../examples/world/payments.ts'
import { startProvider } from '../../examples/world/provider.ts'
import type { AnyAgent, Scene, Subject } from './subject.ts'
import { RunLog } from './world/run-log.ts'
import { runLogged } from './world/run-logged.ts'

const ROOT = path.join(import.meta.dirname, '../..')

const GOLDENS = path.join(ROOT, 'golden-traces')

const SOURCE = path.join(ROOT, 'examples/support-agent')

/** Which of the agent's tools makes a request of the payments API. */
const TOOLS: readonly (readonly [tool: string, request: RegExp])[] = [
  ['get_order', /^GET \/v1\/orders\/[^/]+$/],
  ['cancel_order', /^POST \/v1\/orders\/[^/]+\/cancel$/],
  ['refund_order', /^POST \/v1\/refunds$/],
  ['find_refund', /^GET \/v1\/refunds\?/],
]

/** The example's support agent, over the project's own goldens. */
export const supportSubject: Subject = {
  source: SOURCE,
  async open(_folder, most = Infinity) {
    const scenes: Scene[] = []
    for (const file of readdirSync(GOLDENS).toSorted().slice(0, most)) scenes.push(await openScene(path.join(GOLDENS, file)))
    return { scenes, [Symbol.asyncDispose]: () => Promise.resolve() }
  },
}

async function openScene(file: string): Promise<Scene> {
  const trace = await readTrace(file)
  const sdk = trace.header.agent.replace('support-', '')
  const agentOf = async (folder: string): Promise<AnyAgent> => {
    const { supportAgent }: { supportAgent: AnyAgent } = await import(pathToFileURL(path.join(folder, `agent-${sdk}.ts`)).href)
    return supportAgent
  }
  const tryOut = (agent: AnyAgent): Promise<RunLog> => logRun(agent, trace.header.input)
  return { name: path.basename(file, '.jsonl'), trace, log: await tryOut(await agentOf(SOURCE)), context: undefined, agentOf, tryOut }
}

/** Runs an agent in the world that the goldens were recorded in, at the addresses that it calls where its environment says nothing. */
async function logRun(agent: AnyAgent, input: unknown): Promise<RunLog> {
  const log = new RunLog()
  const play = createSupportScript()
  const provider = await startProvider({
    port: USUAL_PORTS.provider,
    script: (request) => {
      const answered = log.call('model', request.json)
      answered()
      return play(request)
    },
  })
  const payments = await startPayments({
    port: USUAL_PORTS.payments,
    faults: { refund: 'times-out-after-acting' },
    onRequest: (method, target, body) => {
      const [tool] = TOOLS.find(([, request]) => request.test(`${method} ${target}`)) ?? [`${method} ${target}`]
      return log.call(tool, { target, body: body ?? null }, 2)
    },
  })
  await runLogged(log, () => agent(input)).catch(() => undefined)
  await Promise.all([provider.close(), payments.close()])
  // The next world has the same addresses: what is left of the connections to this one has to be gone.
  await sleep(30)
  return log
}
