import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { LocalServer } from '../../examples/world/listen.ts'
import { startProvider } from '../../examples/world/provider.ts'
import type { Turn } from '../../examples/world/turn.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { replay } from '../../src/replay/replay.ts'
import { currentRun } from '../../src/run/current-run.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { type FrameworkAgent, lookedUp } from '../frameworks/programs/framework-agent.ts'
import { runNode } from './run-command.ts'
import { createTemporaryDirectory } from './temporary-directory.ts'

/** What came of a framework's agent. */
export interface HeldFramework {
  readonly trace: Trace
  /** What the golden says was called, each tool once. */
  readonly called: readonly (readonly [name: string, args: unknown, source: string])[]
  /** What the agent with another spelling of an order's id came to: its first divergence. */
  readonly mutant: ReplayedRun['divergences'][number] | undefined
}

const replayProgram = fileURLToPath(new URL('../frameworks/programs/replay-program.ts', import.meta.url))

/**
 * Records an agent of `test/frameworks/programs` against a model on loopback, promotes the recording, ends the model, and holds the golden: twenty
 * replays in this process and one in another come to the recorded end, and look up nothing.
 */
export async function holdFramework(
  name: string,
  turns: readonly Turn[],
  startServer?: () => Promise<LocalServer>,
): Promise<HeldFramework> {
  const program = fileURLToPath(new URL(`../frameworks/programs/${name}.ts`, import.meta.url))
  const { agent } = (await import(program)) as { agent: FrameworkAgent }
  await using directory = await createTemporaryDirectory()
  const store = directory.resolve('runs')
  const recording = await record(agent, store, turns, startServer)
  const golden = await promote(recording, { name, directory: directory.resolve('golden-traces'), agent, replay: { context: {} } })
  const { trace } = golden

  const known = lookedUp.length
  const first = await replay(trace, agent, { context: {} })
  const runs = [first]
  for (let times = 1; times < 20; times++) runs.push(await replay(trace, agent, { context: {} }))
  expect(runs.flatMap(({ divergences }) => divergences)).toEqual([])
  expect(new Set(runs.map(({ hash }) => hash))).toEqual(new Set([trace.hash]))
  expect(lookedUp).toHaveLength(known)

  const second = await runNode(directory.path, [replayProgram, golden.file, program])
  expect({ ...second, stdout: parse(second.stdout) }).toMatchObject({
    status: 0,
    stdout: { divergences: [], status: 'returned', lookedUp: [] },
  })

  const mutated = await replay(trace, agent, { context: { spell: (id: string) => id.toUpperCase() } })
  return {
    trace,
    called: first.toolCalls.map(({ name: tool, args, source }) => [tool, args, source] as const),
    mutant: mutated.divergences[0],
  }
}

async function record(
  agent: FrameworkAgent,
  store: string,
  turns: readonly Turn[],
  startServer?: () => Promise<LocalServer>,
): Promise<Trace> {
  await using model = await startProvider({ script: ({ ordinal }) => turns[ordinal - 1] ?? { status: 400 } })
  await using server = await startServer?.()
  const recorder = createRecorder({ store, thread: false })
  let id = ''
  const input = { question: 'Where are my orders?', model: model.openaiBaseUrl, ...(server === undefined ? {} : { server: server.url }) }
  await recorder.run({ agent: 'support', input, context: {} }, async (ask, context) => {
    id = currentRun()?.id ?? ''
    return await agent(ask, context)
  })
  await recorder.close()
  return await readTrace(id, { store })
}

function parse(printed: string): unknown {
  try {
    return JSON.parse(printed)
  } catch {
    return printed
  }
}
