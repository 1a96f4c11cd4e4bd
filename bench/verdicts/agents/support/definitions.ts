import { TAU_TOOLS, type TauTool } from '../../../../examples/tau/tau-tools.ts'

/** A tool, as described to the model. */
export interface Definition {
  readonly name: string
  readonly effect: 'read' | 'write'
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Returns the shop's tools, as described to the model. */
export function define(domain: 'airline' | 'retail'): Definition[] {
  return TAU_TOOLS[domain].map(toDefinition)
}

function toDefinition({ name, effect, description, parameters }: TauTool): Definition {
  return { name, effect, description: `${description} Use it once you know who asks.`, parameters: withNote(parameters) }
}

/** Adds the note for the shop's files that every tool takes. */
function withNote(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const note = { type: 'string', description: 'A note for the files.' }
  const properties = { ...(parameters['properties'] as object), note }
  return { ...parameters, properties }
}
