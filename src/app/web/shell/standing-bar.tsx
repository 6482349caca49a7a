import { Anchor } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { campaigns, type Standing } from '#features/campaigns/contract.ts'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { dashboards } from '#features/dashboards/contract.ts'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { formatRupees } from '#lib/money.ts'
import { invalidate, mutation, query } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import styles from './layout.module.css'

/** What has no event of its own to end it, such as a report that comes after all. */
const CHECK_INTERVAL_MS = 60_000

/** On every screen of a user: why nothing is sent, or soon will not be, and what to do about it. */
export function StandingBar() {
	const { data } = useQuery({
		...query(campaigns.standing),
		refetchInterval: ({ state }) =>
			state.error || state.data?.sender || state.data?.wallet ? CHECK_INTERVAL_MS : false,
	})
	const isStopped = data?.sender?.kind === 'stopped'
	return (
		<div role="status">
			{data && (data.sender || data.wallet) && (
				<div className={styles.standing} data-tone={isStopped ? 'error' : 'warn'}>
					{data.sender && <p>{senderWords(data.sender)}</p>}
					{data.wallet && <p>{walletWords(data.wallet)}</p>}
				</div>
			)}
		</div>
	)
}

function senderWords({ kind, reason }: NonNullable<Standing['sender']>): ReactNode {
	if (kind === 'no-credentials')
		return (
			<>
				WhatsApp is not connected yet, so nothing can be sent. Your administrator enters the credentials of your
				WhatsApp account. <Link to={dashboardPaths.user}>First steps</Link>
			</>
		)
	const campaignsLink = <Link to={campaignPaths.list}>Your campaigns</Link>
	if (kind === 'no-reports')
		return (
			<>
				No delivery reports arrive from WhatsApp: messages are sent, but their status is not updated. Please contact
				your administrator. {campaignsLink}
			</>
		)
	return (
		<>
			{kind === 'stopped' && <b>Sending has stopped. </b>}
			{reason} {campaignsLink} {kind === 'stopped' && <StartAgain />}
		</>
	)
}

function StartAgain() {
	const resume = useMutation({
		...mutation(campaigns.resumeSending),
		onSuccess: () => invalidate(campaigns.standing, campaigns.refresh, campaigns.list, dashboards.user),
		onError: (error) => briefToast.failure(error, 'Failed to start sending'),
	})
	return (
		<Anchor
			component="button"
			type="button"
			underline="always"
			disabled={resume.isPending}
			onClick={() => resume.mutate({})}
		>
			Start sending again
		</Anchor>
	)
}

function walletWords({ kind, balance }: NonNullable<Standing['wallet']>): ReactNode {
	const recharges = <Link to={statementPaths.payments}>Your recharges</Link>
	return kind === 'empty' ? (
		<>
			Your wallet has {formatRupees(balance)} left, too little for one message. Ask your administrator for a recharge.{' '}
			{recharges}
		</>
	) : (
		<>
			Your wallet balance is low: {formatRupees(balance)} left. {recharges}
		</>
	)
}
