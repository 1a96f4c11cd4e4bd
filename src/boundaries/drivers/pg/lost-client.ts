import type { Scope } from '../../../run/scope.ts'
import { Arrival } from '../../arrival.ts'
import { hearPromise, withCallback } from '../agent-callback.ts'
import { recordDriverCall } from '../driver-call.ts'
import { pgCall } from './pg-call.ts'
import { followQuery } from './follow-query.ts'
import type { PgClient, PgQuery } from './pg-client.ts'
import { readArguments } from './pool-query.ts'

/**
 * Whether a client refuses queries since its connection was lost. When it notices the loss depends on timing: until then it accepts queries,
 * which fail. Both kinds are therefore steps, and a replay need not lose a connection at the same moment.
 */
export function isLost({ _queryable, _ending }: PgClient): boolean {
  return _queryable === false && _ending !== true
}

/** Records a query that a lost client refuses. @param make Makes the client refuse it. */
export function followRefused(
  scope: Scope,
  client: PgClient,
  args: readonly unknown[],
  make: (args: readonly unknown[]) => unknown,
): unknown {
  const arrival = new Arrival()
  // Without an error, the query's own messages are the answer.
  const told = { fail: (error: unknown) => arrival.fail(error) }
  const own = withCallback(args, told)
  let result: unknown
  const send = (): unknown => (result = hearPromise(client, '_Promise', told, () => make(own)))
  const asked = readArguments(args)
  if (asked !== undefined) recordDriverCall(scope, pgCall(scope, client, asked), arrival, send)
  else if (isSubmitted(args[0])) followQuery(scope, client, args[0], { arrival, send })
  else return make(args)
  return result
}

/** Makes a lost client accept a query, which the trace answers. */
export function withQueries<Result>(client: PgClient, make: () => Result): Result {
  if (!isLost(client)) return make()
  client._queryable = true
  try {
    return make()
  } finally {
    client._queryable = false
  }
}

/** A query, a cursor or a stream of rows that the agent has created. */
function isSubmitted(given: unknown): given is PgQuery {
  return typeof given === 'object' && given !== null && 'submit' in given
}
