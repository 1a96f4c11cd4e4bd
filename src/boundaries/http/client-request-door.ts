import type { Agent, ClientRequest } from 'node:http'
import { currentScope, isAnswered } from '../../run/scope.ts'
import { builtins } from '../../node/builtins.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { toHeaderPairs } from '../../http/headers.ts'
import { urlOfTarget } from '../../http/host-of.ts'
import { takesOwnSocket } from '../websocket/own-connections.ts'
import { asksForWebSocket, requestWebSocket } from '../websocket/request-web-socket.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { sendMuted } from '../send-muted.ts'
import { answerClientRequest } from './answer-client-request.ts'
import { captureClientRequest } from './capture-client-request.ts'
import { goesLive, requestLive } from './live-call.ts'

/** The second argument of an agent's `addRequest`. */
export interface RequestOptions {
  readonly protocol?: string | null
  readonly host?: string | null
  readonly port?: number | string | null
}

type AddRequest = (this: Agent, request: ClientRequest, options: RequestOptions) => void

/**
 * `http.request`, `https.request` and everything built on them (axios, got, node-fetch). Each request is passed synchronously to an agent's
 * `addRequest`, however `request` was imported. There it is recorded, or gets a connection to the trace instead.
 */
export function clientRequestDoor(): Restore {
  return combine(agentDoor(), ownSocketDoor())
}

function agentDoor(): Restore {
  const prototype = builtins.http.Agent.prototype as Agent & { addRequest: AddRequest }
  return replaceProperty(prototype, 'addRequest', (original) => {
    return function addRequest(request, options) {
      const scope = currentScope()
      const goOut = (): void => original.call(this, request, options)
      if (asksForWebSocket(request)) return requestWebSocket(request, requestUrl(this, request, options), goOut)
      if (scope === undefined) return goOut()
      const url = requestUrl(this, request, options)
      if (isAnswered(scope)) return goesLive(scope.run, url) ? requestLive(scope, request, goOut) : answerClientRequest(scope, request, url)
      const headers = (): HeaderPairs => toHeaderPairs(request.getHeaders())
      if (scope.run.mutes({ method: request.method, url, headers })) return sendMuted(scope, goOut)
      captureClientRequest(scope, request, url, goOut)
    }
  })
}

/** A client may open a connection itself, like the ws package: Node passes such a request to no agent. */
function ownSocketDoor(): Restore {
  const { prototype } = builtins.http.ClientRequest
  return replaceProperty(prototype, 'onSocket', (original) => {
    return function onSocket(this: ClientRequest, ...args: Parameters<typeof original>) {
      const pass = (): void => Reflect.apply(original, this, args)
      if (!takesOwnSocket(this, args[0], pass)) pass()
    }
  })
}

function requestUrl(agent: Agent, request: ClientRequest, options: RequestOptions): string {
  const protocol = options.protocol ?? ('protocol' in agent ? String(agent.protocol) : 'http:')
  const host = options.host ?? 'localhost'
  const port = options.port === undefined || options.port === null ? '' : `:${options.port}`
  return urlOfTarget(`${protocol}//${host.includes(':') ? `[${host}]` : host}${port}`, request.path)
}
