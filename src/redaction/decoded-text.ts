/** A text as it is meant, of one that escapes characters. */
export interface DecodedText {
  readonly text: string
  /** Where each character of it starts in the text as it is written, and at the end where that ends. */
  readonly places: readonly number[]
}
