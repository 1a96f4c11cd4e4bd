import { isCorrelation } from '../../http/request-headers.ts'
import { type SentCredential, type TakenCredentials, takeHeaderCredentials, takeUrlCredentials } from '../../http/sent-credentials.ts'
import { credentialMark } from '../../trace/credential-mark.ts'
import { knownOrMade } from '../../trace/remember.ts'
import { variablesIn } from '../../node/variables.ts'
import { askedHeaders, type AskedBy } from '../../run/processes.ts'
import type { Credential, HeaderPairs } from '../../trace/http-facts.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { CallRow, HttpInput } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'

/** A credential of a recorded call. */
export interface RecordedCredential extends Credential {
  /** Set for a value that is no credential here, redacted: it comes from the environment, or other calls have a credential in its place. */
  readonly text?: string
}

/** A recorded call in the form in which it is compared. */
export type ComparedCall = Omit<CallRow, 'credentials'> & { readonly credentials?: readonly RecordedCredential[] }

/** The compared part of a request. */
export interface ComparedRequest {
  readonly url: string
  readonly headers: HeaderPairs
  readonly credentials: readonly SentCredential[]
}

/** A request as a trace has it. */
export interface WrittenRequest {
  readonly input: unknown
  readonly credentials?: readonly Credential[]
  readonly client?: string
}

/** Which headers of a trace's requests are compared, and which of their values by where they come from. */
export class ComparedHeaders {
  readonly askedBy: AskedBy
  readonly #trace: Trace
  /** Where the recorded calls have credentials, and values of the environment. */
  readonly #places = new Set<string>()
  /** The places of values of the environment that are no credentials. */
  readonly #plain = new Set<string>()
  #idsOfRun: ReadonlySet<string> | undefined
  /** The headers that were asked for last: most calls of a client have the same. */
  #last: { readonly sent: HeaderPairs; readonly asked: TakenCredentials<HeaderPairs> } | undefined

  constructor(trace: Trace) {
    const { format, compareHeaders } = trace.header
    this.#trace = trace
    this.askedBy = { format, named: compareHeaders }
    for (const row of trace.rows) {
      if (row.kind !== 'call' || row.credentials === undefined) continue
      for (const { at, value } of row.credentials) {
        this.#places.add(at)
        if (value === undefined) this.#plain.add(at)
      }
    }
  }

  /** Returns what a request of the replay asks for. Traces of formats 1 and 2 have no credentials. */
  of(url: string, sent: HeaderPairs): ComparedRequest {
    if (this.askedBy.format < 3) return { url, headers: askedHeaders(sent, this.askedBy), credentials: [] }
    const fromUrl = takeUrlCredentials(url, this.#places)
    const fromHeaders = this.#ofHeaders(sent)
    const credentials = fromUrl.credentials.length === 0 ? fromHeaders.credentials : [...fromUrl.credentials, ...fromHeaders.credentials]
    return { url: fromUrl.asked, headers: fromHeaders.asked, credentials }
  }

  #ofHeaders(sent: HeaderPairs): TakenCredentials<HeaderPairs> {
    if (this.#last === undefined || !areSamePairs(this.#last.sent, sent)) {
      this.#last = { sent, asked: takeHeaderCredentials(this.#withoutForeign(askedHeaders(sent, this.askedBy)), this.#places) }
    }
    return this.#last.asked
  }

  /** Returns a recorded call as it is compared. */
  recorded(call: CallRow): ComparedCall {
    if (this.askedBy.format < 3 || (call.boundary !== 'http' && call.boundary !== 'model')) return call
    const input = call.input as HttpInput
    const headers = this.#withoutForeign(input.headers)
    if (!headers.some(this.#isText)) return headers === input.headers ? call : { ...call, input: { ...input, headers } }
    const texts = headers.filter(this.#isText)
    const names = new Set(texts.map(([name]) => name))
    const known = new Map(call.credentials?.map((credential) => [credential.at, credential]))
    const others = (call.credentials ?? []).filter(({ at }) => !names.has(at))
    const ofTexts = texts.map(([at, text]): RecordedCredential => ({ ...known.get(at), at, text }))
    const marked = headers.map((pair): readonly [string, string] => (names.has(pair[0]) ? [pair[0], credentialMark] : pair))
    return { ...call, input: { ...input, headers: marked }, credentials: [...others, ...ofTexts] }
  }

  /**
   * Returns what a request of the replay asks for as a trace has it: the values of the environment stand in the request, and credentials are
   * stand-ins.
   *
   * @param input In recorded form.
   * @param standInFor Returns the stand-in for a credential.
   */
  asWritten(
    input: unknown,
    { credentials: made = [], client }: { readonly credentials?: readonly SentCredential[]; readonly client?: string | undefined },
    standInFor: (value: string) => string,
  ): WrittenRequest {
    if (this.askedBy.format < 3) return { input }
    const by = omitUndefined({ client })
    if (made.length === 0) return { input, ...by }
    const plain = new Map(made.filter(({ at }) => this.#plain.has(at)).map(({ at, value }) => [at, value]))
    const credentials = made.flatMap(({ at, value }): Credential[] => {
      const variables = variablesIn(value)
      if (plain.has(at)) return variables.length === 0 ? [] : [{ at, variables }]
      return [{ at, value: standInFor(value), ...(variables.length === 0 ? {} : { variables }) }]
    })
    const asked = input as HttpInput
    const restored = (pair: HeaderPairs[number]): HeaderPairs[number] => [pair[0], plain.get(pair[0]) ?? pair[1]]
    return { input: plain.size === 0 ? input : { ...asked, headers: asked.headers.map(restored) }, credentials, ...by }
  }

  /** Whether a recorded header is in the place of a credential, and has a text there. */
  readonly #isText = ([name, text]: HeaderPairs[number]): boolean => this.#places.has(name) && !text.includes(credentialMark)

  /** Leaves out correlation ids that came from outside the run. */
  #withoutForeign(headers: HeaderPairs): HeaderPairs {
    if (!headers.some(([name]) => isCorrelation(name))) return headers
    this.#idsOfRun ??= idsOfRun(this.#trace)
    return headers.filter(([name]) => !isCorrelation(name) || this.#idsOfRun?.has(name) === true)
  }
}

function areSamePairs(some: HeaderPairs, others: HeaderPairs): boolean {
  return some.length === others.length && some.every(([name, value], index) => others[index]?.[0] === name && others[index]?.[1] === value)
}

/** A shorter text is in what a run was given by chance. */
const shortest = 8

/** Returns the names of correlation headers whose recorded values are all in what the run drew or was given. A header that no call has is not one. */
function idsOfRun({ header, rows }: Trace): ReadonlySet<string> {
  const ofRun = new Set<string>()
  const foreign = new Set<string>()
  let given = JSON.stringify([header.input, header.resumedFrom?.state, header.ambient?.answers]) ?? ''
  for (const row of rows) {
    if (row.kind === 'reads') given += JSON.stringify([row.uuid, row.facts])
    else if (row.kind === 'head' || row.kind === 'return') given += JSON.stringify(row)
    else if (row.kind === 'chunk') given += row.text ?? ''
    else if (row.kind === 'call' && (row.boundary === 'http' || row.boundary === 'model')) {
      for (const [name, value] of (row.input as HttpInput).headers)
        if (isCorrelation(name)) (value.length >= shortest && given.includes(value) ? ofRun : foreign).add(name)
    }
  }
  return new Set([...ofRun].filter((name) => !foreign.has(name)))
}

const known = new WeakMap<Trace, ComparedHeaders>()

/** The compared headers of a trace; cached. */
export function comparedHeadersOf(trace: Trace): ComparedHeaders {
  return knownOrMade(known, trace, () => new ComparedHeaders(trace))
}
