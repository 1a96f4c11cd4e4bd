const mostRemembered = 256

/** Makes what `make` gives for an address only once, for the addresses asked for of late: an agent calls few of them many times. What gives nothing is asked each time. */
export function remember<Made>(make: (address: string) => Made): (address: string) => Made {
  const made = new Map<string, Made>()
  return (address) => {
    const known = made.get(address)
    if (known !== undefined) return known
    const result = make(address)
    if (result === undefined) return result
    if (made.size >= mostRemembered) made.clear()
    made.set(address, result)
    return result
  }
}
