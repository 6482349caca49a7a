import { campaignPath, campaignPaths } from '#features/campaigns/paths.ts'
import { chatPaths } from '#features/chats/paths.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { developerPaths } from '#features/developer/paths.ts'
import { paymentPaths } from '#features/payments/paths.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { formatCalendarDay } from '#lib/dates.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import { displayNumber } from '#lib/phone/phone.ts'
import type { NewNotification } from '#lib/server/db/channels/notify.ts'
import { isolate } from '#lib/text/bidi.ts'

interface NamedCampaign {
	id: number | string
	name: string
}

interface EndingCampaigns extends NamedCampaign {
	/** Number of further campaigns that the notification concerns. */
	others: number
	keepMonths: number
}

interface CheckedRefund {
	amountPaise: number
	/** True for messages that WhatsApp does not charge, false for failed ones. */
	isPassedOn: boolean
	/** Null for templates that were sent from chats. */
	campaign: NamedCampaign | null
}

interface TakenBack {
	/** True after a lost dispute, false after a refund. */
	isDisputed: boolean
	takenPaise: number
	/** Paise that the wallet could not pay. */
	owedPaise: number
}

/** Words about each fault of a payment, for admins. */
const FAULTS = {
	amount: 'was paid with another amount, and nothing was added to the wallet',
	currency: 'was paid in another currency, and nothing was added to the wallet',
	'paid-twice': 'was paid twice, and added to the wallet once',
}
type PaymentFault = keyof typeof FAULTS

interface ChangedPrices {
	marketingPaise: number
	utilityPaise: number
	/** Null while authentication messages cost the utility price. */
	authenticationPaise: number | null
	servicePaise: number
	isAbroadChanged: boolean
	/** True when messages that WhatsApp does not charge are refunded. */
	passesOnFree: boolean
	isPassOnChanged: boolean
}

const COMPLETED = ' is completed'

/** Every kind of notification with its data, text and link. A new kind is a new entry here. */
export const notificationOf = {
	welcome: () => notification('Welcome! Your account is ready.', dashboardPaths.user),

	recharged: (data: { amountPaise: number }) =>
		notification(`Your wallet was recharged with ${rupees(data.amountPaise)}`, statementPaths.payments),
	paymentTakenBack: ({ isDisputed, takenPaise, owedPaise }: TakenBack) =>
		notification(
			`Your online payment was ${isDisputed ? 'disputed' : 'refunded'}: ${rupees(takenPaise)} was taken from your wallet${
				owedPaise > 0
					? `, and ${rupees(owedPaise)} is owed. Your next recharge settles that first; until then no new campaign is sent`
					: ''
			}`,
			statementPaths.payments,
		),
	paymentReversed: ({ reference, isDisputed, takenPaise, owedPaise }: TakenBack & { reference: string }) =>
		notification(
			`Payment ${reference} was ${isDisputed ? 'disputed' : 'refunded'}: ${rupees(takenPaise)} was taken from the wallet, and ${rupees(owedPaise)} is owed`,
			paymentPaths.all,
		),
	paymentUnfit: ({ fault, amountPaise }: { fault: PaymentFault; amountPaise: number }) =>
		notification(
			fault === 'paid-twice'
				? `Your payment of ${rupees(amountPaise)} was made twice, and added once. Your administrator has been notified, to send the rest back.`
				: `Your payment of ${rupees(amountPaise)} arrived with another ${fault}, and was not added. Please contact your administrator, who has been notified.`,
			statementPaths.payments,
		),
	paymentFaulty: ({ fault, reference }: { fault: PaymentFault; reference: string }) =>
		notification(`Payment ${reference} ${FAULTS[fault]}. Please look at it.`, paymentPaths.all),
	refundsWaiting: ({ name }: { name: string }) =>
		notification(
			`Refunds of ${isolate(name)} are above their usual measure and wait for your check`,
			statementPaths.refunds,
		),
	refundApproved: (data: CheckedRefund) =>
		notification(`${rupees(data.amountPaise)} was refunded to your wallet for ${messagesOf(data)}`, linkOf(data)),
	refundRefused: (data: CheckedRefund) =>
		notification(
			`A refund of ${rupees(data.amountPaise)} for ${messagesOf(data)} was checked and refused. Please contact your administrator if you have questions.`,
			linkOf(data),
		),
	lowBalance: (data: { availablePaise: number }) =>
		notification(`Your wallet balance is low: ${rupees(data.availablePaise)} left`, statementPaths.payments),
	contactsJoined: ({ people }: { people: readonly { name: string; from: string; into: string }[] }) =>
		notification(
			`Contacts that were two spellings of one number are one contact now: ${people
				.map(({ name, from, into }) => `${isolate(name)} ${displayNumber(into)} (also stored as ${from})`)
				.join(', ')}. Groups, tags, values and opt-outs were kept.`,
			contactPaths.list,
		),
	pricesChanged: (data: ChangedPrices) =>
		notification(
			[
				`Your prices per message are now: marketing ${rupees(data.marketingPaise)}`,
				`utility ${rupees(data.utilityPaise)}`,
				...(data.authenticationPaise === null ? [] : [`authentication ${rupees(data.authenticationPaise)}`]),
				...(data.servicePaise === 0 ? [] : [`replies ${rupees(data.servicePaise)}`]),
				...(data.isAbroadChanged ? ['and other prices for numbers outside India'] : []),
				...(data.isPassOnChanged
					? [`and template messages that WhatsApp does not charge are ${data.passesOnFree ? '' : 'no longer '}refunded`]
					: []),
			].join(', '),
		),

	/** Names no figures: status updates and refunds change them for days. The report shows the current ones, and so does the list. */
	campaignCompleted: ({ id, name }: NamedCampaign) =>
		pushed(`Campaign "${isolate(name)}"${COMPLETED}`, campaignPath(id)),
	campaignPaused: ({ id, name, reason }: NamedCampaign & { reason: string }) =>
		pushed(`Campaign "${isolate(name)}" is paused: ${reason}`, campaignPath(id)),
	campaignFailed: ({ id, name, reason }: NamedCampaign & { reason: string }) =>
		pushed(`Campaign "${isolate(name)}" could not run: ${reason}`, campaignPath(id)),
	campaignEnding: (data: EndingCampaigns & { day: string }) =>
		pushed(
			`${endingOf(data)} not finished and will be cancelled on ${formatCalendarDay(data.day)}: recipients are kept for ${plural(data.keepMonths, 'month')}. Send before then what still has to be sent. The rest is returned to your wallet.`,
			endingLinkOf(data),
		),
	campaignEnded: (data: EndingCampaigns) =>
		pushed(
			`${endingOf(data)} not finished within ${plural(data.keepMonths, 'month')} and ${data.others > 0 ? 'were' : 'was'} cancelled. What was not sent is returned to your wallet.`,
			endingLinkOf(data),
		),
	campaignsPaused: ({ count, reason }: { count: number; reason: string }) =>
		pushed(`${plural(count, 'campaign was', 'campaigns were')} paused: ${reason}`, campaignPaths.list),
	senderStopped: ({ reason }: { reason: string }) => pushed(`Sending has stopped: ${reason}`, campaignPaths.list),
	linksStopped: ({ reason }: { reason: string }) =>
		pushed(
			`The links in your messages whose clicks are counted were stopped by an administrator: ${isolate(reason)}`,
			campaignPaths.list,
		),
	linksResumed: () => pushed('The links in your messages whose clicks are counted work again', campaignPaths.list),
	senderWarning: ({ text }: { text: string }) => notification(text, campaignPaths.list),
	reportsMissing: () =>
		notification(
			'No delivery reports have arrived from WhatsApp for over an hour. Your messages are being sent, but their status cannot be updated. Please contact your administrator.',
			campaignPaths.list,
		),

	storageFull: () =>
		notification(
			'Your storage is full: photos and files that customers send are not received. Ask your administrator for more storage within seven days, and they will still arrive. Until then, open them on a phone.',
			chatPaths.live,
		),

	webhookSwitchedOff: () =>
		notification(
			'A webhook address did not take your events for three days and was switched off. Switch it on again when your system answers.',
			developerPaths.developers,
		),

	templateApproved: ({ name }: { name: string }) => template(name, 'was approved'),
	templateRejected: ({ name, reason }: { name: string; reason: string | null }) =>
		template(name, because('was rejected', reason)),
	templatePaused: ({ name, reason }: { name: string; reason: string | null }) =>
		template(name, because('was paused by WhatsApp', reason)),
	templateDisabled: ({ name, reason }: { name: string; reason: string | null }) =>
		template(name, because('was disabled by WhatsApp', reason)),
	templateQualityLow: ({ name }: { name: string }) => template(name, 'has low quality now: WhatsApp may pause it'),
	templateRecategorised: ({ name, from, to }: { name: string; from: string; to: string }) =>
		template(name, `is now ${to}, not ${from}: new campaigns cost the ${to} price`),
	templateMoveDetected: ({ name, to }: { name: string; to: string }) =>
		notification(
			`WhatsApp may move template "${name}" to ${to}: new campaigns would then cost the ${to} price`,
			templatePaths.list,
		),
	templateMoveAnnounced: ({ name, to }: { name: string; to: string }) =>
		notification(
			`WhatsApp will soon move template "${name}" to ${to}: new campaigns will then cost the ${to} price`,
			templatePaths.list,
		),
}

/** Returns the id of the campaign whose completion the notification reports; null for any other notification. */
export function completedCampaign({ text, link }: { text: string; link: string | null }): string | null {
	return link?.startsWith(campaignPath('')) && text.endsWith(COMPLETED) ? link.slice(campaignPath('').length) : null
}

function notification(text: string, link?: string): NewNotification {
	return { text, link }
}

function pushed(text: string, link: string): NewNotification {
	return { ...notification(text, link), isPushed: true }
}

function template(name: string, change: string): NewNotification {
	return notification(`Template "${name}" ${change}`, templatePaths.list)
}

function because(change: string, reason: string | null): string {
	return reason ? `${change}: ${reason}` : change
}

function endingOf({ name, others }: EndingCampaigns): string {
	return others > 0 ? `${plural(others + 1, 'campaign')} have` : `Campaign "${isolate(name)}" has`
}

function endingLinkOf({ id, others }: EndingCampaigns): string {
	return others > 0 ? campaignPaths.list : campaignPath(id)
}

function messagesOf({ campaign, isPassedOn }: CheckedRefund): string {
	const messages = isPassedOn ? 'messages not charged by WhatsApp' : 'failed messages'
	return `${messages} ${campaign ? `of campaign "${isolate(campaign.name)}"` : 'sent from chats'}`
}

function linkOf({ campaign }: CheckedRefund): string {
	return campaign ? campaignPath(campaign.id) : statementPaths.own
}

function rupees(paise: number): string {
	return formatRupees(rupeesFromPaise(paise))
}
