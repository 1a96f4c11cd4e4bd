import { inspect } from 'node:util'
import { quietRefusals } from '../replay/quiet-refusals.ts'
import { say } from '../run/tell.ts'
import { runCommandLine } from './command-line.ts'
import { COULD_NOT_RUN, HELD } from './exit-status.ts'
import { isWithoutNetwork, ownJournal } from './replay-journal.ts'
import { createTerminal } from './terminal.ts'
import { endsOnlyWork } from './until-uncaught.ts'

quietRefusals()
// Node would print the command's own line as well.
process.on('uncaughtException', (error) => {
  if (endsOnlyWork()) return
  say(inspect(error))
  process.exit(1)
})
/** Only a replay goes on behind what ended its process. */
const journal = process.argv[2] === 'replay' ? ownJournal : undefined
let isOver = false
// A replay has a journal, which tells the process that waits. An agent may end the process in code that belongs to no run.
process.on('exit', (code) => {
  if (isOver || code !== HELD || journal !== undefined) return
  say(
    'goldenrun: the process ended before the command did. Look for process.exit in a module that the agent loads, or in code that it started before the run.',
  )
  process.exitCode = COULD_NOT_RUN
})
journal?.beat()
const status = await runCommandLine(process.argv.slice(2), createTerminal())
isOver = true
if (status !== HELD && isWithoutNetwork && journal === undefined) say('The agent had no network. If it needs one: --network')
// A listener of an agent may set another exit status. The process that waits takes this one.
ownJournal?.finish(status)
// Waits for the output to be written, but not for what an agent keeps open (a pool, an interval).
process.stdout.write('', () => process.stderr.write('', () => process.exit(status)))
