import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { TauMessage, TauRun } from '../../../examples/tau/tau-run.ts'
import { toTurn } from '../../../examples/tau/tau-world.ts'
import type { NormalRequest } from '../../../examples/world/normal-request.ts'
import { type Provider, startProvider } from '../../../examples/world/provider.ts'
import type { Turn } from '../../../examples/world/turn.ts'
import type { DeskContext } from '../desk/context.ts'
import { RunLog } from './run-log.ts'

/** The world around one run of the desk, with what it saw. */
export interface DeskWorld {
  readonly context: DeskContext
  readonly log: RunLog
}

/** One model provider on loopback, and around each run of the desk a world of its own. */
export interface DeskServer extends AsyncDisposable {
  /** A world in which the customer, the model and the tools say what they said in a real run, each in turn, whatever they are asked. */
  open(run: TauRun): DeskWorld
}

/** How long the lookups that are made at once take, in milliseconds; whatever else is called answers in the next turn of the event loop. */
const DURATIONS: Readonly<Record<string, number>> = { list_notices: 6, get_limits: 2, count_agents: 4 }

/** Starts the provider. */
export async function startDeskServer(): Promise<DeskServer> {
  const models = new Map<string, (request: NormalRequest) => Turn>()
  const provider = await startProvider({
    keepExchanges: false,
    script: (request) => {
      const [, run = ''] = request.path.split('/')
      // Who asks through a proxy that keeps no path is in the world that was opened last.
      const model = models.get(run) ?? [...models.values()].at(-1)
      if (model === undefined) throw new Error(`There is no world ${run}.`)
      return model(request)
    },
  })
  return {
    open(run) {
      const id = `run-${models.size + 1}`
      const log = new RunLog()
      models.set(id, createModel(run, log))
      return { log, context: createContext(run, log, baseUrlOf(provider, id)) }
    },
    [Symbol.asyncDispose]: () => provider.close(),
  }
}

function baseUrlOf(provider: Provider, id: string): string {
  return provider.openaiBaseUrl.replace(/\/v1$/, `/${id}/v1`)
}

function createModel(run: TauRun, log: RunLog): (request: NormalRequest) => Turn {
  const turns = run.messages.filter(({ role }) => role === 'assistant').map(toTurn)
  return ({ json }) => {
    const answered = log.call('model', json)
    answered()
    return turns.shift() ?? { text: 'I have nothing to add.' }
  }
}

function createContext(run: TauRun, log: RunLog, baseUrl: string): DeskContext {
  const said = (role: TauMessage['role']): string[] =>
    run.messages.filter((message) => message.role === role).map(({ content }) => content ?? '')
  const customer = said('user')
  const results = said('tool')
  const failures = new Map([
    ['reserve_slot', 1],
    ['ring_bell', Infinity],
  ])
  const act = async (name: string, input: unknown, answer: () => string): Promise<string> => {
    const answered = log.call(name, input)
    try {
      await (name in DURATIONS ? sleep(DURATIONS[name]) : nextTurn())
      return answer()
    } finally {
      answered()
    }
  }
  return {
    baseUrl,
    nextUserTurn: (reply) => act('customer', reply, () => customer.shift() ?? '###STOP###'),
    callTool: (name, args) => act(name, args, () => results.shift() ?? 'There is nothing more.'),
    lookUp: (name, args) =>
      act(name, args, () => {
        const left = failures.get(name) ?? 0
        failures.set(name, left - 1)
        if (left > 0) throw new Error(`${name} is busy.`)
        return `${name} of ${typeof args['domain'] === 'string' ? args['domain'] : 'the ticket'}`
      }),
    reached: (name, state) => log.reach(name, state),
  }
}
