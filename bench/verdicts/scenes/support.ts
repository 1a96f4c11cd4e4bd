import { listTauRuns, loadTauRun, type TauMessage, type TauRun } from '../../../examples/tau/tau-run.ts'
import { HEADER_CHANGES } from '../mutations/agent-headers.ts'
import { SUPPORT_CHANGES } from '../mutations/support-changes.ts'
import { SUPPORT_REFACTORINGS } from '../mutations/support-refactorings.ts'
import { USER_TOKEN } from '../world/account-service.ts'
import type { Script, Turn } from '../world/script.ts'
import type { Scene, Subject } from './subject.ts'

/** How long the concurrent lookups take, in milliseconds. All other calls are answered in the next turn of the event loop. */
const DURATIONS: Readonly<Record<string, number>> = { list_notices: 24, get_limits: 8, count_agents: 16 }

/** A shop's desk, over every third of the real runs, with their customers, models and tools. */
export const support: Subject = {
  name: 'support',
  scenes: listTauRuns()
    .filter((_file, index) => index % 3 === 0)
    .map(loadTauRun)
    .map(toScene),
  mutations: [...SUPPORT_CHANGES, ...SUPPORT_REFACTORINGS, ...HEADER_CHANGES.support],
}

function toScene(run: TauRun): Scene {
  return {
    name: run.name,
    input: { domain: run.domain, policy: run.messages[0]?.content ?? '', userToken: USER_TOKEN },
    createScript: () => createScript(run),
  }
}

/** The customer, the model and the tools repeat what they said in the real run, each in order, whatever they are asked. */
function createScript(run: TauRun): Script {
  const said = (role: TauMessage['role']): string[] =>
    run.messages.filter((message) => message.role === role).map(({ content }) => content ?? '')
  const turns = run.messages.filter(({ role }) => role === 'assistant').map(toTurn)
  const customer = said('user')
  const results = said('tool')
  const lookups: Readonly<Record<string, number>> = { reserve_slot: 1, ring_bell: Infinity }
  return ({ name, input, count }) => {
    const ms = DURATIONS[name] ?? 0
    if (name === 'model') return { ms, turn: turns.shift() ?? { text: 'I have nothing to add.' } }
    if (name === 'customer') return { ms, value: customer.shift() ?? '###STOP###' }
    if (!OWN.has(name)) return { ms, value: results.shift() ?? 'There is nothing more.' }
    if (count <= (lookups[name] ?? 0)) return { ms, fails: `${name} is busy.` }
    const { domain } = input as { domain?: unknown }
    return { ms, value: `${name} of ${typeof domain === 'string' ? domain : 'the ticket'}` }
  }
}

/** The desk's own tools, which no model asks for. */
const OWN: ReadonlySet<string> = new Set([
  'get_shop',
  'get_hours',
  'list_notices',
  'get_limits',
  'count_agents',
  'reserve_slot',
  'ring_bell',
  'file_transcript',
  'close_ticket',
])

function toTurn({ content, toolCalls }: TauMessage): Turn {
  return { text: content, pieceMs: 0, ...(toolCalls && { calls: toolCalls }) }
}
