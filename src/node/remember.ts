const mostRemembered = 256

/**
 * Makes what `make` gives for a text only once, for the texts asked for of late: an agent calls few addresses many times. What gives nothing is
 * asked each time.
 */
export function remember<Made>(make: (text: string) => Made): (text: string) => Made {
  const made = new Map<string, Made>()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known
    const result = make(text)
    if (result === undefined) return result
    if (made.size >= mostRemembered) made.clear()
    made.set(text, result)
    return result
  }
}
