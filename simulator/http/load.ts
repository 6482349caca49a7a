export interface LoadStats {
	/** Number of Graph calls that are not answered yet. */
	in_flight: number
	/** Maximum since the last `resetMaxima`. */
	max_in_flight: number
	/** Number of all open connections, including those of control calls. */
	connections: number
	max_connections: number
	/** Number of Graph calls received over HTTP/2 since the start. */
	http2_calls: number
}

/** Counts open calls and connections. */
export class Load {
	#inFlight = 0
	#maxInFlight = 0
	#connections = 0
	#maxConnections = 0
	#http2Calls = 0

	get stats(): LoadStats {
		return {
			in_flight: this.#inFlight,
			max_in_flight: this.#maxInFlight,
			connections: this.#connections,
			max_connections: this.#maxConnections,
			http2_calls: this.#http2Calls,
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

	countHttp2Call(): void {
		this.#http2Calls++
	}

	resetMaxima(): void {
		this.#maxInFlight = this.#inFlight
		this.#maxConnections = this.#connections
	}
}
