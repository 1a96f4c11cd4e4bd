#!/usr/bin/env node
import { runCommandLine } from './command-line.ts'
import { createTerminal } from './terminal.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), createTerminal())
