import path from 'node:path'
import { replayOptionsOf } from '../../config/agent-reference.ts'
import { displayPath } from '../../node/display-path.ts'
import { preparePromotion, tryPromotion } from '../../replay/goldens/promotion.ts'
import { writeFileAtomically } from '../../stores/write-file-atomically.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { Trace } from '../../trace/trace.ts'
import type { Verification } from '../../travel/verify/verification.ts'
import type { AgentOf } from '../remember-agents.ts'

/**
 * Keeps the first sample that passed as a golden. From then on, a replay, which needs no model, guards the fix. The golden replaces the one that was
 * verified. An incident golden stays, and the new golden is added next to it.
 *
 * @returns The file's name in messages. Undefined if no verified sample can be kept.
 * @throws PromoteError if the agent does not replay the sample.
 */
export async function acceptSample(
  { header: { golden, agent: name } }: Trace,
  { verdict, samples, departure }: Verification,
  { agent, loaded }: Awaited<ReturnType<AgentOf>>,
  file: string,
): Promise<string | undefined> {
  const passed = samples.find(({ result }) => result === 'passed')
  if (golden === undefined || verdict !== 'held' || departure === undefined || passed === undefined) return undefined
  const isIncident = golden.expect.replay === 'departs'
  const suffix = isIncident ? '-verified' : ''
  const { description, expectedOutcome } = golden
  const promotion = await preparePromotion(passed.run.toTrace(), {
    name: `${golden.name}${suffix}`,
    ...omitUndefined({ description, expectedOutcome }),
    force: true,
  })
  const trial = await tryPromotion(promotion, agent, await replayOptionsOf(loaded.config, name))
  const { text } = await trial.settle([])
  const target = path.join(path.dirname(file), `${path.basename(file, '.jsonl')}${suffix}.jsonl`)
  await writeFileAtomically(target, text, { force: true })
  return displayPath(target)
}
