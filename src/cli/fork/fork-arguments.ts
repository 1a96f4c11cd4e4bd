import { readFile } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import type { Route } from '../../replay/contract/route.ts'
import { OptionsError } from '../../trace/errors/options-error.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { BudgetOptions } from '../../travel/budget.ts'
import type { ForkPoint } from '../../travel/fork-point.ts'
import { allRoutes, type RouteRule } from '../../travel/routes.ts'
import { numberOption } from '../number-option.ts'

/** Parses `7`, `turn:28`, `tool:refund_order`, `tool:refund_order:2`, `checkpoint:refunding`, `side-effect`. */
export function parsePoint(text: string): ForkPoint {
  if (text === 'side-effect') return text
  if (/^\d+$/.test(text)) return wholeNumber(text)
  const { kind, name = '', nth } = /^(?<kind>turn|tool|checkpoint):(?<name>.+?)(?::(?<nth>\d+))?$/.exec(text)?.groups ?? {}
  if (kind === 'turn' && nth === undefined) return { turn: wholeNumber(name) }
  if (kind === 'tool') return { tool: name, ...(nth !== undefined && { nth: wholeNumber(nth) }) }
  if (kind === 'checkpoint') return { checkpoint: nth === undefined ? name : `${name}:${nth}` }
  throw new InvalidArgumentError(
    'It has to be a step (7), turn:28, tool:refund_order, tool:refund_order:2, checkpoint:name or side-effect.',
  )
}

/** Parses `refund_order=run`, repeatable; the routes of `a=recorded,live` are tried in order. */
export function parseRoute(text: string, earlier: Readonly<Record<string, RouteRule>> = {}): Readonly<Record<string, RouteRule>> {
  const [name, ways] = splitAt(text)
  const chosen = ways.split(',')
  const wrong = chosen.find((way) => !(allRoutes as readonly string[]).includes(way))
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is not one of ${allRoutes.join(', ')}.`)
  return { ...earlier, [name]: chosen as Route[] }
}

/** Parses `<stand-in>=<real value>`, repeatable. */
export function parseStandIn(text: string, earlier: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [name, value] = splitAt(text)
  return { ...earlier, [name]: value }
}

/** Parses `100calls`, `50000tokens`, `2usd`, repeatable. */
export function parseBudget(text: string, earlier: BudgetOptions = {}): BudgetOptions {
  const { amount = '', unit = '' } = /^(?<amount>\d+(?:\.\d+)?)\s*(?<unit>calls|tokens|usd)$/.exec(text)?.groups ?? {}
  if (unit === '') throw new InvalidArgumentError('It has to be a number of calls, tokens or usd: 100calls, 50000tokens, 2usd.')
  return { ...earlier, [unit]: Number(amount) }
}

/** Parses a whole number of 1 or more. */
export const wholeNumber: (text: string) => number = numberOption(
  'a whole number of 1 or more',
  (number) => Number.isInteger(number) && number >= 1,
)

/** Parses a whole number of 0 or more. */
export function parseSeed(text: string): number {
  return text === '0' ? 0 : wholeNumber(text)
}

/** Parses a list with commas. */
export function parseList(text: string): readonly string[] {
  return text.split(',').map((each) => each.trim())
}

/** Returns a text, or the content of a file for `@file`. */
export async function readText(option: string, given: string): Promise<string> {
  if (!given.startsWith('@')) return given
  try {
    return (await readFile(given.slice(1), 'utf8')).trimEnd()
  } catch (error) {
    const problem = `${option} names ${given.slice(1)}, which cannot be read: ${error instanceof Error ? error.message : String(error)}`
    throw new GoldenrunError('GOLDENRUN_FORK_ARGUMENT', problem, { cause: error })
  }
}

/** Returns JSON, or the JSON of a file for `@file`. */
export async function readJson(option: string, given: string): Promise<unknown> {
  const text = await readText(option, given)
  try {
    return JSON.parse(text)
  } catch {
    throw new GoldenrunError(
      'GOLDENRUN_FORK_ARGUMENT',
      `${option} has to be JSON, or @ and the name of a JSON file. A text needs quotes: '"text"'.`,
    )
  }
}

/** Where the options of `fork` come from in the command. */
const sources: Readonly<Record<string, string>> = {
  answer: '--answer or --error',
  'edit.answer': '--answer',
  request: '--system, --model or --arguments',
  answers: '"sandbox" in goldenrun.config.ts',
}

/** Has an error about an option of `fork` name the command's own option. */
export async function inWordsOfTheCommand<Result>(forking: Promise<Result>): Promise<Result> {
  try {
    return await forking
  } catch (error) {
    const source = OptionsError.isInstance(error) ? sources[error.option] : undefined
    if (source === undefined || !OptionsError.isInstance(error)) throw error
    throw new GoldenrunError('GOLDENRUN_FORK_ARGUMENT', `${source} ${error.problem.replace('`at`', '--at')}`, { cause: error })
  }
}

function splitAt(text: string): readonly [name: string, value: string] {
  const index = text.lastIndexOf('=')
  if (index < 1) throw new InvalidArgumentError('It has to be <name>=<value>.')
  return [text.slice(0, index), text.slice(index + 1)]
}
