import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isJsonObject, type JsonObject, toObjects, toText } from '../world/json.ts'

/** The two shops of τ-bench. */
export type TauDomain = 'airline' | 'retail'

/** A tool call as the recorded model printed it. Ids are not unique: τ-bench gives one id to different calls of a run. */
export interface TauToolCall {
  readonly id: string
  readonly name: string
  /** JSON, not always printed compactly. */
  readonly argumentsText: string
}

/** A message of a recorded run. */
export interface TauMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** Null where the model only calls a tool. */
  readonly content: string | null
  /** Present on an assistant's message that calls tools. */
  readonly toolCalls?: readonly TauToolCall[]
}

/** One recorded run: a customer, an agent and its tools, from the system prompt to the end. */
export interface TauRun {
  /** The file's name without `.json`: `airline-task004-trial2`. */
  readonly name: string
  readonly domain: TauDomain
  readonly messages: readonly TauMessage[]
}

/** Where the recorded runs lie: beside the repository, not in it. */
export const TAU_FOLDER: string = fileURLToPath(new URL('../../../shared/data/tau-bench/dev', import.meta.url))

/** The files of all recorded runs, by name; none where the data is absent. */
export function listTauRuns(): string[] {
  if (!existsSync(TAU_FOLDER)) return []
  return readdirSync(TAU_FOLDER)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => join(TAU_FOLDER, file))
}

/** Reads one recorded run. Throws where the file is none. */
export function loadTauRun(file: string): TauRun {
  const name = basename(file, '.json')
  const [domain] = name.split('-')
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isJsonObject(json) || !Array.isArray(json['traj']) || (domain !== 'airline' && domain !== 'retail')) {
    throw new Error(`${file} is no τ-bench run: it needs a list "traj", and a name that starts with airline or retail.`)
  }
  return { name, domain, messages: toObjects(json['traj']).map(toMessage) }
}

function toMessage(message: JsonObject): TauMessage {
  const { role, content } = message
  if (role !== 'system' && role !== 'user' && role !== 'assistant' && role !== 'tool')
    throw new Error(`A message has the role ${String(role)}.`)
  const toolCalls = toObjects(message['tool_calls']).map(toToolCall)
  return { role, content: typeof content === 'string' ? content : null, ...(toolCalls.length > 0 && { toolCalls }) }
}

function toToolCall(call: JsonObject): TauToolCall {
  const target = isJsonObject(call['function']) ? call['function'] : {}
  return { id: toText(call['id']), name: toText(target['name']), argumentsText: toText(target['arguments']) }
}
