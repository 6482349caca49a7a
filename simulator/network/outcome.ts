import type { Fault } from './faults.ts'
import { NO_TWEAKS, type Outcome, type Tweaks } from './message-life.ts'
import type { StatusPlan } from './status-plan.ts'

const READ: Outcome = { statuses: ['sent', 'delivered', 'read'], failure: null }
const DELIVERED: Outcome = { statuses: ['sent', 'delivered'], failure: null }
const SILENT: Outcome = { statuses: [], failure: null }

const UNDELIVERABLE = 'Message Undeliverable.'
const ECOSYSTEM = 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.'

/**
 * Draws the outcome of a message. Of the failing marketing messages some meet the per-user cap; the others fail after `sent`.
 */
export function drawOutcome(plan: StatusPlan, category: string): Outcome {
	if (Math.random() < plan.failRate) {
		const capped = category.startsWith('marketing') && Math.random() < 0.4
		return capped ? failedAtOnce(131049, ECOSYSTEM) : failedAfterSent(131026, UNDELIVERABLE)
	}
	return Math.random() < plan.readRate ? READ : DELIVERED
}

export function failedAtOnce(code: number, details: string): Outcome {
	return { statuses: ['failed'], failure: { code, details } }
}

function failedAfterSent(code: number, details: string): Outcome {
	return { statuses: ['sent', 'failed'], failure: { code, details } }
}

/** Applies faults to the outcome of a message and to the delivery of its statuses. */
export function applyFaults(
	outcome: Outcome,
	faults: readonly Fault[],
): { outcome: Outcome; tweaks: Tweaks; isInQualityCheck: boolean } {
	if (faults.length === 0) return { outcome, tweaks: NO_TWEAKS, isInQualityCheck: false }
	const tweaks: Tweaks = { ...NO_TWEAKS }
	let result = outcome
	let isInQualityCheck = false
	for (const fault of faults) {
		if (fault.kind === 'fail-later') result = failedAtOnce(fault.code, fault.details ?? '')
		if (fault.kind === 'silent') result = SILENT
		if (fault.kind === 'read-without-delivered') result = { statuses: ['sent', 'read'], failure: null }
		if (fault.kind === 'webhook-reorder') result = { ...result, statuses: result.statuses.toReversed() }
		if (fault.kind === 'webhook-duplicate') tweaks.duplicate = true
		if (fault.kind === 'webhook-split') tweaks.alone = true
		if (fault.kind === 'webhook-without-callback-data') tweaks.withoutCallback = true
		if (fault.kind === 'webhook-without-pricing') tweaks.withoutPricing = true
		if (fault.kind === 'webhook-late') tweaks.lateMs += fault.ms
		if (fault.kind !== 'quality-check') continue
		isInQualityCheck = true
		tweaks.lateMs += fault.ms
		if (fault.dropped) result = failedAtOnce(132015, 'Template is paused due to low quality.')
	}
	return { outcome: result, tweaks, isInQualityCheck }
}
