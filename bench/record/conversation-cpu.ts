import type { Metric } from '../figures.ts'
import { median, upperBound } from '../rounds.ts'
import { ContestantProcess, type RoundTimes } from './contestant-process.ts'
import type { Sizes } from './sizes.ts'
import { startServer } from './start-server.ts'

/** Measures recording a growing conversation, in which each step resends everything before it. */
export async function measureConversationCpu(
  note: (line: string) => void,
  { conversations, conversationRounds, warmUpConversations, blocks }: Sizes,
): Promise<Record<string, Metric>> {
  const steps = conversations.at(-1) ?? 0
  const workload = { kind: 'conversation', calls: steps, runs: 1, arrival: { concurrency: 1 } } as const
  using server = await startServer(new URL('conversation-program.ts', import.meta.url))
  const rounds: { readonly bare: RoundTimes; readonly own: RoundTimes }[] = []
  // As with short runs: a process is faster or slower than another one for its whole life.
  for (let block = 0; block < blocks; block += 1) {
    note(`Measuring conversations of ${steps} streamed model calls, with and without, ${block + 1} of ${blocks}.`)
    await using none = await ContestantProcess.start('none')
    await using goldenrun = await ContestantProcess.start('goldenrun')
    for (let round = -warmUpConversations; round < conversationRounds; round += 1) {
      const took =
        round % 2 === 0
          ? { bare: await none.measure(workload, server.port), own: await goldenrun.measure(workload, server.port) }
          : { own: await goldenrun.measure(workload, server.port), bare: await none.measure(workload, server.port) }
      if (round >= 0) rounds.push(took)
    }
  }
  const all = (read: (round: (typeof rounds)[number]) => number): readonly number[] => rounds.map((round) => read(round) / steps)
  const added = all(({ own, bare }) => own.main - bare.main)
  const ofMain = (who: 'own' | 'bare'): string => median(all((round) => round[who].main)).toFixed(2)
  return {
    [`main_thread_ms_per_step_${steps}`]: {
      value: median(added),
      unit: 'ms',
      goal: 0.2,
      against:
        `main thread ${ofMain('own')} ms a step with recording, ${ofMain('bare')} without; ` +
        `the median of ${rounds.length} paired rounds is below ${upperBound(added).toFixed(2)} ms with 95 %`,
    },
    [`total_ms_per_step_${steps}`]: {
      value: median(all(({ own, bare }) => own.all - bare.all)),
      unit: 'ms',
      against: 'all threads, until everything is written',
    },
  }
}
