import type { Exchange } from '../../examples/world/exchange.ts'

/** What a recorder that keeps all as it is would write of exchanges: each request whole, and each piece of an answer in a line. */
export function toRawLines(exchanges: readonly Exchange[]): string {
  return exchanges.map(toLines).join('')
}

function toLines({ bytes, sent }: Exchange, step: number): string {
  const lines = [
    { kind: 'call', step, at: step, body: Buffer.from(bytes).toString() },
    ...sent.map((piece) => ({ kind: 'chunk', step, at: step, text: Buffer.from(piece).toString() })),
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Bytes for people. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toPrecision(3)} MB`
}
