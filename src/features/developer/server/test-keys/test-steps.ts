import type { MessageStatus } from '#features/delivery/rules.ts'

/** The steps of a test message that arrives, each with the milliseconds after it begins. */
const STEPS = [
	['sent', 1000],
	['delivered', 3000],
	['read', 6000],
] as const
const [[, FIRST_MS]] = STEPS

/** The milliseconds after which each step of a message is due. */
export const DUE_MS: readonly number[] = STEPS.map(([, afterMs]) => afterMs)

/** The milliseconds after which all messages of a campaign are sent or have failed. */
export const COMPLETED_MS = FIRST_MS

/** The test number to which messages fail, of a range that is reserved for films. */
const FAILING_NUMBER = '447700900999'
const FAILURE_CODE = 131026

/** Returns the code with which a message to this number fails; null for a number at which messages arrive. */
export function failureOf(number: string): number | null {
	return number === FAILING_NUMBER ? FAILURE_CODE : null
}

type Step = readonly ['sent' | 'delivered' | 'read' | 'failed', number]

/** Returns the steps of a message that fails with this code; null selects the steps of one that arrives. */
export function stepsOf(errorCode: number | null): readonly Step[] {
	return errorCode === null ? STEPS : [['failed', FIRST_MS]]
}

interface Begun {
	errorCode: number | null
	beginsAt: Date
	/** True while the campaign of the message is a draft or paused. */
	isWaiting: boolean
}

/** Returns the status of a test message at a time, with the time of sending and the time of this status. */
export function statusOf(
	{ errorCode, beginsAt, isWaiting }: Begun,
	nowMs: number,
): { status: MessageStatus; sentAt: Date | null; statusAt: Date | null } {
	const begunMs = beginsAt.getTime()
	const last = isWaiting ? undefined : stepsOf(errorCode).findLast(([, afterMs]) => begunMs + afterMs <= nowMs)
	if (!last) return { status: 'pending', sentAt: null, statusAt: null }
	const [status, afterMs] = last
	const sentAt = status === 'failed' ? null : new Date(begunMs + FIRST_MS)
	return { status, sentAt, statusAt: new Date(begunMs + afterMs) }
}
