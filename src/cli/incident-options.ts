import { readFile } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import { wholeRunMatchers } from '../matchers/whole-run-matchers.ts'
import { displayPath } from '../node/display-path.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { isJsonObject } from '../trace/json.ts'
import type { Check } from '../trace/run-row.ts'

/** Parses `--incident <step>`. */
export function parseStep(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It has to be a step number, as `goldenrun show` prints it.')
}

/** Parses `--trigger <step|input>`. */
export function parseTrigger(text: string): number | 'input' {
  return text === 'input' ? text : parseStep(text)
}

/** Parses a repeatable option. */
export function parseMore(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

/** Parses one `--check`, such as `toHaveCalledTool("find_refund")` or `not.toHaveCalledTool("refund")`, and adds it to the earlier ones. */
export function parseCheck(text: string, before: readonly Check[] = []): readonly Check[] {
  const [, negation, matcher = '', args] = /^\s*(not\.)?(\w+)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? []
  if (!Object.hasOwn(wholeRunMatchers, matcher)) {
    const names = Object.keys(wholeRunMatchers).join(', ')
    throw new InvalidArgumentError(
      `It has to be a matcher with its arguments, such as toHaveCalledTool("find_refund"). Matchers are: ${names}.`,
    )
  }
  const not = negation === undefined ? {} : { not: true as const }
  return [...before, { matcher, ...(args === undefined || args.trim() === '' ? {} : { args: parseArguments(args) }), ...not }]
}

/**
 * Reads the file of `--answers`: an object of answers by the name of a tool, a host or another boundary.
 *
 * @throws GoldenrunError `GOLDENRUN_ANSWERS_FILE` if it does not exist or contains something else.
 */
export async function readAnswers(file: string): Promise<Readonly<Record<string, unknown>>> {
  const shown = displayPath(file)
  const fail = (problem: string, cause?: unknown): never => {
    const advice =
      'It has to contain a JSON object with answers by the name of a tool or a host, such as { "find_refund": { "refunds": [] } }.'
    throw new GoldenrunError('GOLDENRUN_ANSWERS_FILE', `Cannot read the answers from ${shown}: ${problem}. ${advice}`, { cause })
  }
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) =>
    fail(error.code === 'ENOENT' ? 'there is no such file' : error.message, error),
  )
  const answers = parseJson(text, (error) => fail(`it is not JSON (${error.message})`, error))
  return isJsonObject(answers) ? answers : fail('it is not an object')
}

function parseArguments(text: string): readonly unknown[] {
  return parseJson(`[${text}]`, ({ message }) => {
    throw new InvalidArgumentError(`Its arguments have to be JSON (${message}).`)
  }) as readonly unknown[]
}

function parseJson(text: string, fail: (error: SyntaxError) => never): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return fail(error as SyntaxError)
  }
}
