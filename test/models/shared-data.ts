import { existsSync, readdirSync, readFileSync } from 'node:fs'

const SHARED_DATA = new URL('../../../shared/data/', import.meta.url)

/** Whether the folder with third-party recordings stands beside the repository. */
export const hasSharedData: boolean = existsSync(SHARED_DATA)

/** An HTTP exchange of `cassettes/normalized.jsonl`. */
export interface Exchange {
  readonly source: string
  readonly index: number
  readonly request: { readonly method: string; readonly url: string } & ExchangeBody
  readonly response: { readonly status: number; readonly headers: Readonly<Record<string, readonly string[]>> } & ExchangeBody
}

/** A body of an exchange: text, bytes as base64, or parsed JSON. */
export interface ExchangeBody {
  readonly bodyEncoding: 'utf8' | 'base64' | 'json'
  readonly body: unknown
}

/** The exchanges of `cassettes/normalized.jsonl`; none when the folder is absent. */
export function readExchanges(): readonly Exchange[] {
  if (!hasSharedData) return []
  const lines = readFileSync(new URL('cassettes/normalized.jsonl', SHARED_DATA), 'utf8').trim().split('\n')
  return lines.map((line): Exchange => JSON.parse(line))
}

/** An exchange's key: the file name of its source and its place in it. */
export function keyOf({ source, index }: Pick<Exchange, 'source' | 'index'>): string {
  return `${source.split('/').at(-1)}#${index}`
}

/** A body as bytes. */
export function bytesOfBody({ bodyEncoding, body }: ExchangeBody): Buffer {
  return bodyEncoding === 'json' ? Buffer.from(JSON.stringify(body)) : Buffer.from(String(body), bodyEncoding)
}

/** A body as text. */
export function textOfBody(body: ExchangeBody): string {
  return bytesOfBody(body).toString()
}

/** A message of a τ-bench conversation: OpenAI's, as it was sent. */
export interface TauMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[] | null
  readonly tool_call_id?: string
}

/** The conversations of `tau-bench/dev`, by file name; none when the folder is absent. */
export function readTauConversations(): readonly { readonly file: string; readonly messages: readonly TauMessage[] }[] {
  if (!hasSharedData) return []
  const folder = new URL('tau-bench/dev/', SHARED_DATA)
  return readdirSync(folder).map((file) => {
    const run: { readonly traj: readonly TauMessage[] } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
    return { file, messages: run.traj }
  })
}
