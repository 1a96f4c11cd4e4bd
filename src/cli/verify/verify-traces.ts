import { replayOptionsOf } from '../../config/agent-reference.ts'
import { readStoredTrace } from '../../replay/traces/read-trace.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { Trace } from '../../trace/trace.ts'
import type { VerificationSummary } from '../../travel/verify/describe-verification.ts'
import type { Verification } from '../../travel/verify/verification.ts'
import type { VerifyOptions } from '../../travel/verify/verify-options.ts'
import { verify } from '../../travel/verify/verify.ts'
import { untilUncaught } from '../until-uncaught.ts'
import { type AgentOf, type EachTraceOptions, forEachTrace } from '../remember-agents.ts'
import type { SelectedTrace } from '../select-traces.ts'

/** The options of verifying traces, as JSON. The budget has no prices, because the config has them. */
export interface VerifyTracesOptions
  extends
    Pick<VerifyOptions, 'samples' | 'atLeast' | 'concurrency' | 'budget' | 'seed' | 'allowHost' | 'standIns'>,
    Required<Pick<VerifyOptions, 'stopEarly' | 'cache' | 'checks'>> {
  /** The recorded step at which each trace is forked, by the trace's name. Default: where the agent departs. */
  readonly departAt?: Readonly<Record<string, number>>
}

/** A trace that was verified, or could not be. */
export interface VerifiedTrace {
  /** A golden's name, or a recording's id. */
  readonly name: string
  readonly file?: string
  readonly verification?: Verification
  /** Why it could not be verified. */
  readonly message?: string
}

/** A trace that was verified with past code. */
export interface VerifiedAt extends Pick<VerifiedTrace, 'name' | 'message'> {
  readonly verification?: VerificationSummary
}

/** Called after each verification, with the agent that was verified. */
export type OnVerified = (trace: Trace, verification: Verification, agent: Awaited<ReturnType<AgentOf>>, file: string) => Promise<void>

/** Verifies traces with the agents of their configs. Only model calls reach the outside world. */
export async function verifyTraces(
  selected: readonly SelectedTrace[],
  options: VerifyTracesOptions,
  work: EachTraceOptions & { readonly onVerified?: OnVerified },
): Promise<VerifiedTrace[]> {
  return await forEachTrace(selected, work, async (each, agentOf) => await verifyTrace(each, agentOf, options, work.onVerified))
}

async function verifyTrace(
  { name, locate }: SelectedTrace,
  agentOf: AgentOf,
  options: VerifyTracesOptions,
  onVerified: OnVerified | undefined,
): Promise<VerifiedTrace> {
  let about: Pick<VerifiedTrace, 'name' | 'file'> = { name }
  const work = async (): Promise<VerifiedTrace> => {
    const { trace, file } = await readStoredTrace(await locate())
    about = { name: trace.header.golden?.name ?? trace.header.id, file }
    const agent = await agentOf(trace, file)
    const verification = await verify(trace, agent.agent as (input: unknown, context: unknown) => unknown, {
      ...(await optionsOf(agent, trace, options)),
    })
    await onVerified?.(trace, verification, agent, file)
    return { ...about, verification }
  }
  try {
    return await untilUncaught(work)
  } catch (error) {
    if (!GoldenrunError.isInstance(error)) throw error
    return { ...about, message: error.message }
  }
}

async function optionsOf(
  { loaded: { config } }: Awaited<ReturnType<AgentOf>>,
  { header: { agent, golden, id } }: Trace,
  { departAt = {}, budget, ...options }: VerifyTracesOptions,
): Promise<VerifyOptions> {
  const { sandbox, prices } = config
  return {
    ...(await replayOptionsOf(config, agent)),
    ...options,
    ...omitUndefined({ sandbox, departAt: departAt[golden?.name ?? id] }),
    ...(budget !== undefined && { budget: { ...budget, ...(prices && { prices }) } }),
  }
}
