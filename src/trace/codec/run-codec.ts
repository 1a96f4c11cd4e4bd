import { mapFields, omitUndefined, type Json } from '../json.ts'
import type { ForkedFrom, Golden, RunRow } from '../run-row.ts'
import type { AmbientOf, EncodedFork, EncodedGolden, EncodedRun, ExpectationOf } from './encoded-rows.ts'

/** Encodes the header for a file. It comes before every text, so `write` must not refer to any. */
export function encodeRun(row: RunRow, write: (value: unknown, where: string) => Json): EncodedRun {
  const {
    kind,
    format,
    id,
    traceId,
    agent,
    agentVersion,
    hasContext,
    wholeProcess,
    tags,
    startedAt,
    runtime,
    contracts,
    fidelity,
    redaction,
  } = row
  const { compareHeaders, ambient, effects, muted, unmuted, files, golden, replay, forkedFrom, resumedFrom } = row
  return {
    kind,
    format,
    id,
    traceId,
    agent,
    ...omitUndefined({ agentVersion, hasContext, wholeProcess }),
    input: write(row.input, 'input of the run'),
    ...omitUndefined({ tags }),
    startedAt,
    runtime,
    contracts,
    fidelity,
    redaction,
    ...omitUndefined({ compareHeaders }),
    ...(ambient === undefined ? {} : { ambient: mapAmbient(ambient, (value, name) => write(value, `an ambient answer of ${name}`)) }),
    ...omitUndefined({ effects, muted, unmuted, files, replay }),
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
    ...(golden === undefined
      ? {}
      : { golden: { ...golden, expect: mapExpectation(golden.expect, (json, field) => read(json, `golden.expect.${field}`)) } }),
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
  const { name, description, expectedOutcome, expect, promotedAt, promotedFrom, follows, rebasedAt, variables } = golden
  return {
    name,
    ...omitUndefined({ description, expectedOutcome }),
    expect: mapExpectation(expect, (value, field) => write(value, `${field} of the expectation`)),
    promotedAt,
    promotedFrom,
    ...omitUndefined({ follows, rebasedAt, variables }),
  }
}

function mapExpectation<From, To>(expect: ExpectationOf<From>, map: (value: From, field: 'answers' | 'checks') => To): ExpectationOf<To> {
  if (expect.replay === 'same') return expect
  const { answers, checks, ...plain } = expect
  const mapCheck = ({ args, ...check }: NonNullable<typeof checks>[number]) => ({
    ...check,
    ...(args && { args: args.map((value) => map(value, 'checks')) }),
  })
  return {
    ...plain,
    ...(answers && { answers: mapFields(answers, (answer) => map(answer, 'answers')) }),
    ...(checks && { checks: checks.map(mapCheck) }),
  }
}
