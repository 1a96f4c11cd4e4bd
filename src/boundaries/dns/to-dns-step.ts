import type { DirectStep } from '../direct-step.ts'

/** Returns a query as a step, the same for a callback and for a promise. @param args The agent's arguments; a callback is left out. */
export function toDnsStep(name: string, args: readonly unknown[]): DirectStep {
  return { name: `dns ${name}`, effect: 'read', input: inputOf(name, args) }
}

function inputOf(name: string, [asked, second]: readonly unknown[]): object {
  if (name === 'lookupService') return { address: asked, port: second }
  if (name === 'reverse') return { address: asked }
  return { hostname: asked, ...optionsOf(second) }
}

function optionsOf(second: unknown): object {
  if (typeof second === 'string') return { rrtype: second }
  if (typeof second === 'number') return { family: second }
  return typeof second === 'object' && second !== null ? second : {}
}
