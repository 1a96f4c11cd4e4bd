import type { RunSummary } from '../../stores/run-summary.ts'
import type { PackedRun } from '../packs/pack.ts'
import type { Encoding } from '../packs/run-entry.ts'

/** A run in the index: its summary and its place. */
export interface IndexedRun {
  readonly summary: RunSummary
  readonly place: RunPlace
}

/** Where a run is stored. */
export interface RunPlace extends Omit<PackedRun, 'id'> {
  /** The key of its pack. */
  readonly pack: string
  /** The key of the dictionary. Default: none. */
  readonly dictionary?: string
}

/** Returns the place of a run from its pack's directory. */
export function placeOf(pack: string, { offset, length, encoding, flags }: PackedRun, dictionary: string | undefined): RunPlace {
  return { pack, offset, length, encoding, ...(dictionary !== undefined && { dictionary }), ...(flags && { flags }) }
}

/** A row of the index, by column. */
export type IndexRow = Readonly<Record<string, string | number | Date | null>>

/** Converts a run to a row. */
export function toRow({ summary, place }: IndexedRun): IndexRow {
  const { id, traceId, agent, agentVersion, status, startedAt, durationMs, steps, modelCalls, toolCalls, ...listed } = summary
  const { models, tools, tags, error, flags, repeatedSideEffects, usage, bytes: _bytes, file: _file, ...more } = listed
  return {
    id,
    trace_id: traceId,
    agent,
    agent_version: agentVersion ?? null,
    status,
    started_at: new Date(startedAt),
    duration_ms: durationMs ?? null,
    steps,
    model_calls: modelCalls,
    tool_calls: toolCalls,
    models: JSON.stringify(models),
    tools: JSON.stringify(tools),
    tags: JSON.stringify(tags),
    error_name: error?.name ?? null,
    error_message: error?.message ?? null,
    flags: flags.length === 0 ? null : JSON.stringify(flags),
    repeated_side_effects: repeatedSideEffects,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    more: Object.keys(more).length === 0 ? null : JSON.stringify(more),
    pack: place.pack,
    pack_offset: place.offset,
    bytes: place.length,
    encoding: place.encoding,
    dictionary: place.dictionary ?? null,
    user_flags: place.flags === undefined ? null : JSON.stringify(place.flags),
  }
}

/** Converts a row to a run. */
export function fromRow(row: IndexRow): IndexedRun {
  const text = (name: string): string => String(row[name])
  const json = (name: string): unknown => JSON.parse(text(name))
  const isThere = (name: string): boolean => row[name] !== null && row[name] !== undefined
  const summary = {
    id: text('id'),
    traceId: text('trace_id'),
    agent: text('agent'),
    ...(!isThere('agent_version') ? {} : { agentVersion: text('agent_version') }),
    status: text('status'),
    startedAt: (row['started_at'] as Date).toISOString(),
    ...(!isThere('duration_ms') ? {} : { durationMs: Number(row['duration_ms']) }),
    ...(!isThere('error_name') ? {} : { error: { name: text('error_name'), message: text('error_message') } }),
    steps: Number(row['steps']),
    modelCalls: Number(row['model_calls']),
    toolCalls: Number(row['tool_calls']),
    repeatedSideEffects: Number(row['repeated_side_effects']),
    models: json('models'),
    tools: json('tools'),
    tags: json('tags'),
    flags: !isThere('flags') ? [] : json('flags'),
    usage: { inputTokens: Number(row['input_tokens']), outputTokens: Number(row['output_tokens']) },
    ...(!isThere('more') ? {} : (json('more') as object)),
    bytes: Number(row['bytes']),
  } as RunSummary
  const place = {
    pack: text('pack'),
    offset: Number(row['pack_offset']),
    length: Number(row['bytes']),
    encoding: text('encoding') as Encoding,
    ...(!isThere('dictionary') ? {} : { dictionary: text('dictionary') }),
    ...(!isThere('user_flags') ? {} : { flags: json('user_flags') as string[] }),
  }
  return { summary, place }
}
