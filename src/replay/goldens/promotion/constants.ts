import { realpathSync } from 'node:fs'
import { type RunPlace, tellPlace } from '../../../divergence/run-place.ts'
import type { StandInKind } from '../../../redaction/stand-in.ts'
import { quoteForShell } from '../../../divergence/report/next-commands.ts'
import type { Trace } from '../../../trace/trace.ts'
import type { Brought } from '../../result/trusted-stand-ins.ts'
import { loadedFiles } from '../../../node/loaded-files.ts'
import { PromoteError } from './promote-error.ts'
import { type SourceLine, sourceLinesOf } from './source-line.ts'

/** A value that is literally in the agent's source and is redacted wherever the agent uses it. */
export interface CodeConstant extends SourceLine {
  /** As written in the source. */
  readonly literal: string
  readonly kind: Exclude<StandInKind, 'secret'>
  /** Where the agent's code passes it, as in reports. */
  readonly places: readonly { readonly place: RunPlace; readonly path: string }[]
  /** Whether the trace has, at one of these places, a value that the run was also given. Only the user knows whether it is the same value. */
  readonly alsoGiven: boolean
  /** Whether a module that the trial has loaded has it, rather than a data file or other code. */
  readonly isLoaded: boolean
}

/** A constant of the agent's code, and whether it is kept. */
export interface PromotedConstant extends CodeConstant {
  /** Whether the golden keeps it unredacted. */
  readonly isKept: boolean
}

/** A constant with what is needed to keep it. */
export interface FoundConstant extends CodeConstant {
  /** Its stand-ins in the replay, with the literal of each. */
  readonly literals: ReadonlyMap<string, string>
  /** Its stand-ins in the trace, where the code passes it, with the literal of each. */
  readonly recorded: ReadonlyMap<string, string>
}

/** The constants among the redacted values that the code passed in a replay. Keys, tokens and other secrets are never included. */
export function findConstants({ standIns, literals, isFound, sides }: Brought): FoundConstant[] {
  const loaded = standIns.length === 0 ? new Set<string>() : loadedFiles()
  return [...Map.groupBy(standIns, ({ receivedNumber }) => receivedNumber)].flatMap(([number, places]): FoundConstant[] => {
    const [first] = places
    if (first === undefined || first.kind === 'secret') return []
    const written = new Map([...literals].filter(([standIn]) => sides.live.find(standIn)[0]?.number === number))
    const inSource = firstInSource(written.values(), loaded)
    if (inSource === undefined) return []
    return [
      {
        ...inSource,
        kind: first.kind,
        places: unique(places.map(({ place, path }) => ({ place, path }))),
        alsoGiven: !places.every((standIn) => isFound(standIn)),
        literals: written,
        recorded: new Map(
          places.flatMap(({ expected, received }) => {
            const text = written.get(received)
            return text === undefined ? [] : [[expected, text] as const]
          }),
        ),
      },
    ]
  })
}

/** Which constants of the code a golden keeps. */
export interface KeptConstants {
  /** Those at these paths; `[*]` in a path means every item. */
  readonly paths: readonly string[]
  /** Whether to keep those of the modules that the trial has loaded. */
  readonly ofModules: boolean
}

/**
 * Selects the constants to keep.
 *
 * @param constants Undefined if the agent was not replayed.
 * @throws PromoteError for a path at which the code passes no constant.
 */
export function constantsToKeep<Constant extends CodeConstant>(
  { header }: Pick<Trace, 'header'>,
  constants: readonly Constant[] | undefined,
  { paths, ofModules }: KeptConstants,
): Constant[] {
  const named = paths.flatMap((path) => {
    const found = constantsAt(constants, path)
    if (found.length > 0) return found
    const known = unique(constants?.flatMap(({ places }) => places.map((place) => place.path)) ?? [])
    const told = known.length === 0 ? 'a replay of the agent passes none' : `a replay of the agent passes them only to ${known.join(', ')}`
    throw new PromoteError('GOLDENRUN_PROMOTE_CONSTANT', {
      trace: header.id,
      problem: `there is no constant to keep at ${path}: ${constants === undefined ? 'it was not replayed with an agent' : told}.`,
      advice:
        'A constant is an e-mail address, a card or a phone number that is written literally in git-tracked source, outside of tests, fixtures and goldens. Keys and tokens are never kept.',
    })
  })
  return [...new Set([...named, ...(ofModules ? constantsOfModules(constants) : [])])]
}

/** The constants in modules that the trial has loaded. */
export function constantsOfModules<Constant extends CodeConstant>(constants: readonly Constant[] | undefined): Constant[] {
  return (constants ?? []).filter(({ isLoaded }) => isLoaded)
}

/** The constants that the code passes at a path. */
export function constantsAt<Constant extends CodeConstant>(constants: readonly Constant[] | undefined, path: string): Constant[] {
  const isThere = (place: string): boolean => place === path || place.replaceAll(/\[\d+\]/g, '[*]') === path
  return (constants ?? []).filter(({ places }) => places.some((place) => isThere(place.path)))
}

/** A constant in reported form. */
export function toPromoted({ literal, kind, file, line, places, alsoGiven, isLoaded }: CodeConstant, isKept: boolean): PromotedConstant {
  return { literal, kind, file, line, places, alsoGiven, isLoaded, isKept }
}

/** The option that keeps a constant, quoted for a shell. */
export function keepOption({ places }: CodeConstant): string {
  return `--keep-constant ${quoteForShell(places[0]?.path ?? '')}`
}

/** A constant and its location, in words: `"refunds@shop.com" (src/agent.ts:12) to args.to of step 1`. */
export function tellConstant({ literal, file, line, places }: CodeConstant): string {
  const [first] = places
  const more = places.length > 1 ? ` and ${places.length - 1} more ${places.length === 2 ? 'place' : 'places'}` : ''
  return `${JSON.stringify(literal)} (${file}:${line}) to ${first === undefined ? '' : `${first.path} of ${tellPlace(first.place)}`}${more}`
}

/** A line that has a literal: one of a loaded module, if there is one. */
function firstInSource(
  written: Iterable<string>,
  loaded: ReadonlySet<string>,
): Pick<CodeConstant, 'literal' | 'file' | 'line' | 'isLoaded'> | undefined {
  const forms = new Set([...written].flatMap((text) => [text, decoded(text)]))
  const lines = [...forms].flatMap((literal) =>
    sourceLinesOf(literal).map((line) => ({ literal, ...line, isLoaded: loaded.has(realpathSync(line.file)) })),
  )
  return lines.find(({ isLoaded }) => isLoaded) ?? lines[0]
}

/** A value in a URL is written differently in source. */
export function decoded(text: string): string {
  return text.replaceAll(/%[\dA-Fa-f]{2}|\\u00[\dA-Fa-f]{2}/g, (escape) => String.fromCharCode(Number.parseInt(escape.slice(-2), 16)))
}

function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}
