#!/usr/bin/env node
import { runCommandLine } from './command-line.ts'
import { ignoreRefusals } from './ignore-refusals.ts'
import { createTerminal } from './terminal.ts'

ignoreRefusals()
const status = await runCommandLine(process.argv.slice(2), createTerminal())
// Does not wait for what an agent keeps open (a pool, an interval), but for the output to be written.
process.stdout.write('', () => process.stderr.write('', () => process.exit(status)))
