import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { chatWords, metaCode, stopAdvice, type FailureWords } from '#features/whatsapp/server/codes/codes.ts'

const FREE = 'You were not charged.'

const OWN: Record<number, FailureWords> = {
	[OWN_ERRORS.unconfirmed.code]: {
		title: OWN_ERRORS.unconfirmed.text,
		meaning: `The connection broke while the message was sent, and WhatsApp did not report on it. It may have arrived. ${FREE}`,
		advice: 'Send it again only if a second copy does no harm.',
		isWorthRetrying: false,
	},
	[OWN_ERRORS.cancelled.code]: {
		title: OWN_ERRORS.cancelled.text,
		meaning: `You cancelled the campaign before this message was sent. ${FREE}`,
		advice:
			'To send it after all, make a new group from the failed messages and send a campaign to it. A duplicate of this campaign would reach those who got it once more.',
		isWorthRetrying: false,
	},
	[OWN_ERRORS.expired.code]: {
		title: OWN_ERRORS.expired.text,
		meaning:
			'WhatsApp could not deliver it for 30 days: the phone was off or WhatsApp removed. Your money was given back.',
		advice: 'Remove numbers that fail again and again.',
		isWorthRetrying: false,
	},
	[OWN_ERRORS.notRun.code]: {
		title: OWN_ERRORS.notRun.text,
		meaning: `The campaign was stopped before this message was sent. ${FREE}`,
		advice: 'Fix the problem named at the top of this page, then use "Retry failed".',
		isWorthRetrying: true,
	},
	[OWN_ERRORS.optedOut.code]: {
		title: OWN_ERRORS.optedOut.text,
		meaning: `This person asked for no more marketing before their turn came. ${FREE}`,
		advice: 'Nothing to do: they are left out of your next marketing campaigns.',
		isWorthRetrying: false,
	},
	[OWN_ERRORS.overLimit.code]: {
		title: OWN_ERRORS.overLimit.text,
		meaning: `WhatsApp lets a business start conversations with a limited number of people in 24 hours. ${FREE}`,
		advice:
			'Send it again when places are free. People who have written to you in the last 24 hours can always be reached.',
		isWorthRetrying: true,
	},
	[OWN_ERRORS.repeated.code]: {
		title: OWN_ERRORS.repeated.text,
		meaning: `The person has changed the number, and the campaign has both numbers. ${FREE}`,
		advice: 'Nothing to do: your contact has the new number.',
		isWorthRetrying: false,
	},
	[OWN_ERRORS.offerEnded.code]: {
		title: OWN_ERRORS.offerEnded.text,
		meaning: `The time that the message shows as the end of the offer had passed before its turn came. ${FREE}`,
		advice: 'Send a new campaign with a later end of the offer.',
		isWorthRetrying: false,
	},
	[OWN_ERRORS.unrenderable.code]: valuesOf(132000),
}

/** Returns the meaning of a failure and the advice for it. `code` is Meta's, or one of OWN_ERRORS. */
export function failureWords(code: number): FailureWords {
	return OWN[code] ?? valuesOf(code)
}

/** Returns a failure as programs get it. */
export function presentFailure(code: number): { code: number; title: string; detail: string } {
	const { title, meaning } = failureWords(code)
	return { code, title, detail: meaning }
}

function valuesOf(code: number): FailureWords {
	const { report } = metaCode(code)
	return { ...report, meaning: `${report.meaning} ${FREE}` }
}

/**
 * Returns the reason of a failed single message, with advice. For a negative code, `given` is already such a text of
 * OWN_ERRORS.
 */
export function singleMessageWords(code: number, given: string | null): string {
	if (code < 0) return given ?? ''
	return metaCode(code).scope === 'sender' ? stopAdvice({ code, error: given ?? '' }) : chatWords(code, given)
}
