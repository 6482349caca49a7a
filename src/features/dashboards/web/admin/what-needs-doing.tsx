import { Box, Group, Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconKey, IconWalletOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AdminStats } from '#features/dashboards/admin-contract.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { userPaths } from '#features/users/paths.ts'
import { walletPaths } from '#features/wallet/paths.ts'
import { whatsappPaths } from '#features/whatsapp/paths.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { Link } from '#lib/web/router/link.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { IconBox } from '#lib/web/ui/layout/icon-box.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './admin-dashboard.module.css'

/** Renders users and senders with a problem, its reason, and a link to the screen that fixes it. */
export function WhatNeedsDoing({ stats }: { stats: AdminStats | undefined }) {
	return (
		<Card title="Needs attention" flush actions={<Link to={whatsappPaths.webhooks}>Webhooks</Link>}>
			{stats ? <Tasks stats={stats} /> : <Skeleton height={132} radius={0} />}
		</Card>
	)
}

const PROBLEM: Record<AdminStats['problems'][number]['kind'], string> = {
	stopped: 'cannot send',
	waiting: 'waits for WhatsApp',
	'no-reports': 'gets no status updates',
	billing: 'has a billing problem at WhatsApp',
	'refunds-waiting': 'has refunds to check',
	refunds: 'has unusually many refunds',
}

function Tasks({ stats: { problems, problemCount, withoutCredentials, withoutMoney } }: { stats: AdminStats }) {
	if (problemCount + withoutCredentials.count + withoutMoney.count === 0)
		return (
			<EmptyState
				title="Nothing needs attention"
				hint="Every active user has credentials and money, and every sender works."
				icon={<IconCircleCheck size={32} stroke={1.5} aria-hidden />}
			/>
		)
	return (
		<ul className={`bare ${styles.links}`}>
			{problems.map(({ _id, kind, name, email, reason, since }) => (
				<Task key={`${kind} ${_id}`} tone="error" icon={<IconAlertTriangle size={20} aria-hidden />}>
					<p>
						<Person
							screen={kind === 'refunds-waiting' ? statementPaths.refunds : userPaths.manage}
							email={email}
							name={name}
						/>{' '}
						{PROBLEM[kind]}
						{since !== null && (
							<>
								{' · '}
								<DateTime iso={since} as="relative" />
							</>
						)}
					</p>
					<p className="quiet">{reason}</p>
				</Task>
			))}
			{problemCount > problems.length && (
				<Task tone="error" icon={<IconAlertTriangle size={20} aria-hidden />}>
					<p>{formatCount(problemCount - problems.length)} more need attention</p>
				</Task>
			)}
			{withoutCredentials.count > 0 && (
				<Task tone="warn" icon={<IconKey size={20} aria-hidden />}>
					<p>{plural(withoutCredentials.count, 'user has', 'users have')} no WhatsApp credentials yet</p>
					<Named affected={withoutCredentials} screen={userPaths.manage} />
				</Task>
			)}
			{withoutMoney.count > 0 && (
				<Task tone="warn" icon={<IconWalletOff size={20} aria-hidden />}>
					<p>{plural(withoutMoney.count, 'user has', 'users have')} too little in the wallet for one message</p>
					<Named affected={withoutMoney} screen={walletPaths.recharge} />
				</Task>
			)}
		</ul>
	)
}

function Task({ tone, icon, children }: { tone: 'error' | 'warn'; icon: ReactNode; children: ReactNode }) {
	return (
		<Group component="li" className="entry" gap={12} align="stretch" wrap="nowrap">
			<IconBox tone={tone} icon={icon} />
			<Box className="whole" miw={0}>
				{children}
			</Box>
		</Group>
	)
}

function Named({ affected: { count, users }, screen }: { affected: AdminStats['withoutMoney']; screen: string }) {
	return (
		<p className="quiet">
			{users.map(({ _id, name, email }, index) => (
				<span key={_id}>
					{index > 0 && ', '}
					<Person screen={screen} email={email} name={name} />
				</span>
			))}
			{count > users.length && ` and ${formatCount(count - users.length)} more`}
		</p>
	)
}

function Person({ screen, email, name }: { screen: string; email: string; name: string }) {
	return (
		<Link to={`${screen}?search=${encodeURIComponent(email)}`}>
			<UserText text={name} />
		</Link>
	)
}
