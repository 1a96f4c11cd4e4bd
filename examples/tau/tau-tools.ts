import { jsonSchemaOf, type JsonSchema } from './json-schema-of.ts'
import { listTauRuns, loadTauRun, type TauDomain, type TauRun, type TauToolCall } from './tau-run.ts'

/** A tool of one of the two shops. */
export interface TauTool {
  readonly name: string
  readonly effect: 'read' | 'write'
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: JsonSchema
}

const WRITES = /^(book|cancel|update|return|exchange|modify|send)_/

/**
 * The tools of both shops by name, sorted. The data does not hold their definitions: descriptions are made of the names, schemas of all the
 * arguments that they were called with. Empty where the data is absent.
 */
export const TAU_TOOLS: Readonly<Record<TauDomain, readonly TauTool[]>> = readTools()

function readTools(): Record<TauDomain, TauTool[]> {
  const runs = listTauRuns().map(loadTauRun)
  const calls = runs.flatMap(toolCallsOf)
  const toolsOf = (domain: TauDomain): TauTool[] => {
    const names = new Set(runs.filter((run) => run.domain === domain).flatMap((run) => toolCallsOf(run).map((call) => call.name)))
    return [...names].toSorted().map((name) =>
      toTool(
        name,
        calls.filter((call) => call.name === name),
      ),
    )
  }
  return { airline: toolsOf('airline'), retail: toolsOf('retail') }
}

function toolCallsOf(run: TauRun): TauToolCall[] {
  return run.messages.flatMap((message) => message.toolCalls ?? [])
}

function toTool(name: string, calls: readonly TauToolCall[]): TauTool {
  const words = name.replaceAll('_', ' ')
  return {
    name,
    effect: WRITES.test(name) ? 'write' : 'read',
    description: `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
    parameters: jsonSchemaOf(calls.map((call): unknown => JSON.parse(call.argumentsText))),
  }
}
