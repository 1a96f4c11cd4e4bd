import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RunQuery } from '../stores/run-summary.ts'
import { DURATION_WORDS, parseDuration } from '../stores/amounts.ts'
import { numberOption } from './number-option.ts'

/** The values of the options that filter runs. */
export interface FilterOptions extends Omit<RunQuery, 'tags' | 'before' | 'indexedOnly'> {
  readonly tag?: RunQuery['tags']
}

/** Adds the options that filter runs. */
export function addFilters(command: Command): Command {
  return command
    .option('--agent <name>', 'only runs of this agent')
    .option('--agent-version <version>', 'only runs of this version of the agent')
    .addOption(
      new Option('--since <when>', 'only runs that started since: a duration ("2h", "7d") or a time ("2026-11-21")').argParser(toTime),
    )
    .addOption(new Option('--until <when>', 'only runs that started before: a duration ("2h", "7d") or a time').argParser(toTime))
    .addOption(new Option('--status <status>', 'only runs with this status').choices(['returned', 'threw', 'in-flight']))
    .option('--tool <name>', 'only runs that called this tool or external')
    .option('--model <id>', 'only runs that called this model')
    .addOption(new Option('--tag <name=value>', 'only runs with this tag; repeatable').argParser(toTags))
    .option('--error <words>', 'only runs that threw an error with these words in its name or message, in any order')
    .option('--trace-id <id>', 'only runs of this OpenTelemetry trace')
    .option('--flagged', 'only runs that were flagged')
    .option('--repeated-side-effects', 'only runs that repeated a side effect of their own')
    .option('--idempotency-key <key>', 'only runs that made a side effect with this idempotency key')
}

/** Returns the option for the number of runs shown. */
export function limitOption(): Option {
  return new Option('--limit <count>', 'at most this many runs, the newest first (default: 100)').argParser(parseAboveZero)
}

/** Parses a whole number above 0. */
export const parseAboveZero: (text: string) => number = numberOption(
  'a whole number above 0',
  (number) => Number.isInteger(number) && number >= 1,
)

/** Converts the options to a store query. */
export function toQuery({ tag, ...options }: FilterOptions): RunQuery {
  const { agent, agentVersion, since, until, status, tool, model, error, traceId, flagged, repeatedSideEffects, idempotencyKey, limit } =
    options
  const names = { agent, agentVersion, status, tool, model, tags: tag, error, traceId, idempotencyKey }
  const given = { ...names, since, until, flagged, repeatedSideEffects, limit }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function toTime(text: string): string {
  const duration = parseDuration(text)
  const time = duration === undefined ? Date.parse(text) : Date.now() - duration
  if (Number.isNaN(time))
    throw new InvalidArgumentError(`It has to be ${DURATION_WORDS}, or a time such as "2026-11-21" or "2026-11-21T02:14:00Z".`)
  return new Date(time).toISOString()
}

/** Parses `name=value`, in addition to those before. */
export function toTags(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const split = text.indexOf('=')
  if (split < 1) throw new InvalidArgumentError('It has to be a name and a value: --tag user=42')
  return { ...before, [text.slice(0, split)]: text.slice(split + 1) }
}
