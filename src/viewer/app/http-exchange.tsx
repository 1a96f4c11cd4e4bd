import type { JSX } from 'preact'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import type { ChunkRow, HttpBody, HttpInput, HttpOutput } from '../../trace/rows.ts'
import { counted, formatBytes, formatDuration } from './format.ts'
import { Fold } from './fold.tsx'
import { Text } from './text.tsx'
import { ValueTree } from './value-tree.tsx'

/** A request and its answer as they went over the wire, shown on demand. */
export function RawExchange({ input, output }: { readonly input: HttpInput; readonly output: HttpOutput | undefined }): JSX.Element {
  return (
    <Fold title="Raw HTTP" note={output?.status === undefined ? undefined : String(output.status)}>
      {() => (
        <div class="raw">
          <h4>Request</h4>
          <div class="wire">
            <Text value={`${input.method} ${input.url}`} />
          </div>
          <Headers pairs={input.headers} />
          <Body body={input} />
          <h4>Response</h4>
          {output === undefined ? <p class="muted">None arrived.</p> : <Response output={output} />}
        </div>
      )}
    </Fold>
  )
}

function Response({ output }: { readonly output: HttpOutput }): JSX.Element {
  return (
    <>
      <div class="wire">
        {output.status} {output.url !== undefined && <Text value={`from ${output.url}`} />}
      </div>
      <Headers pairs={output.headers ?? []} />
      <Body body={output} />
    </>
  )
}

function Headers({ pairs }: { readonly pairs: HeaderPairs }): JSX.Element {
  return (
    <div class="wire headers">
      {pairs.map(([name, value]) => (
        <div>
          <span class="key">
            <Text value={name} />
          </span>
          : <Text value={value} />
        </div>
      ))}
    </div>
  )
}

/** A body: JSON as a tree, text unchanged, and for bytes their number. */
export function Body({ body: { json, text, bytes }, root = '' }: { readonly body: HttpBody; readonly root?: string }): JSX.Element | null {
  if (json !== undefined) return <ValueTree value={json} root={root} />
  if (bytes !== undefined) return <p class="muted">{formatBytes(bytes.byteLength)}</p>
  return text === undefined ? null : (
    <div class="wire">
      <Text value={text} />
    </div>
  )
}

/** At most this many pieces are listed. */
const LISTED = 500

interface StreamProps {
  readonly chunks: readonly ChunkRow[]
  readonly at: number
  readonly headAt: number | undefined
}

/** The pieces of a stream with their times. */
export function StreamPieces({ chunks, at, headAt }: StreamProps): JSX.Element | null {
  if (chunks.length < 2) return null
  const [first, last] = [chunks[0]?.at ?? at, chunks.at(-1)?.at ?? at]
  const span = Math.max(1, last - at)
  const waited = formatDuration(first - at)
  return (
    <Fold title="Stream" note={`${counted(chunks.length, 'piece')}, the first after ${waited}`}>
      {() => (
        <>
          <svg class="pieces" viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" aria-label="When each piece arrived">
            <rect x="0" y="9" width="1000" height="2" class="base" />
            {chunks.slice(0, 2000).map((chunk) => (
              <rect x={((chunk.at - at) / span) * 996} y="2" width="4" height="16" class="piece" />
            ))}
          </svg>
          <table class="grid">
            <thead>
              <tr>
                <th>after</th>
                <th>since last</th>
                <th>size</th>
                <th>text</th>
              </tr>
            </thead>
            <tbody>
              {chunks.slice(0, LISTED).map((chunk, index) => (
                <tr>
                  <td class="number">{formatDuration(chunk.at - at)}</td>
                  <td class="number">{formatDuration(chunk.at - (chunks[index - 1]?.at ?? headAt ?? at))}</td>
                  <td class="number">{formatBytes(sizeOf(chunk))}</td>
                  <td class="wire">
                    <Text value={chunk.text ?? ''} limit={300} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {chunks.length > LISTED && <p class="muted">and {counted(chunks.length - LISTED, 'more piece')}</p>}
        </>
      )}
    </Fold>
  )
}

function sizeOf({ text, bytes, length }: ChunkRow): number {
  return text === undefined ? (bytes?.byteLength ?? length ?? 0) : new TextEncoder().encode(text).length
}
