export interface LoadStats {
	/** Graph calls that have come in and are not answered yet. */
	in_flight: number
	/** The most there were at once since the last `resetLoad`. */
	max_in_flight: number
	/** Open connections of every kind, the control's own among them. */
	connections: number
	max_connections: number
}

/** Counts what callers have open at the network. */
export class Load {
	#inFlight = 0
	#maxInFlight = 0
	#connections = 0
	#maxConnections = 0

	get stats(): LoadStats {
		return {
			in_flight: this.#inFlight,
			max_in_flight: this.#maxInFlight,
			connections: this.#connections,
			max_connections: this.#maxConnections,
		}
	}

	changeCalls(by: 1 | -1): void {
		this.#inFlight += by
		if (this.#inFlight > this.#maxInFlight) this.#maxInFlight = this.#inFlight
	}

	changeConnections(by: 1 | -1): void {
		this.#connections += by
		if (this.#connections > this.#maxConnections) this.#maxConnections = this.#connections
	}

	resetMaxima(): void {
		this.#maxInFlight = this.#inFlight
		this.#maxConnections = this.#connections
	}
}
