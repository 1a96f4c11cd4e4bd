import { ownCommand } from '../stores/package-manager.ts'
import type { Command } from 'commander'
import { toStore } from '../stores/default-store.ts'
import { CapabilityError } from '../stores/errors/capability-error.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { readRun } from './read-run.ts'
import { jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import type { Terminal } from './terminal.ts'

/** `goldenrun flag <run> <reason>` */
export function addFlagCommand(program: Command, terminal: Terminal): void {
  program
    .command('flag')
    .argument(
      '<run>',
      "a recording's id or its first characters, the id of its OpenTelemetry trace, 'latest' for the newest one, or 'latest~1' for the one before it",
    )
    .argument('<reason>', 'why it needs attention')
    .summary('flag a recording for review')
    .description(
      'Flags a recording, whether it has ended or not. goldenrun list shows it with the reason, and retention keeps it as long as flagged runs.',
    )
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ npx goldenrun flag latest "the customer was refunded twice"')
    .action(async (run: string, reason: string, options: StoreOptions) => {
      const { store, place } = toStore(await storeOf(options.store))
      const { id, golden } = (await readRun(run, await storeOf(options.store))).header
      if (golden !== undefined)
        throw new GoldenrunError(
          'GOLDENRUN_FLAG',
          `"${golden.name}" is a golden trace, and only recordings can be flagged. To list them: ${ownCommand('list')}`,
        )
      if (store.flag === undefined) throw new CapabilityError('Cannot flag recordings', place, 'flag')
      if (!(await store.flag(id, reason))) throw new GoldenrunError('GOLDENRUN_FLAG', `There is no recording ${id} in ${place}.`)
      if (options.json === true) terminal.printJson({ id, reason })
      else terminal.print(`Flagged ${id}: ${reason}`)
    })
}
