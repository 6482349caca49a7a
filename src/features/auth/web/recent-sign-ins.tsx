import { Box, Group, Stack } from '@mantine/core'
import { IconKey, IconLogin2, IconShieldX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { query } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { useFirst } from '#lib/web/ui/state/use-first.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { auth, SignInOutcome, type AccountEvent } from '../contract.ts'

/** Number of events shown before "Show all". */
const FIRST = 5

/**
 * Lists sign-ins, failed attempts and changes of the user's own account, at first `FIRST` of them, so that the user
 * notices actions of a stranger.
 */
export function RecentSignIns() {
	const list = useQuery(query(auth.activity))
	const activity = list.data?.activity ?? []
	const { first, showAll } = useFirst(activity, { count: FIRST, name: 'entries' })
	return (
		<Card
			title="Recent sign-ins and changes"
			hint="The last 90 days. If something was not you, change your password and sign out everywhere."
			flush
			narrow
		>
			{list.error && !list.data && <LoadError message="Failed to fetch recent sign-ins" reading={list} />}
			{list.data && activity.length === 0 && <EmptyState title="Nothing yet" hint="Your next sign-in appears here." />}
			<ul className="bare" aria-label="Recent sign-ins and changes" aria-busy={list.isPending}>
				{first.map((event) => (
					<Event key={event._id} event={event} />
				))}
			</ul>
			{showAll && (
				<Box className="ruled" py={8} px="var(--app-gutter)">
					{showAll}
				</Box>
			)}
		</Card>
	)
}

function Event({ event: { kind, device, ip, at } }: { event: AccountEvent }) {
	const hasFailed = isFailedSignIn(kind)
	const Icon = hasFailed ? IconShieldX : kind === 'signed-in' ? IconLogin2 : IconKey
	return (
		<Group component="li" className="entry" gap={12} wrap="nowrap">
			<Icon className="secondary" size={22} stroke={1.6} aria-hidden />
			<Stack gap={2} miw={0}>
				<Group component="span" gap="2px 8px" fw={600}>
					{ACCOUNT_EVENT_TEXTS[kind]} {hasFailed && <ToneBadge tone="error" label="Failed" />}
				</Group>
				<span className="quiet whole">
					{device && `${device} · `}
					{ip ?? 'Unknown address'} · <DateTime iso={at} />
				</span>
			</Stack>
		</Group>
	)
}

/** Text of each event in the user's own list. */
const ACCOUNT_EVENT_TEXTS: Record<AccountEvent['kind'], string> = {
	'signed-in': 'Signed in',
	'wrong-password': 'Tried to sign in with a wrong password',
	'wrong-code': 'Tried to sign in with the password and a wrong code',
	inactive: 'Tried to sign in while the account was inactive',
	'email-changed': 'Email changed',
	'email-confirmed': 'New email confirmed by a mailed link',
	'email-undone': 'Change of email undone by a mailed link',
	'password-changed': 'Password changed',
	'password-reset': 'Password reset by a mailed link',
	'second-factor-added': 'Two-step login set up',
	'second-factor-removed': 'Two-step login removed',
	'second-factor-reset': 'Two-step login reset by an administrator',
	'recovery-code-used': 'Recovery code used',
	'api-key-made': 'API key made',
	'api-key-revoked': 'API key revoked',
	'webhook-added': 'Webhook added',
	'webhook-changed': 'Webhook changed',
	'webhook-deleted': 'Webhook deleted',
	'programs-revoked': 'API keys and webhooks revoked',
	'user-edited': 'Account edited by an administrator',
	'data-downloaded': 'All data downloaded',
}

function isFailedSignIn(kind: AccountEvent['kind']): boolean {
	return kind !== 'signed-in' && SignInOutcome.safeParse(kind).success
}
