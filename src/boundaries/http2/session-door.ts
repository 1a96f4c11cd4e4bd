import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { type AnsweredScope, isAnswered, runBelow, type Scope } from '../../run/scope.ts'
import type { AnsweredRun } from '../../run/active-run.ts'
import { emitIn } from '../http/client-request-events.ts'
import { sendMuted } from '../send-muted.ts'
import { goesLive, live } from '../http/live-call.ts'
import { answerRpc } from '../grpc/answer-rpc.ts'
import { recordRpc } from '../grpc/record-rpc.ts'
import { isRpc } from '../grpc/rpc-headers.ts'
import { answerStream } from './answer-stream.ts'
import { captureStream } from './capture-stream.ts'
import { asOwnWork } from './own-session-work.ts'
import { isBodiless, readStreamRequest } from './stream-request.ts'

/**
 * Opens a session in a run. The session belongs to the requests that are made over it and may serve later runs, so it is not a step.
 *
 * @param open Opens it for real.
 * @param openInMemory Opens one that leads nowhere.
 */
export function connectInRun(
  scope: Scope,
  url: string,
  open: () => ClientHttp2Session,
  openInMemory: () => ClientHttp2Session,
): ClientHttp2Session {
  const { run } = scope
  if (run.mode === 'replay' && goesLive(run, url)) return runBelow(scope, live, open)
  const session = runBelow(scope, {}, run.mode === 'record' ? open : openInMemory)
  // The agent's listeners run in the agent's own scope.
  emitIn(session, scope)
  if (run.mode === 'replay') waitFor(run, session)
  // A replay has an in-memory session, where pings and settings are answered.
  else asOwnWork(session, ['ping', 'settings'])
  return session
}

/** Keeps the run busy until the session is connected. */
function waitFor(run: AnsweredRun, session: ClientHttp2Session): void {
  const release = run.busy()
  session.once('connect', release).once('close', release)
}

/**
 * Makes a run's request over any session, including one opened before the run.
 *
 * @param headers The headers that it is called with.
 * @param open Makes it for real.
 * @returns Undefined if it cannot be a step.
 */
export function requestInRun(
  scope: Scope,
  session: ClientHttp2Session,
  [headers, options]: readonly unknown[],
  open: () => ClientHttp2Stream,
): ClientHttp2Stream | undefined {
  const request = readStreamRequest(session, headers)
  if (request === undefined) return undefined
  if (isAnswered(scope) && goesLive(scope.run, request.url)) return requestLive(scope, open)
  const isMuted = scope.run.mutes(request)
  const isCall = isRpc(request.method, request.headers) && !isMuted
  if (isAnswered(scope))
    return isCall ? answerRpc(scope, session, request) : answerStream(scope, session, request, isBodiless(request.method, options))
  if (isMuted) return sendMuted(scope, open)
  return isCall ? recordRpc(scope, request, open) : captureStream(scope, request, open)
}

/** Sends a request; the replay waits until it is closed. */
function requestLive(scope: AnsweredScope, open: () => ClientHttp2Stream): ClientHttp2Stream {
  const release = scope.run.live.start()
  const stream = runBelow(scope, live, open)
  stream.once('close', release)
  emitIn(stream, scope)
  return stream
}
