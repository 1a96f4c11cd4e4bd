import { mapFields, omitUndefined, type Json } from '../json.ts'
import type { Check, Expectation, ForkedFrom, Golden, RunRow } from '../run-row.ts'
import type { AmbientOf, EncodedCheck, EncodedExpectation, EncodedFork, EncodedGolden, EncodedRun } from './encoded-rows.ts'

/** Encodes the header for a file. It comes before every text, so `write` must not refer to any. */
export function encodeRun(row: RunRow, write: (value: unknown, where: string) => Json): EncodedRun {
  const { kind, format, id, traceId, agent, agentVersion, tags, startedAt, runtime, contracts, fidelity, redaction } = row
  const { compareHeaders, ambient, muted, files, golden, replay, forkedFrom, resumedFrom } = row
  return {
    kind,
    format,
    id,
    traceId,
    agent,
    ...omitUndefined({ agentVersion }),
    input: write(row.input, 'input of the run'),
    ...omitUndefined({ tags }),
    startedAt,
    runtime,
    contracts,
    fidelity,
    redaction,
    ...omitUndefined({ compareHeaders }),
    ...(ambient === undefined ? {} : { ambient: mapAmbient(ambient, (value, name) => write(value, `an ambient answer of ${name}`)) }),
    ...omitUndefined({ muted, files, replay }),
    ...(forkedFrom === undefined ? {} : { forkedFrom: encodeFork(forkedFrom, write) }),
    ...(resumedFrom === undefined ? {} : { resumedFrom: { ...resumedFrom, state: write(resumedFrom.state, 'state resumed from') } }),
    ...(golden === undefined ? {} : { golden: encodeGolden(golden, write) }),
  }
}

/** The inverse of `encodeRun`; `read` receives the name of the field that it reads. */
export function decodeRun(row: EncodedRun, read: (json: Json, field: string) => unknown): RunRow {
  const { ambient, golden, forkedFrom, resumedFrom, ...plain } = row
  return {
    ...plain,
    input: read(row.input, 'input'),
    ...(forkedFrom === undefined ? {} : { forkedFrom: decodeFork(forkedFrom, read) }),
    ...(resumedFrom === undefined ? {} : { resumedFrom: { ...resumedFrom, state: read(resumedFrom.state, 'resumedFrom.state') } }),
    ...(ambient === undefined ? {} : { ambient: mapAmbient(ambient, (json) => read(json, 'ambient.answers')) }),
    ...(golden === undefined ? {} : { golden: { ...golden, expect: decodeExpectation(golden.expect, read) } }),
  }
}

function encodeFork({ edit, ...plain }: ForkedFrom, write: (value: unknown, where: string) => Json): EncodedFork {
  return { ...plain, ...(edit === undefined ? {} : { edit: write(edit, 'edit of the fork') }) }
}

function decodeFork({ edit, ...plain }: EncodedFork, read: (json: Json, field: string) => unknown): ForkedFrom {
  return { ...plain, ...(edit === undefined ? {} : { edit: read(edit, 'forkedFrom.edit') as Record<string, unknown> }) }
}

function mapAmbient<From, To>({ names, answers }: AmbientOf<From>, map: (value: From, name: string) => To): AmbientOf<To> {
  const mapped = answers.map((answer) => ({ ...answer, input: map(answer.input, answer.name), output: map(answer.output, answer.name) }))
  return { names, answers: mapped }
}

function encodeGolden(golden: Golden, write: (value: unknown, where: string) => Json): EncodedGolden {
  const { name, description, expectedOutcome, expect, promotedAt, promotedFrom, follows, rebasedAt } = golden
  return {
    name,
    ...omitUndefined({ description, expectedOutcome }),
    expect: encodeExpectation(expect, write),
    promotedAt,
    promotedFrom,
    ...omitUndefined({ follows, rebasedAt }),
  }
}

function encodeExpectation(expect: Expectation, write: (value: unknown, where: string) => Json): EncodedExpectation {
  if (expect.replay === 'same') return expect
  const { answers, checks, ...plain } = expect
  return {
    ...plain,
    ...(answers === undefined ? {} : { answers: mapFields(answers, (answer) => write(answer, 'answers of the expectation')) }),
    ...(checks === undefined ? {} : { checks: checks.map((check) => encodeCheck(check, write)) }),
  }
}

function decodeExpectation(expect: EncodedExpectation, read: (json: Json, field: string) => unknown): Expectation {
  if (expect.replay === 'same') return expect
  const { answers, checks, ...plain } = expect
  return {
    ...plain,
    ...(answers === undefined ? {} : { answers: mapFields(answers, (answer) => read(answer, 'golden.expect.answers')) }),
    ...(checks === undefined ? {} : { checks: checks.map((check) => decodeCheck(check, read)) }),
  }
}

function encodeCheck({ matcher, args }: Check, write: (value: unknown, where: string) => Json): EncodedCheck {
  return args === undefined ? { matcher } : { matcher, args: args.map((value) => write(value, 'checks of the expectation')) }
}

function decodeCheck({ matcher, args }: EncodedCheck, read: (json: Json, field: string) => unknown): Check {
  return args === undefined ? { matcher } : { matcher, args: args.map((json) => read(json, 'golden.expect.checks')) }
}
