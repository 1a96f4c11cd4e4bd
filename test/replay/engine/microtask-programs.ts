import { replay } from '../../../src/replay/replay.ts'
import { external } from '../../../src/run/external.ts'
import { tool } from '../../../src/run/tool.ts'
import { createRandom, type Random } from '../../support/random.ts'
import { recordRun } from '../../support/record-run.ts'

const wait = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))
const ticks = async (count: number): Promise<void> => {
  for (let tick = 0; tick < count; tick += 1) await Promise.resolve()
}

/** Tools that settle in so many microtasks, or in a timer's time where it is negative. */
const settle = async (microtasks: number, value: string): Promise<string> => {
  if (microtasks < 0) await wait(-microtasks)
  else await ticks(microtasks)
  return value
}
const callees = [
  tool('look', {}, async (value: string, microtasks: number) => settle(microtasks, value)),
  tool('find', {}, async (value: string, microtasks: number) => settle(microtasks, value)),
  external('query', async (value: string, microtasks: number) => settle(microtasks, value)),
]

/** A program of an agent: what it does, in chains of microtasks. */
type Microtasks =
  | { readonly kind: 'call'; readonly callee: number; readonly value: string; readonly microtasks: number }
  | { readonly kind: 'ticks'; readonly count: number }
  | { readonly kind: 'wait'; readonly delay: number }
  | { readonly kind: 'sequence'; readonly parts: readonly Microtasks[] }
  | { readonly kind: 'all' | 'race' | 'any' | 'allSettled'; readonly parts: readonly Microtasks[] }

/** Draws a program: equal inputs are likely, and so are chains that end within the same turn of the event loop. */
function drawProgram(random: Random, depth = 3): Microtasks {
  const parts = (): Microtasks[] => Array.from({ length: random.whole(2, 4) }, () => drawProgram(random, depth - 1))
  const kind = depth === 3 ? 6 : random.whole(0, depth === 0 ? 5 : 9)
  switch (kind) {
    case 0:
    case 1:
    case 2:
    case 3:
      return {
        kind: 'call',
        callee: random.whole(0, callees.length - 1),
        value: `v${random.whole(0, 1)}`,
        microtasks: random.whole(0, 5) === 0 ? -random.whole(1, 2) : random.whole(0, 3),
      }
    case 4:
      return { kind: 'ticks', count: random.whole(1, 6) }
    case 5:
      return { kind: 'wait', delay: random.whole(1, 3) }
    case 6:
    case 7:
      return { kind: 'sequence', parts: parts() }
    default:
      return { kind: (['all', 'race', 'any', 'allSettled'] as const)[random.whole(0, 3)] ?? 'all', parts: parts() }
  }
}

/** Runs a program; `heard` is what it was answered, in order. */
async function runProgram(program: Microtasks, heard: string[]): Promise<unknown> {
  switch (program.kind) {
    case 'call': {
      const answer = await callees[program.callee]?.(program.value, program.microtasks)
      heard.push(`${program.callee} ${answer}`)
      return answer
    }
    case 'ticks':
      return await ticks(program.count)
    case 'wait':
      return await wait(program.delay)
    case 'sequence': {
      let last: unknown
      for (const part of program.parts) last = await runProgram(part, heard)
      return last
    }
    case 'all':
      return await Promise.all(program.parts.map((part) => runProgram(part, heard)))
    case 'race':
      return await Promise.race(program.parts.map((part) => runProgram(part, heard)))
    case 'any':
      return await Promise.any(program.parts.map((part) => runProgram(part, heard)))
    case 'allSettled':
      return (await Promise.allSettled(program.parts.map((part) => runProgram(part, heard)))).length
  }
}

/** Records so many programs and replays each unchanged: the steps of all, and the first divergence of each that is not held. */
export async function replayPrograms(count: number): Promise<{ readonly found: readonly string[]; readonly steps: number }> {
  const found: string[] = []
  let steps = 0
  for (let seed = 0; seed < count; seed += 1) {
    const program = drawProgram(createRandom(seed))
    const agent = async (): Promise<string[]> => {
      const heard: string[] = []
      await runProgram(program, heard)
      return heard
    }
    const { trace } = await recordRun(agent)
    steps += trace.steps.length
    const run = await replay(trace, agent)
    for (const { cause, step } of run.divergences.slice(0, 1)) found.push(`${cause} at ${step}, seed ${seed}`)
  }
  return { found, steps }
}
