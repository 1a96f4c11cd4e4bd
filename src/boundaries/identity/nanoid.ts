import { currentScope } from '../../run/scope.ts'
import { draw } from './draw.ts'

type Generate = (size?: number) => string

/** What nanoid 3 to 6 export. */
export interface NanoidExports {
  readonly nanoid: Generate
  readonly customAlphabet: (alphabet: string, size?: number) => Generate
  readonly customRandom: (alphabet: string, size: number, random: (size: number) => Uint8Array) => Generate
  readonly random: (size: number) => Uint8Array
  readonly urlAlphabet: string
}

/** nanoid keeps a pool of random bytes for later ids; in a run the bytes are drawn for each id. */
export function nanoidInRuns({ nanoid, customAlphabet, customRandom, random, urlAlphabet }: NanoidExports): Partial<NanoidExports> {
  const inRun = (pooled: Generate, alphabet: string, defaultSize: number): Generate => {
    const drawn = customRandom(alphabet, defaultSize, draw)
    // nanoid itself refuses an invalid size.
    return (size = defaultSize) => (currentScope() !== undefined && size > 0 ? drawn(size) : pooled(size))
  }
  return {
    nanoid: inRun(nanoid, urlAlphabet, 21),
    customAlphabet: (alphabet, size = 21) => inRun(customAlphabet(alphabet, size), alphabet, size),
    random: (size) => (currentScope() !== undefined && size > 0 ? draw(size) : random(size)),
  }
}
