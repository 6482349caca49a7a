export interface SoakOptions {
	seed: string
	workers: number
	senders: number
	/** Of each sender. */
	recipients: number
	events: number
	/** Between two events, on average. The campaigns' pace follows from it: they last a little longer than all events. */
	gapMs: number
	/** UNKNOWN_AFTER for all processes. */
	unknownAfterSeconds: number
	/** After the last event, for the campaigns to complete. */
	deadlineMs: number
	/** Of all messages, as a share, beside those that the network lost. */
	maxGivenUp: number
	/** How often a call meets each fault of its connection, at most how many do, and how many must. */
	connectionFaults: { probability: number; times?: number; minTimes: number }
	/** Keeps the folder with the processes' logs. */
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

/** Messages a second of one sender, so that its campaign outlasts the events. */
export function paceOf({ recipients, events, gapMs }: SoakOptions): number {
	return Math.max(1, Math.floor((recipients * 1000) / (events * gapMs * 1.2)))
}
