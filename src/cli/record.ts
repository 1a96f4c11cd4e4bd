import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import { isStoreUrl } from '../stores/store-url.ts'
import { ownFile } from '../node/own-file.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { storeOf, storeOption } from './shared-options.ts'

/** `goldenrun record -- node server.js` */
export function addRecordCommand(program: Command, onStatus: (status: number) => void): void {
  program
    .command('record')
    .argument('<command...>', 'the program to start, with its arguments, after --')
    .summary('run a program and record its agent runs')
    .description(
      'Runs a program without changes to its code: goldenrun/register is loaded before any of its modules, in child processes too, and recorders\n' +
        'without a store of their own write to this one. Each recorder.run is a recording; with --whole-process, so is each process.',
    )
    .addOption(storeOption())
    .option('--whole-process', 'record each process as one run, from its start to its end')
    .addHelpText(
      'after',
      '\nThe exit status is that of the program.\n\nExamples:\n  $ npx goldenrun record -- node server.js\n  $ npx goldenrun record --whole-process -- node agent.js "refund order 7"',
    )
    .action(async ([command = '', ...args]: string[], options: RecordOptions) => {
      onStatus(await start(command, args, environmentFor(await directoryOf(options.store), options.wholeProcess === true)))
    })
}

interface RecordOptions {
  readonly store?: string
  readonly wholeProcess?: true
}

/** Returns the location of a store. Other processes can find only a directory or a URL. */
async function directoryOf(option: string | undefined): Promise<string> {
  const store = await storeOf(option)
  if (typeof store === 'string') return store
  throw new GoldenrunError(
    'GOLDENRUN_RECORD_COMMAND',
    'The store of goldenrun.config.ts is neither a directory nor a URL, and goldenrun record needs one. Pass one: goldenrun record --store .goldenrun/runs -- …',
  )
}

function environmentFor(store: string, isWholeProcess: boolean): NodeJS.ProcessEnv {
  const [register, whole] = [ownFile('register'), ownFile('record/record-at-start')]
  if (register === undefined || whole === undefined)
    throw new GoldenrunError('GOLDENRUN_RECORD_COMMAND', 'goldenrun/register is missing from the installed package: reinstall goldenrun.')
  const { NODE_OPTIONS: given = '' } = process.env
  const preloads = isWholeProcess ? [register, whole] : [register]
  return {
    ...process.env,
    NODE_OPTIONS: [given, ...preloads.map((file) => `--import ${pathToFileURL(file).href}`)].join(' ').trim(),
    GOLDENRUN_STORE: isStoreUrl(store) ? store : path.resolve(store),
  }
}

/** Runs a program in this terminal. @returns Its exit status; if a signal ended it, 128 plus the signal's number, as in shells. */
async function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env, shell: process.platform === 'win32' })
  // A terminal signals both processes, other senders signal only this one. The program decides how to handle signals.
  const pass = (signal: NodeJS.Signals): boolean => child.kill(signal)
  for (const signal of signals) process.on(signal, pass)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (error) =>
        reject(new GoldenrunError('GOLDENRUN_RECORD_COMMAND', `Could not start ${command}: ${error.message}.`, { cause: error })),
      )
      child.once('exit', (code, signal) => resolve(code ?? 128 + (numbers[signal ?? ''] ?? 0)))
    })
  } finally {
    for (const signal of signals) process.off(signal, pass)
  }
}

const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

const numbers: Readonly<Record<string, number>> = os.constants.signals
