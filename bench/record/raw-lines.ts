import type { Exchange } from '../../examples/world/exchange.ts'

/** Writes exchanges as a recorder that keeps everything unchanged: each request whole, and each piece of an answer on its own line. */
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

/** Formats bytes for people. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toPrecision(3)} MB`
}
