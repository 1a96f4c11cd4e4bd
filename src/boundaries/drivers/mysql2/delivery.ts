import { runBelow, runInScope, type Scope } from '../../../run/scope.ts'
import type { CommandKind, MysqlCommand, MysqlConnection } from './mysql-client.ts'
import { goesOn, type MysqlAnswer, type PreparedAnswer } from './mysql-result.ts'
import { serverHello } from './mysql-server.ts'
import type { ResultForm } from './result-reader.ts'
import { frame, isMysqlError, ResultWriter, writeError } from './result-writer.ts'
import { watchCommand } from './watch-command.ts'

/** Asks for a batch of the answer. @param batch The first one is 1. */
export type Ask = (batch: number) => Promise<unknown>

/** Delivers a command's answer. @param first The first batch. */
type Deliver = (first: Promise<unknown>, ask: Ask, start: () => void, onLost: (error: unknown) => void) => Promise<void>

/** Returns the function that delivers a command's answer in its turn. */
export function deliveryTo(scope: Scope, connection: MysqlConnection, command: MysqlCommand, kind: CommandKind): Deliver {
  const isPrepare = kind === 'prepare'
  const writer = new ResultWriter(formOf(connection, kind))
  let left = 0
  let isStarted = false
  let isDone = false
  let onHandled: () => void = () => undefined
  /** The error that the agent gets in place of the error in the packets. */
  let failure: unknown
  // The recording tells whether the query timed out.
  Object.defineProperty(command, '_setTimeout', { value: () => undefined, configurable: true })
  if (command.timeout !== undefined) delete command.timeout
  watchCommand(scope, command, {
    handled(hasEnded) {
      left -= 1
      if (hasEnded || left === 0) onHandled()
    },
    failed: () => failure,
    ended: () => (isDone = true),
  })
  const startOnce = (start: () => void): void => {
    if (!isStarted) start()
    isStarted = true
  }
  /** Resolves once the command has handled the packets; a paused connection handles them later. */
  const feed = (packets: readonly Buffer[]): Promise<void> =>
    new Promise((resolve) => {
      // A statement that is already prepared needs no packets, and one that cannot be sent gets none.
      if (packets.length === 0 || isDone) return resolve()
      left = packets.length
      onHandled = resolve
      const bytes = frame(packets, connection.sequenceId)
      runBelow(scope, {}, () => connection.packetParser.execute(bytes))
    })
  const fail = (error: unknown): Promise<void> => {
    // The driver adds the statement to the error, unless the connection itself failed.
    const isOfServer = isMysqlError(error) && 'sql' in error && error.sql !== undefined
    if (!isOfServer) failure = error
    return feed([writeError(isOfServer ? error : { errno: 0, sqlState: 'HY000', sqlMessage: 'no answer' })])
  }
  return async (first, ask, start, onLost) => {
    let answer = first
    try {
      for (let batch = 2; ; batch += 1) {
        const answered = await answer
        startOnce(start)
        await feed(isPrepare ? writer.writePrepared(answered as PreparedAnswer) : writer.write(answered as MysqlAnswer))
        if (isPrepare || !goesOn(answered as MysqlAnswer)) return
        answer = runInScope(scope, () => ask(batch))
      }
    } catch (error) {
      startOnce(start)
      if (isFatal(error)) onLost(error)
      else await fail(error)
    }
  }
}

/** Whether this error ends a connection, or the attempt to open it. */
function isFatal(error: unknown): boolean {
  return error instanceof Error && 'fatal' in error && error.fatal === true
}

function formOf(connection: MysqlConnection, kind: CommandKind): ResultForm {
  const { capabilityFlags: capabilities } = serverHello
  return { isBinary: kind === 'execute', isExtended: connection._mariadbExtendedMetadata === true, capabilities }
}
