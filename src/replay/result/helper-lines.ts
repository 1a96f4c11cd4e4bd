import type { Divergence } from '../../divergence/divergence.ts'
import { type AgentLine, linesTo } from '../../run/agent-stack.ts'
import { type CallSite, siteOf } from '../../run/call-site.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/**
 * Names the caller where the line of a divergence is that of a helper, through which the agent makes different calls: the line of a client that posts
 * whatever it is given says nothing about the call.
 *
 * @param calls The calls of the replay. Of some of them, the stack is known.
 */
export function withCallers(divergences: readonly Divergence[], calls: readonly ReplayCall[]): readonly Divergence[] {
  if (divergences.every(({ site }) => site === undefined)) return divergences
  const chains = calls.flatMap(({ trail }) => {
    const site = trail?.stack === undefined ? undefined : siteOf(trail)
    return site === undefined ? [] : [linesTo(site)]
  })
  return divergences.map((divergence) => {
    const site = divergence.site && callerOf(divergence.site, chains)
    return site === divergence.site || site === undefined ? divergence : { ...divergence, site }
  })
}

/**
 * The line itself if it is not a helper's. Otherwise the innermost line of a function that makes different calls: one that only passes its arguments on
 * belongs to the helper. If there is none, the innermost line that is not shared.
 */
function callerOf(site: CallSite, chains: readonly (readonly AgentLine[])[]): CallSite {
  const own = linesTo(site)
  const outside = own.slice(own.findIndex((_, index) => !isShared(own.slice(index), chains)))
  const [first] = outside
  if (first === undefined || isOneLine(first, site)) return site
  const { file, line, column } = outside.find((each) => makesOtherCalls(each, chains)) ?? first
  return { file, line, column }
}

/** Whether other calls were made through the first of these lines, on another way to it. */
function isShared([line, ...way]: readonly AgentLine[], chains: readonly (readonly AgentLine[])[]): boolean {
  if (line === undefined || way.length === 0) return false
  return chains.some((chain) => {
    const index = chain.findIndex((other) => isOneLine(other, line))
    const otherWay = index === -1 ? [] : chain.slice(index + 1)
    return !leadsAlong(way, otherWay) && !leadsAlong(otherWay, way)
  })
}

/** Whether a way is a part of another one. An asynchronous stack lacks the functions that return a promise without awaiting it. */
function leadsAlong(part: readonly AgentLine[], way: readonly AgentLine[]): boolean {
  let at = 0
  for (const line of way) {
    const next = part[at]
    if (next !== undefined && isOneLine(next, line)) at += 1
  }
  return at === part.length
}

/** Whether the function of a line also makes a call from another of its lines. */
function makesOtherCalls(line: AgentLine, chains: readonly (readonly AgentLine[])[]): boolean {
  return chains.some((chain) => chain.some((other) => other.file === line.file && other.name === line.name && other.line !== line.line))
}

function isOneLine(one: CallSite, other: CallSite): boolean {
  return one.file === other.file && one.line === other.line
}
