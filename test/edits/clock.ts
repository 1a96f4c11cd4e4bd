/** How an agent's sleeps pass. */
export interface Clock {
  sleep(milliseconds: number): Promise<void>
  /** Waits for something that happens in real time: meanwhile no sleep ends. */
  during<Result>(happening: () => Promise<Result>): Promise<Result>
}

/** The clock of life, which a recorder records. */
export const realClock: Clock = {
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  during: (happening) => happening(),
}

/** A clock that goes on when nothing else happens: sleeps end in the order of their length, however busy the machine is. */
export class SteppedClock implements Clock {
  readonly #sleeping: { readonly due: number; readonly end: () => void }[] = []
  #now = 0
  #happening = 0
  #isStepping = false

  sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#sleeping.push({ due: this.#now + milliseconds, end: resolve })
    this.#step()
    return promise
  }

  async during<Result>(happening: () => Promise<Result>): Promise<Result> {
    this.#happening += 1
    try {
      return await happening()
    } finally {
      this.#happening -= 1
      this.#step()
    }
  }

  /** In the next turn of the event loop all that follows from the last step has happened. */
  #step(): void {
    if (this.#isStepping) return
    this.#isStepping = true
    setImmediate(() => {
      this.#isStepping = false
      if (this.#happening > 0) return
      const due = Math.min(...this.#sleeping.map((sleep) => sleep.due))
      const index = this.#sleeping.findIndex((sleep) => sleep.due === due)
      const [next] = index === -1 ? [] : this.#sleeping.splice(index, 1)
      if (next === undefined) return
      this.#now = due
      next.end()
      this.#step()
    })
  }
}
