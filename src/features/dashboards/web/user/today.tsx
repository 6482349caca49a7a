import { IconGauge, IconMessageCircle, IconSpeakerphone, IconWallet } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { campaignPath } from '#features/campaigns/paths.ts'
import { resultText } from '#features/campaigns/rules.ts'
import { chatPaths } from '#features/chats/paths.ts'
import { Limit } from '#features/delivery/web/parts.tsx'
import { MAX_COUNTED } from '#features/inbox/rules.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { durationText } from '#lib/durations.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { IconBox } from '#lib/web/ui/layout/icon-box.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import type { Tone } from '#lib/web/ui/value/tone-badge.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { Dashboard } from './dashboard-tiles.tsx'
import styles from './user-dashboard.module.css'

/** Renders the first card of Home: replies that wait, the last result, balance and limit. */
export function Today({ dashboard }: { dashboard: Dashboard }) {
	const { waitingChats, longestWaiting, inbox, latest, wallet, limit, steps } = dashboard
	const last = latest.find(({ deliveredCount, failedCount }) => deliveredCount + failedCount > 0)
	return (
		<Card title="Today">
			<ul className={`bare ${styles.today}`}>
				{(waitingChats > 0 || steps.campaign) && (
					<Waiting chats={waitingChats} longest={longestWaiting} inbox={inbox} />
				)}
				{last && (
					<Row
						icon={<IconSpeakerphone size={20} aria-hidden />}
						tone="info"
						link={<Link to={campaignPath(last._id)}>Open report</Link>}
					>
						<b>
							<UserText text={last.name} />:
						</b>{' '}
						{resultText(last)}
					</Row>
				)}
				<Balance {...wallet} />
				{limit && (
					<Row icon={<IconGauge size={20} aria-hidden />} tone="neutral">
						<b>WhatsApp’s daily limit</b>
						<Limit standing={limit} />
					</Row>
				)}
			</ul>
		</Card>
	)
}

interface RowProps {
	icon: ReactNode
	tone: Tone
	link?: ReactNode
	children: ReactNode
}

function Row({ icon, tone, link, children }: RowProps) {
	return (
		<li>
			<IconBox tone={tone} icon={icon} />
			<div className="whole">{children}</div>
			{link && <div className={styles.link}>{link}</div>}
		</li>
	)
}

interface WaitingProps {
	chats: number
	longest: Dashboard['longestWaiting']
	inbox: Dashboard['inbox']
}

function Waiting({ chats, longest, inbox }: WaitingProps) {
	const icon = <IconMessageCircle size={20} aria-hidden />
	if (chats === 0)
		return (
			<Row icon={icon} tone="neutral">
				No customer is waiting for an answer.
				{inbox && <Inbox {...inbox} />}
			</Row>
		)
	return (
		<Row icon={icon} tone="ok" link={<Link to={chatPaths.live}>Open chats</Link>}>
			<b>{plural(chats, 'customer is', 'customers are')} waiting for an answer.</b>
			{longest && (
				<>
					{chats > 1 ? ' Longest: ' : ' '}
					<Link to={longest.link}>
						<UserText text={longest.name} />
					</Link>{' '}
					(<DateTime iso={longest.time} as="relative" />)
				</>
			)}
			{inbox && <Inbox {...inbox} />}
		</Row>
	)
}

function Inbox({ openChats, firstAnswerSeconds }: NonNullable<Dashboard['inbox']>) {
	return (
		<p className="fine">
			{openChats < MAX_COUNTED
				? plural(openChats, 'open chat')
				: `More than ${formatCount(MAX_COUNTED - 1)} open chats`}
			.{firstAnswerSeconds !== null && ` The first answer usually takes ${durationText(firstAnswerSeconds)}.`}
		</p>
	)
}

function Balance({ balance, marketingMessages: messages }: Dashboard['wallet']) {
	const isEmpty = messages === 0
	return (
		<Row
			icon={<IconWallet size={20} aria-hidden />}
			tone={isEmpty ? 'warn' : 'ok'}
			link={<Link to={statementPaths.payments}>Payments</Link>}
		>
			<b className="figures">{formatRupees(balance)}</b> in your wallet
			{messages !== null &&
				(isEmpty
					? ', too little for a marketing message.'
					: `, enough for ${messages === 1 ? 'one' : `about ${formatCount(messages)}`} marketing ${messages === 1 ? 'message' : 'messages'} in India.`)}
		</Row>
	)
}
