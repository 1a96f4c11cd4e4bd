#!/usr/bin/env node
import { runCommandLine } from './command-line.ts'
import { createTerminal } from './terminal.ts'

const status = await runCommandLine(process.argv.slice(2), createTerminal())
// What an agent keeps open (a pool, an interval) is not waited for; what was printed is.
process.stdout.write('', () => process.stderr.write('', () => process.exit(status)))
