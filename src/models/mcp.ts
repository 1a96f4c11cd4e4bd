/**
 * The Model Context Protocol: JSON-RPC 2.0 between an agent and a server of tools. Source: https://modelcontextprotocol.io/specification, versions
 * 2025-06-18 and 2026-07-28. Since the latter, each request identifies the client, and a session is opened with `server/discover` instead of
 * `initialize`, or not at all.
 */

import type { Effect } from '../trace/boundary.ts'
import { isJsonObject } from '../trace/json.ts'
import { recordOf, recordsOf, textOf } from './json-fields.ts'

/** A JSON-RPC message: a request has a method and an id, a notification only a method, an answer only an id. */
export interface RpcMessage {
  readonly jsonrpc: '2.0'
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: RpcError
}

/** Why a request failed. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A request or a notification as a step of a run. */
export interface McpStep {
  readonly boundary: 'tool' | 'external'
  /** `mcp shop.get_order` for a tool, `mcp shop.resources/read` for other methods. */
  readonly name: string
  /** A tool's arguments, or another method's parameters. */
  readonly input: unknown
}

/** Returns whether a value is a JSON-RPC message. */
export function isRpcMessage(value: unknown): value is RpcMessage {
  return recordOf(value)['jsonrpc'] === '2.0'
}

/** Returns whether a message opens a session. */
export function opensSession({ method, params }: RpcMessage): boolean {
  if (method === 'initialize') return 'protocolVersion' in recordOf(params)
  return method !== undefined && `${ownMeta}protocolVersion` in recordOf(recordOf(params)['_meta'])
}

/** The prefix of the names in a message's `_meta` that identify the sender and its version. */
const ownMeta = 'io.modelcontextprotocol/'

/**
 * Returns whether a method belongs to the session rather than to a run: it opens the session, or asks what the server offers. A process does so once
 * for many runs, or again in each.
 */
export function isOfSession(method: string): boolean {
  return ofSession.has(method) || method.endsWith('/list')
}

const ofSession: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'ping', 'notifications/initialized'])

/** Returns a request or notification as a step. */
export function toMcpStep(server: string, method: string, params: unknown): McpStep {
  const given = recordOf(params)
  if (method === 'tools/call') return { boundary: 'tool', name: `mcp ${server}.${String(given['name'])}`, input: given['arguments'] ?? {} }
  return { boundary: 'external', name: `mcp ${server}.${method}`, input: withoutTokens(given) }
}

/** Returns whether a step is a request to an MCP server. */
export function isMcpName(name: string): boolean {
  return name.startsWith('mcp ')
}

/** Returns the token by which a server reports the progress of a request. */
export function progressTokenOf(params: unknown): unknown {
  return recordOf(recordOf(params)['_meta'])['progressToken']
}

/** Returns the server's name in its answer to `initialize`. */
export function serverNameOf(result: unknown): string | undefined {
  const { serverInfo, _meta: meta } = recordOf(result)
  return textOf(recordOf(serverInfo ?? recordOf(meta)[`${ownMeta}serverInfo`])['name'])
}

/** Returns the effects of the server's tools, by name, as its answer to `tools/list` declares them. */
export function effectsOf(result: unknown): Map<string, Effect> {
  const effects = new Map<string, Effect>()
  for (const { name, annotations } of recordsOf(recordOf(result)['tools'])) {
    if (typeof name !== 'string' || !isJsonObject(annotations)) continue
    // By default, a tool may write. For a server without annotations, this default would say nothing.
    effects.set(name, annotations['readOnlyHint'] === true ? 'read' : 'write')
  }
  return effects
}

/** Returns parameters without the client's request numbers and its description of itself. */
export function withoutTokens(params: unknown): unknown {
  if (!isJsonObject(params)) return params
  const { _meta: meta, requestId: _, ...rest } = params
  const said = Object.entries(recordOf(meta)).filter(([name]) => name !== 'progressToken' && !name.startsWith(ownMeta))
  return said.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(said) }
}
