/** A disaster, or a situation that looks like one, in the middle of a campaign. */
export interface Scenario {
	name: string
	/** Description in one line. */
	about: string
	/** Returns the reason why the scenario cannot run on this machine, or null. */
	missing(options: Pick<DrillOptions, 'from'>): Promise<string | null>
	run(options: DrillOptions): Promise<DrillResult>
}

export interface DrillOptions {
	/** Git revision of the release that the upgrade starts from; the last tag by default. */
	from: string | undefined
	log(line: string): void
}

/** Counts of the messages' outcomes. All except `messages` and `notes` should be 0. */
export interface DrillResult {
	messages: number
	/** Number of recipients that got more than one message. */
	twice: number
	/**
	 * Number of messages that are pending for ever, are marked as sent but were never accepted, or lack a status that
	 * the network sent.
	 */
	lost: number
	/** Number of messages of open campaigns that were pending when nothing progressed any more. */
	unfinished: number
	/** Maximum number of dead letters at any time. */
	shelved: number
	/** Number of messages that were refunded although they were received. */
	refunded: number
	/** Number of findings of the money reconciliation. */
	findings: number
	/** Further counts that must be 0, by name. */
	others: Record<string, number>
	notes: string[]
}

/** Returns the faults of a result as text; empty if the drill has passed. */
export function findFailures(result: DrillResult): string[] {
	const { twice, lost, unfinished, shelved, refunded, findings, others } = result
	return Object.entries({ twice, lost, unfinished, shelved, refunded, findings, ...others })
		.filter(([, count]) => count !== 0)
		.map(([name, count]) => `${name}: ${count}`)
}
