import { type Agent, createAgent } from './agent.ts'
import * as policies from './policies.ts'

/** Three ways to fix the double refund. */
export const waitLonger: Agent = createAgent(policies.later, policies.always)
export const neverRetry: Agent = createAgent(policies.never, policies.always)
export const askFirst: Agent = createAgent(policies.askFirst, policies.always)
