/** A disaster, or what looks like one, in the middle of a campaign. */
export interface Scenario {
	name: string
	/** One line for those who choose. */
	about: string
	/** Returns why the scenario cannot run on this machine; null when it can. */
	missing(options: Pick<DrillOptions, 'from'>): Promise<string | null>
	run(options: DrillOptions): Promise<DrillResult>
}

export interface DrillOptions {
	/** The release that the upgrade starts from: a revision of git. Without one, the last tag. */
	from: string | undefined
	log(line: string): void
}

/** What became of the messages, and of what belongs to them. All but `messages` and `notes` should be 0. */
export interface DrillResult {
	messages: number
	/** Recipients that got more than one. */
	twice: number
	/** Pending for ever, said to be sent and never accepted, or without the report that the network sent. */
	lost: number
	/** Still pending when nothing moved any more, of campaigns that have not ended. */
	unfinished: number
	/** Webhook deliveries that were put aside, at any time. */
	shelved: number
	/** Refunded though they were received. */
	refunded: number
	/** What the reconciliation of money found. */
	findings: number
	/** Whatever else has to be 0, by name. */
	others: Record<string, number>
	notes: string[]
}

/** The faults of a result, as text; empty if the drill has passed. */
export function findFailures(result: DrillResult): string[] {
	const { twice, lost, unfinished, shelved, refunded, findings, others } = result
	return Object.entries({ twice, lost, unfinished, shelved, refunded, findings, ...others })
		.filter(([, count]) => count !== 0)
		.map(([name, count]) => `${name}: ${count}`)
}
