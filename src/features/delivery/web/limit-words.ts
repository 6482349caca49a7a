import { NO_LIMIT } from '#features/whatsapp/rules.ts'
import { formatDateTime } from '#lib/dates.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import type { NumberStanding, SendingPlan } from '../contract.ts'

/** Returns the limit of a number, its free places and its quality, in sentences. */
export function limitText({ perDay, left, quality }: NumberStanding): string {
	return `${perDayText(perDay, left)} Quality: ${quality ?? 'not rated yet'}.`
}

function perDayText(perDay: number | null, left: number | null): string {
	if (perDay === NO_LIMIT) return 'No limit.'
	if (perDay === null)
		return 'WhatsApp has not reported yet with how many people you can start conversations in 24 hours.'
	const rest = left === null ? '' : ` ${formatCount(left)} ${left === 1 ? 'is' : 'are'} left now.`
	return `WhatsApp lets you start conversations with ${plural(perDay, 'person', 'people')} in 24 hours.${rest}`
}

/** Returns "12,000 people: about 6 days, until 2 Dec 2026, 10:40 am IST". */
export function planText(people: number, { days, until }: SendingPlan): string {
	const time = days > 1 ? `about ${formatCount(days)} days` : 'less than a day'
	return `${plural(people, 'person', 'people')}: ${time}, until ${formatDateTime(until)} IST`
}
