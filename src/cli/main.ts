#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { JOURNAL } from './journal-names.ts'

const args = process.argv.slice(2)
const { [JOURNAL]: journal, NODE_OPTIONS = '', VSCODE_INSPECTOR_OPTIONS: ofEditor } = process.env
/** A debugger waits for this process, and may hold it up. */
const isDebugged = ofEditor !== undefined || [...process.execArgv, NODE_OPTIONS].some((option) => option.includes('--inspect'))
// Both run agents, which may end their process, and which get no network where the system allows that. The process that waits loads nothing but this.
if ((args[0] === 'replay' || args[0] === 'promote') && journal === undefined && !isDebugged) {
  const { supervise } = await import('./supervise.ts')
  const { status, signal } = await supervise(fileURLToPath(import.meta.url), args)
  if (signal !== null) process.kill(process.pid, signal)
  // What is loaded before the command (`NODE_OPTIONS=--import=…`) may keep a process alive for ever.
  else process.exit(status ?? 1)
} else {
  await import('./command.ts')
}
