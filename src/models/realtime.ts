import { fromBase64 } from '../trace/base64.ts'
import { fieldsBut, type JsonRecord, recordOf } from './json-fields.ts'
import { orElse } from '../trace/or-else.ts'

/**
 * Returns a message that the agent sends to a model over a WebSocket as a step contains it. Sound becomes bytes. The ids that a client gives its own
 * events are omitted, because they differ from run to run.
 *
 * Sources: OpenAI, Realtime API, client events; Google, Live API, `BidiGenerateContentClientMessage`.
 *
 * @param connection The name of the connection: `websocket api.openai.com/v1/realtime`.
 */
export function toSpokenInput(connection: string, message: unknown): unknown {
  if (isRealtime(connection)) return toRealtimeInput(recordOf(message)) ?? message
  if (isLive(connection)) return toLiveInput(recordOf(message)) ?? message
  return message
}

/**
 * Returns whether a field of the query is the key of an account.
 *
 * Sources: Google, Live API, `?key=`; Azure OpenAI, Realtime API, `?api-key=`.
 */
export function isKey(connection: string, field: string): boolean {
  return (isRealtime(connection) || isLive(connection)) && ['key', 'api-key', 'access_token'].includes(field)
}

function isRealtime(connection: string): boolean {
  return connection.endsWith('/realtime')
}

function isLive(connection: string): boolean {
  return /BidiGenerateContent(?:Constrained)?$/.test(connection)
}

function toRealtimeInput(event: JsonRecord): unknown {
  if (typeof event['type'] !== 'string') return undefined
  const { audio, ...rest } = fieldsBut(event, ['event_id'])
  return typeof audio === 'string' ? { ...rest, audio: bytesOf(audio) } : { ...rest, ...(audio === undefined ? {} : { audio }) }
}

function toLiveInput(message: JsonRecord): unknown {
  const key = ['realtimeInput', 'realtime_input'].find((name) => name in message)
  return key === undefined ? undefined : { ...message, [key]: withBlobs(message[key]) }
}

/** Replaces blobs of data by bytes, at any depth. */
function withBlobs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBlobs)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, name === 'data' && typeof field === 'string' ? bytesOf(field) : withBlobs(field)]),
  )
}

function bytesOf(base64: string): unknown {
  return orElse(() => fromBase64(base64), base64)
}
