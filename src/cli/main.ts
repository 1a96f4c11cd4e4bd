#!/usr/bin/env node
import { inspect } from 'node:util'
import { quietRefusals } from '../replay/quiet-refusals.ts'
import { say } from '../run/tell.ts'
import { runCommandLine } from './command-line.ts'
import { createTerminal } from './terminal.ts'

quietRefusals()
// Node would print the command's own line as well.
process.on('uncaughtException', (error) => {
  say(inspect(error))
  process.exit(1)
})
const status = await runCommandLine(process.argv.slice(2), createTerminal())
// Waits for the output to be written, but not for what an agent keeps open (a pool, an interval).
process.stdout.write('', () => process.stderr.write('', () => process.exit(status)))
