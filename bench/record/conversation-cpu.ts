import type { Metric } from '../figures.ts'
import { median } from '../rounds.ts'
import { ContestantProcess, type RoundTimes } from './contestant-process.ts'
import type { Sizes } from './sizes.ts'
import { startServer } from './start-server.ts'

/** What recording a growing conversation takes: a step resends all before it. */
export async function measureConversationCpu(
  note: (line: string) => void,
  { conversations, conversationRounds }: Sizes,
): Promise<Record<string, Metric>> {
  const steps = conversations.at(-1) ?? 0
  note(`Measuring conversations of ${steps} streamed model calls, with and without.`)
  using server = await startServer(new URL('conversation-program.ts', import.meta.url))
  await using none = await ContestantProcess.start('none')
  await using goldenrun = await ContestantProcess.start('goldenrun')
  const workload = { kind: 'conversation', calls: steps, runs: 1, arrival: { concurrency: 1 } } as const
  const rounds: { readonly bare: RoundTimes; readonly own: RoundTimes }[] = []
  for (let round = -1; round < conversationRounds; round += 1) {
    const took = { bare: await none.measure(workload, server.port), own: await goldenrun.measure(workload, server.port) }
    // The first is compiled.
    if (round >= 0) rounds.push(took)
  }
  const of = (read: (round: (typeof rounds)[number]) => number): number => median(rounds.map(read)) / steps
  return {
    [`main_thread_ms_per_step_${steps}`]: {
      value: of(({ own, bare }) => own.main - bare.main),
      unit: 'ms',
      goal: 0.2,
      against: `main thread ${of(({ own }) => own.main).toFixed(2)} ms a step with recording, ${of(({ bare }) => bare.main).toFixed(2)} without: the median of ${rounds.length} paired rounds`,
    },
    [`total_ms_per_step_${steps}`]: {
      value: of(({ own, bare }) => own.all - bare.all),
      unit: 'ms',
      against: 'all threads, until everything is written',
    },
  }
}
