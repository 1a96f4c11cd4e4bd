import { Option, type Command } from 'commander'
import type { ForkOptions } from '../../travel/fork-options.ts'
import { parseMore } from '../incident-options.ts'
import { parseBudget, parseSeed, parseStandIn } from './fork-arguments.ts'

/** The values of the options about live calls. */
export interface LiveOptions extends Pick<ForkOptions, 'budget' | 'seed' | 'allowHost'> {
  /** False with `--no-cache`. */
  readonly cache: string | false
  readonly standIn?: Readonly<Record<string, string>>
  readonly sendStandIns?: true
}

/** Adds the options about live calls, which `fork` and `verify` share. */
export function addLiveOptions(command: Command): Command {
  return command
    .option('--budget <limit>', 'a limit for live calls: 100calls, 50000tokens, 2usd; repeatable', parseBudget)
    .option('--cache <dir>', 'the directory for cached live answers, redacted', '.goldenrun/cache/forks')
    .option('--no-cache', 'do not cache live answers')
    .option('--seed <n>', 'the seed for ids and random values (default: 0)', parseSeed)
    .option('--allow-host <host>', 'a host that may be called live in addition to the recorded ones; repeatable', parseMore)
    .option('--stand-in <stand-in=value>', 'the real value to send instead of a stand-in; repeatable', parseStandIn)
    .addOption(new Option('--send-stand-ins', 'send stand-ins as they are').conflicts('standIn'))
}

/** Returns the values that replace stand-ins, as an option of `fork`. */
export function standInsOf({ standIn, sendStandIns }: LiveOptions): Pick<ForkOptions, 'standIns'> {
  if (sendStandIns === true) return { standIns: 'send' }
  return standIn === undefined ? {} : { standIns: standIn }
}
