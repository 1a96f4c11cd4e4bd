import { isUint8Array } from 'node:util/types'
import { knownOrMade } from '../trace/remember.ts'
import { isReserved, parseJson, type PathKey } from '../trace/json.ts'
import { DrawnBytes } from './drawn-bytes.ts'
import { CleanTexts } from './clean-texts.ts'
import { containedFields, mapContained } from './contained-fields.ts'
import { columnsOf } from './columns.ts'
import { applyEdits, choose, type Edit, mergeEdits, moveEdits, preferLonger } from './edits.ts'
import { optionBefore } from './credential-options.ts'
import { EncodedTexts } from './encoded-text.ts'
import type { TextRedactor } from './growing-redaction.ts'
import { type DecodedText, decodePercent, decodeUnicodeEscapes, toWritten } from './decoded-text.ts'
import { withFormFields } from './multipart-fields.ts'
import { plain } from './plain.ts'
import { redactPrintable } from './printable-bytes.ts'
import { redactFrames } from './redaction-of.ts'
import { findsCredentials } from './revealable.ts'
import { findBeside } from './beside-secrets.ts'
import type { Found } from './rule.ts'
import { likeBefore, type RecordedBytes, recordedBytes } from './recorded-bytes.ts'
import type { Redactor, RedactorOptions } from './redactor-types.ts'
import { createRuleSet } from './rule-set.ts'
import { SecretFinder, touchesStandIn } from './secret-finder.ts'
import { findInColumns } from './sql-secrets.ts'
import { isStreamedOutput, redactSpelled } from './spelled-texts.ts'
import { ListedStandIns } from './listed-stand-ins.ts'
import { WalkedPlace } from './walked-place.ts'
import { namedField } from './written-credentials.ts'

/**
 * Creates a redactor. A stand-in has the shape of its secret, is the same for the same value within a trace, redacts to itself, and contains nothing
 * of its secret.
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { ruleSet = createRuleSet(), standIns = new ListedStandIns(), onStandIn } = options
  let taken: Map<string, string> | undefined
  const drawn = new DrawnBytes()
  const clean = new CleanTexts()
  let secrets = 0
  const { paths, ownNames } = ruleSet
  const moreIsSecret = (): void => {
    clean.clear()
    secrets += 1
  }
  const holdsStandIn = (text: string): boolean => standIns.find(text).length > 0
  const finder = new SecretFinder(ruleSet, options, standIns, moreIsSecret)
  const findIn: SecretFinder['find'] = (...given) => finder.find(...given)

  /** A stand-in is no value of the run's. */
  const takenIn =
    (input: string) =>
    (text: string): boolean =>
      ruleSet.keeps(text) || (text.length < shortestUnlike && input.includes(text))
  const editFor = (input: string, { start, end, shape, kept = noneKept, identity, isRevealable = false }: Found): Edit => {
    const secret = input.slice(start, end)
    const text = standIns.standInFor({ shape, written: secret, kept, identity: identity ?? plain(secret), isTaken: takenIn(input) })
    onStandIn?.(text, secret, shape, isRevealable)
    if (shape === 'word') taken?.set(secret, text)
    return { start, end, text }
  }
  const editsOf = (input: string, field?: string, holder?: string): readonly Edit[] => {
    if (input.length < shortest) return none
    if (paths.length > 0) learnFromJson(input)
    const found = findIn(input, field, holder)
    if (found === undefined) return [{ start: 0, end: input.length, text: unlooked }]
    if (holder === 'sql') found.push(...findInColumns(input, ruleSet, findIn))
    const edits = choose(found).map((one) => editFor(input, one))
    const inUrl = mergeEdits(edits, editsInUrl(input))
    // A secret continues after an escape in it.
    const unescaped = editsInDecoded(input, decodeUnicodeEscapes(input), (text) => text)
    const all = mergeEdits(mergeEdits(preferLonger(inUrl, unescaped), drawn.edits(input)), encoded.edits(input))
    return field === undefined ? withFormFields(input, all, editsOfFormField) : all
  }
  const editsOfFormField = (text: string, name: string): readonly Edit[] => editsOf(text, ruleSet.isField(name) ? name : undefined, name)
  const editsOfKey = (input: string, start: number, end: number): readonly Edit[] =>
    touchesStandIn(standIns, input, start, end) ? none : [editFor(input, { start, end, shape: 'word' })]
  const encoded = new EncodedTexts(ruleSet.readsEncoded, (decoded) => editsOf(decoded), editsOfKey)
  /** In a URL and in a form, a secret ends with the part that has it: what separates parts is escaped within one. */
  const editsInUrl = (input: string): readonly Edit[] => {
    if (!standIns.keepsForm || !input.includes('%') || /\s/.test(input)) {
      return editsInDecoded(input, decodePercent(input), encodeURIComponent)
    }
    return Array.from(input.matchAll(/[^?&#]+/g)).flatMap(({ index, 0: part }) => {
      const isLeft = (start: number, end: number): boolean => touchesStandIn(standIns, input, index + start, index + end)
      return moveEdits(editsInDecoded(part, decodePercent(part), encodeURIComponent, isLeft), index)
    })
  }
  /** Finds secrets that a text contains in the escaped form of URLs, forms and JSON. */
  const editsInDecoded = (
    input: string,
    decoded: DecodedText | undefined,
    encode: (text: string) => string,
    isLeft: (start: number, end: number) => boolean = (start, end) => standIns.keepsForm && touchesStandIn(standIns, input, start, end),
  ): readonly Edit[] => {
    if (decoded === undefined) return none
    const { text, placeOf } = decoded
    return choose(findIn(text) ?? []).flatMap((one) => {
      const [start, end] = [placeOf(one.start), placeOf(one.end)]
      if (isLeft(start, end)) return []
      const edit = editFor(text, one)
      // A stand-in of the same length is also as long in its escaped form.
      if (standIns.keepsForm) return editFor(input, toWritten(one, decoded))
      const written = encode(edit.text)
      onStandIn?.(written, input.slice(start, end), one.shape, one.isRevealable ?? false)
      return [{ start, end, text: written }]
    })
  }
  const textOf = (input: string, holder?: string): string =>
    redactText(input, holder !== undefined && ruleSet.isField(holder) ? holder : undefined, holder)
  const redactText = (input: string, field?: string, holder?: string): string => {
    // In a statement, its columns and names that are not secrets matter as well.
    const isPlain = field === undefined && holder !== 'sql'
    if (isPlain && clean.has(input)) return input
    const edits = editsOf(input, field, holder)
    // A number that is left alone because of its field is not clean elsewhere.
    if (edits.length === 0 && isPlain && !/^\d{12,19}$/.test(input)) clean.add(input)
    return applyEdits(input, edits)
  }

  /** Fields of JSON within text are fields as well: their secrets are known from now on. */
  const learnFromJson = (input: string): void => {
    const [prefix] = /^\s*(?:data:\s*)?(?=[[{])/.exec(input) ?? []
    const parsed = prefix === undefined ? undefined : parseJson(input.slice(prefix.length))
    if (parsed !== undefined) walkApart(parsed)
  }
  const byPath = (input: string | number): unknown => {
    if (typeof input === 'string') {
      if (input === '' || holdsStandIn(input) || ruleSet.keeps(input)) return input
      if (finder.byPath.add(input)) moreIsSecret()
      const whole = choose(findIn(input) ?? []).find(({ start, end }) => start === 0 && end === input.length)
      const { shape, kept = noneKept, identity = plain(input) } = whole ?? { shape: 'word' as const }
      const standIn = standIns.standInFor({ shape, written: input, kept, identity, isTaken: ruleSet.keeps })
      onStandIn?.(standIn, input, shape, isRevealableAt(input))
      return standIn
    }
    const standIn = standIns.standInForNumber(input, ruleSet.keeps)
    if (standIn === input) return input
    onStandIn?.(String(standIn), String(input), 'word', isRevealableAt(String(input)))
    return standIn
  }
  /** Returns whether a value matched by path is not a credential, judging by its shape and its field. */
  const isRevealableAt = (input: string): boolean => {
    const { field } = place
    const found = findIn(input, field !== undefined && ruleSet.isField(field) ? field : undefined, field)
    return found?.every(({ rule }) => !findsCredentials(rule, ownNames)) === true
  }
  const place = new WalkedPlace(ruleSet)
  const walk = (input: unknown, isWithin: boolean): unknown => {
    const isSecret = isWithin || place.isSecret
    if (typeof input === 'string') return isSecret ? byPath(input) : textOf(input, place.field)
    if (typeof input === 'number') return isSecret ? byPath(input) : numberValue(input, place.field)
    if (typeof input !== 'object' || input === null) return input
    if (isUint8Array(input)) return likeBefore(input, place.isInColumns ? bytesInColumn(input) : bytesOf(input))
    if (Array.isArray(input)) return walkList(input, isSecret)
    const recorded = isReserved(input) ? recordedBytes(input) : undefined
    return recorded === undefined ? walkFields(input, isSecret) : redactRecordedBytes(input, recorded)
  }
  /** The texts of streamed outputs that were redacted as parts of what they spell together. */
  const spelled = new WeakMap<object, Map<PathKey, string>>()
  const takeSpelled: Parameters<typeof redactSpelled>[2] = ({ holder, key }, text) =>
    void knownOrMade(spelled, holder, () => new Map<PathKey, string>()).set(key, text)
  const walkAt = (holder: object, key: PathKey, input: unknown, isWithin: boolean): unknown => {
    const text = isWithin || place.isSecret ? undefined : spelled.get(holder)?.get(key)
    return text ?? walk(input, isWithin)
  }
  const walkList = (list: readonly unknown[], isSecret: boolean): readonly unknown[] => {
    let changed: unknown[] | undefined
    // A pair of a name and a text, as in headers and the entries of a map: the name applies to the text.
    const isPair = list.length === 2 && typeof list[0] === 'string' && typeof list[1] === 'string'
    const name = isPair && (!place.isInColumns || ruleSet.isField(list[0] as string)) ? (list[0] as string) : undefined
    for (const [index, item] of list.entries()) {
      const option = isSecret ? undefined : optionBefore(list, index)
      const walked = option !== undefined && ruleSet.isOption(option) ? textOf(item as string, option) : item
      const redacted = place.into(name !== undefined && index === 1 ? name : index, () => walkAt(list, index, walked, isSecret))
      if (redacted !== item) (changed ??= [...list])[index] = redacted
    }
    return changed ?? list
  }
  const asContained = (field: unknown, name: string | undefined): unknown =>
    name === undefined || !ruleSet.isField(name) ? field : mapContained(field, (text) => textOf(text, name))
  const walkFields = (object: object, isSecret: boolean): object => {
    let changed: [string, unknown][] | undefined
    if (ruleSet.joinsPieces && isStreamedOutput(object)) redactSpelled(object, textRedactor, takeSpelled)
    const named = namedField(object)
    const contained = containedFields(object)
    const columns = columnsOf(object)
    for (const [index, key] of Object.keys(object).entries()) {
      const field: unknown = Reflect.get(object, key)
      const name = textOf(key)
      const isValue = named?.key === key && !isSecret && ruleSet.isField(named.name) && typeof field === 'string'
      const walked = isValue ? textOf(field, named.name) : isSecret ? field : asContained(field, contained?.get(key))
      const redacted = place.into(key, () => walkAt(object, key, walked, isSecret), columns?.key === key ? columns : undefined)
      if (name !== key || redacted !== field) (changed ??= Object.entries(object))[index] = [name, redacted]
    }
    return changed === undefined ? object : Object.fromEntries(changed)
  }
  /** Redacts a value with its own paths, as for JSON within a text. */
  const walkApart = (input: unknown, at: readonly PathKey[] = []): unknown => {
    const isWithin = at.some((_, index) => place.isNamed(at.slice(0, index)))
    return place.apart(at, () => walk(input, isWithin))
  }
  /** A credential may come before the name that it is known by: the value is then walked again. */
  const walkWhole = (input: unknown, at?: readonly PathKey[]): unknown => {
    const knownBefore = finder.passedOn.size
    const redacted = walkApart(input, at)
    return finder.passedOn.size === knownBefore ? redacted : walkApart(redacted, at)
  }
  const numberValue = (input: number, holder: string | undefined): number => {
    // A card number may be a JSON number.
    if (!Number.isSafeInteger(input) || input < 1e12) return input
    const printed = String(input)
    const redacted = redactText(printed, undefined, holder)
    return redacted === printed ? input : Number(redacted)
  }
  /** Lines of a stream differ only in the parts that are checked separately: the text around these occurs over and over. */
  const editsOfPiece = (input: string): readonly Edit[] => {
    const isFrame = input.length >= shortestFrame && input.length <= longestFrame
    if (isFrame && clean.has(input)) return none
    const edits = editsOf(input)
    if (isFrame && edits.length === 0) clean.add(input)
    return edits
  }
  const textRedactor: TextRedactor = { edits: editsOfPiece, hasOwnRules: ownNames.size > 0, hasPaths: paths.length > 0, standIns }
  const bytesOf = (bytes: Uint8Array): Uint8Array =>
    redactFrames(bytes, textRedactor) ?? redactPrintable(bytes, editsOf, (text) => drawn.rawEdits(text))
  /** A database may store a text as bytes. */
  const bytesInColumn = (bytes: Uint8Array): Uint8Array => {
    const { field } = place
    if (field === undefined || !ruleSet.isField(field)) return bytesOf(bytes)
    const text = Buffer.from(bytes).toString('latin1')
    const redacted = textOf(text, field)
    return redacted === text ? bytes : Buffer.from(redacted, 'latin1')
  }
  const redactRecordedBytes = (object: object, { bytes: base64, as }: RecordedBytes): object => {
    const bytes = Buffer.from(base64, 'base64')
    const redacted = place.isInColumns ? bytesInColumn(bytes) : bytesOf(bytes)
    return redacted === bytes ? object : { $: { bytes: Buffer.from(redacted).toString('base64'), ...(as === 'Buffer' && { as }) } }
  }
  return {
    get secrets() {
      return secrets
    },
    ...textRedactor,
    standIns,
    text: textOf,
    value: <Value>(input: Value, at?: readonly PathKey[]) => walkWhole(input, at) as Value,
    takeFrom: (input) => {
      const secretsTaken = (taken = new Map<string, string>())
      try {
        return { value: walkWhole(input), taken: secretsTaken }
      } finally {
        taken = undefined
      }
    },
    credential: (secret) => {
      const edits = secret.length < shortest ? none : editsOf(secret)
      const isNew = edits.length === 0 && secret.length > 0 && !holdsStandIn(secret)
      const isLeft = (start: number, end: number): boolean => touchesStandIn(standIns, secret, start, end)
      const others = isNew ? [{ start: 0, end: secret.length, shape: 'word' } as const] : findBeside(secret, edits, isLeft)
      return applyEdits(secret, mergeEdits(edits, others.map(editFor.bind(undefined, secret))))
    },
    know: (secret) => {
      if (finder.passedOn.add(secret)) moreIsSecret()
    },
    bytes: bytesOf,
    draw: (bytes) => {
      if (!ruleSet.standsInForDraws) return bytes
      moreIsSecret()
      return drawn.standInFor(bytes)
    },
  }
}

/** Shorter than any secret that a rule finds. */
const shortest = 4
/** The lengths of lines that are remembered: a shorter line is checked just as fast, a longer one contains data. */
const shortestFrame = 64
const longestFrame = 1_000

/** A stand-in of this length says what it is, so that no other text is like it. */
const shortestUnlike = 16

const none: readonly Edit[] = []

const noneKept = { start: 0, end: 0 }

/** Replaces a text on which a rule of the user's failed. */
const unlooked = '[not kept: a redaction rule failed]'
