import { builtins } from '../../node/builtins.ts'
import type { Digest } from '../../trace/hash.ts'

/** SHA-256 of a text's UTF-8 bytes, as 64 hexadecimal digits: passed to `trace/`, which also runs in browsers. */
export const digest: Digest = (text) => builtins.crypto.createHash('sha256').update(text, 'utf8').digest('hex')
