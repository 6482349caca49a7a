import { Alert, Box } from '@mantine/core'
import {
	IconAlertTriangle,
	IconCalendarEvent,
	IconClockPause,
	IconInfoCircle,
	IconMoon,
	IconPlayerPause,
	IconReload,
} from '@tabler/icons-react'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { type CampaignStatus, PAUSED_BY_OWNER } from '#features/delivery/rules.ts'
import { settingsPath } from '#features/users/paths.ts'
import { formatDateTime, spellClock } from '#lib/dates.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount } from '#lib/numbers.ts'
import { Link } from '#lib/web/router/link.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

interface Explanation {
	title: string
	color: string
	advice: string
	Icon: typeof IconAlertTriangle
}

const EXPLANATIONS: Partial<Record<CampaignStatus, Explanation>> = {
	draft: {
		title: 'This campaign is a draft',
		color: 'gray',
		advice:
			'Your software is still adding recipients. Nothing is sent or charged until it starts the campaign. A draft that is not started within 7 days is cancelled.',
		Icon: IconInfoCircle,
	},
	paused: {
		title: 'This campaign is paused',
		color: 'marigold',
		advice:
			'Press Resume to continue where it stopped. If you cancel, the money for unsent messages goes back to your wallet.',
		Icon: IconPlayerPause,
	},
	failed: {
		title: 'This campaign could not run',
		color: 'red',
		advice: 'The money for it is back in your wallet. Solve this problem, then create the campaign again.',
		Icon: IconAlertTriangle,
	},
	cancelled: {
		title: 'This campaign was cancelled',
		color: 'gray',
		advice: 'The money for unsent messages is back in your wallet.',
		Icon: IconInfoCircle,
	},
}

const PAUSED_ITSELF: Explanation = {
	title: 'Sending stopped automatically',
	color: 'marigold',
	advice:
		'Solve this problem, then press Resume. Sending continues where it stopped, and no one gets the message twice. If you cancel, the money for unsent messages goes back to your wallet.',
	Icon: IconAlertTriangle,
}

/** Shows the reason why a campaign does not send, and the remedy. */
export function CampaignReason({ campaign }: { campaign: CampaignDetail }) {
	const { status, statusReason, opensAt, quietUntil, limitedUntil, limit } = campaign
	const isByItself = status === 'paused' && statusReason !== null && statusReason !== PAUSED_BY_OWNER
	const explanation = isByItself ? PAUSED_ITSELF : EXPLANATIONS[status]
	if (explanation)
		return (
			<Alert title={explanation.title} color={explanation.color} icon={<explanation.Icon size={20} aria-hidden />}>
				{statusReason && statusReason !== PAUSED_BY_OWNER && <p>{statusReason}</p>}
				<Box component="p" mt={4}>
					{explanation.advice}
				</Box>
			</Alert>
		)
	if (quietUntil !== null)
		return (
			<Alert title={`Waits until ${spellClock(quietUntil)}`} icon={<IconMoon size={20} aria-hidden />}>
				These are your quiet hours. The rest is sent automatically after them. Change the hours in{' '}
				<Link to={settingsPath('rules')}>Settings</Link>.
			</Alert>
		)
	if (status === 'processing' && limitedUntil !== null)
		return (
			<Alert title="Waits for WhatsApp’s daily limit" icon={<IconClockPause size={20} aria-hidden />}>
				WhatsApp lets you start conversations with {limit ? formatCount(limit.perDay) : 'some'} people in 24 hours. The
				rest is sent automatically, the next messages on {formatDateTime(limitedUntil)} IST.
			</Alert>
		)
	if (status === 'processing' && statusReason) {
		return (
			<Alert title="Sending is waiting" color="marigold" icon={<IconClockPause size={20} aria-hidden />}>
				{statusReason}
			</Alert>
		)
	}
	if (status !== 'pending') return null
	return (
		<Alert title="Scheduled" icon={<IconCalendarEvent size={20} aria-hidden />}>
			This campaign starts on {formatDateTime(opensAt)} IST. You can change its name, values and time until then. Its
			recipients and cost are fixed.
		</Alert>
	)
}

/** Shows the campaigns that send failed messages again. */
export function Retries({ campaign: { retries } }: { campaign: CampaignDetail }) {
	if (retries.length === 0) return null
	return (
		<Alert title="Failed messages were sent again" icon={<IconReload size={20} aria-hidden />}>
			{retries.map(({ _id, name }) => (
				<p key={_id}>
					<Link to={campaignPath(_id)}>
						<UserText text={name} />
					</Link>
				</p>
			))}
		</Alert>
	)
}

/** Shows the charges of messages whose refund waits for an administrator. */
export function RefundWaiting({ campaign: { refundWaiting } }: { campaign: CampaignDetail }) {
	if (refundWaiting === 0) return null
	return (
		<Alert
			title={`A refund of ${formatRupees(refundWaiting)} is being checked`}
			icon={<IconClockPause size={20} aria-hidden />}
		>
			It is more than usual, so your administrator checks it first. Until then it is part of the total cost. You get a
			notification of the decision.
		</Alert>
	)
}
