import type { KnownStatus, MessageState } from '#features/delivery/rules.ts'

/** The new status of a message, and the reason. */
export interface StatusChange {
	status: KnownStatus
	at: Date
	/** Null if the change names no wamid. */
	wamid: string | null
	errorCode: number | null
	error: string | null
}

/** Returns the change of a message to failed. `at` is the database's time. */
export function failure(code: number, error: string, at: Date): StatusChange {
	return { status: 'failed', at, wamid: null, errorCode: code, error }
}

export interface ChangedState extends MessageState {
	statusAt: Date
	sentAt: Date | null
	error: string | null
}

/** Returns the state of a message after a change that `advances` accepts. */
export function changedState(
	was: { sentAt: Date | null },
	{ status, at, errorCode, error }: StatusChange,
): ChangedState {
	const isFailed = status === 'failed'
	return {
		status,
		statusAt: at,
		sentAt: isFailed ? was.sentAt : (was.sentAt ?? at),
		errorCode: isFailed ? errorCode : null,
		error: isFailed ? error : null,
	}
}

/** Returns the latest send time of these messages; null when none was sent. */
export function latestSentAt(messages: readonly { sentAt: Date | null }[]): Date | null {
	const latest = messages.reduce((found, { sentAt }) => Math.max(found, sentAt?.getTime() ?? 0), 0)
	return latest > 0 ? new Date(latest) : null
}
