export interface SoakOptions {
	seed: string
	workers: number
	senders: number
	/** Number of recipients of each sender. */
	recipients: number
	events: number
	/** Mean time between two events. Determines the campaigns' pace: they last a little longer than all events. */
	gapMs: number
	/** UNKNOWN_AFTER of all processes. */
	unknownAfterSeconds: number
	/** Time after the last event within which the campaigns must complete. */
	deadlineMs: number
	/** Maximum share of all messages that may be given up, besides those that the network lost. */
	maxGivenUp: number
	/** Probability of each connection fault per call, and the maximum and the required number of each. */
	connectionFaults: { probability: number; times?: number; minTimes: number }
	/** Keeps the folder of the processes' logs. */
	keepsFolder: boolean
	log(line: string): void
}

export const DEFAULT_OPTIONS: Omit<SoakOptions, 'seed' | 'log'> = {
	workers: 3,
	senders: 40,
	recipients: 500,
	events: 30,
	gapMs: 4000,
	unknownAfterSeconds: 20,
	deadlineMs: 300_000,
	maxGivenUp: 0.01,
	connectionFaults: { probability: 0.003, minTimes: 24 },
	keepsFolder: false,
}

/** Returns the messages a second of one sender, so that its campaign outlasts the events. */
export function paceOf({ recipients, events, gapMs }: SoakOptions): number {
	return Math.max(1, Math.floor((recipients * 1000) / (events * gapMs * 1.2)))
}
