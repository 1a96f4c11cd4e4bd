import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createRandom } from '../support/random.ts'
import { clients } from './agents/clients.ts'
import { conversations } from './agents/conversations.ts'
import { memory } from './agents/memory.ts'
import { subAgents } from './agents/sub-agents.ts'
import { tools } from './agents/tools.ts'
import { expectedOf } from './changed-agent.ts'
import { type ChangedProject, createChangedProject, type Verdicts } from './surfaces.ts'

// The agents share one project, so that each surface starts once. All of them: npm run test:full -- surfaces
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

const SEED = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
const kinds = [memory, clients, conversations, subAgents, tools]
const isWhole = process.env['GOLDENRUN_SURFACES'] === 'all'
const random = createRandom(SEED)
const agents = kinds.flatMap((kind) => (isWhole ? kind : random.shuffle(kind).slice(0, 1)))

let project: ChangedProject

beforeAll(async () => {
  project = await createChangedProject(agents)
})
afterAll(() => project[Symbol.asyncDispose]())

/** Where goldens are replayed: in a script or a test of the project, no other process looks for the agent's line. */
const surfaces: readonly (readonly [where: string, kind: 'script' | 'test' | 'file', replay: () => Promise<Verdicts>])[] = [
  ['replay() in a script', 'script', () => project.script()],
  ['the command', 'file', () => project.command()],
  ['tests in Vitest', 'test', () => project.tests('vitest', 'test')],
  ['golden files in Vitest', 'file', () => project.tests('vitest', 'golden-traces')],
  ['golden files in one worker of Vitest', 'file', () => project.tests('vitest', 'golden-traces', '--no-isolate', '--no-file-parallelism')],
  ['tests in Jest', 'test', () => project.tests('jest', 'test')],
  ['golden files in Jest', 'file', () => project.tests('jest', 'golden-traces')],
]

it.each(surfaces)(`says what changed, where and what to do: %s (GOLDENRUN_SEED=${SEED})`, async (_, kind, replay) => {
  const said = await replay()
  const judged = agents.filter(({ incident }) => kind !== 'script' || incident === undefined)
  const expected = Object.assign({}, ...judged.map((agent) => expectedOf(agent, kind !== 'file'))) as ReturnType<typeof expectedOf>
  // A script has no advice. Behind its first words stands a command, which is another on each surface.
  const advised = Object.entries(said).map(([golden, { advice, ...verdict }]) => {
    const wanted = expected[golden]?.advice ?? ''
    return [golden, { ...verdict, advice: advice === undefined || advice.startsWith(wanted) ? wanted : advice }]
  })
  expect(Object.fromEntries(advised)).toEqual(expected)
})
