import { Anchor } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useCurrentUser } from '#features/auth/web/parts.tsx'
import { campaigns, type Standing } from '#features/campaigns/contract.ts'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { dashboards } from '#features/dashboards/contract.ts'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { pricingPaths, RATE_SUMMARY_PATH } from '#features/pricing/paths.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { indianDay, spellDay } from '#lib/dates.ts'
import { formatRupees } from '#lib/money.ts'
import { call } from '#lib/web/api.ts'
import { appConfig } from '#lib/web/app-config.ts'
import { invalidate, mutation, query } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { AskAdmin } from '#lib/web/ui/value/ask-admin.tsx'

/** Polling interval in milliseconds, for notices that no event ends. */
const CHECK_INTERVAL_MS = 60_000

/** Milliseconds for which the rates' summary is not read again. Loading a rate card reads it anew. */
const RATES_STALE_MS = 10 * 60_000

export interface Notice {
	/** Short form for the single line on a phone. */
	title: string
	tone: 'warn' | 'error'
	text: ReactNode
}

/** Returns the reasons why sending is blocked or soon will be, with the action needed. */
export function useStandingNotices(): Notice[] {
	const role = useCurrentUser()?.role
	const { data } = useQuery({
		...query(campaigns.standing),
		enabled: role === 'user',
		refetchInterval: ({ state }) =>
			state.error || state.data?.sender || state.data?.wallet ? CHECK_INTERVAL_MS : false,
	})
	const missingFrom = useMissingRates(role === 'admin')
	const notices = []
	if (missingFrom) notices.push(ratesNotice(missingFrom))
	if (data?.sender) notices.push(senderNotice(data.sender))
	if (data?.wallet) notices.push(walletNotice(data.wallet))
	return notices
}

/** Returns the day of a change of WhatsApp's rates for which no card is loaded. Loads the contract for admins alone. */
function useMissingRates(isAdmin: boolean): string | null | undefined {
	const { data } = useQuery({
		// The key of `query(rates.summary)`, so that loading a card refreshes it.
		queryKey: [RATE_SUMMARY_PATH, {}, {}],
		queryFn: async () => call((await import('#features/pricing/rate-contract.ts')).rates.summary),
		enabled: isAdmin,
		staleTime: RATES_STALE_MS,
	})
	return data?.missingFrom
}

/** Returns the notice that no rate card is loaded for a change of WhatsApp's rates. */
function ratesNotice(day: string): Notice {
	const isOver = day <= indianDay(Date.now())
	return {
		title: 'WhatsApp’s rates change',
		tone: 'warn',
		text: (
			<>
				WhatsApp’s rates {isOver ? 'may have changed' : 'may change'} on {spellDay(day)}, and no rate card from that day
				is loaded. <Link to={pricingPaths.rates}>Load WhatsApp’s rate card</Link>
			</>
		),
	}
}

function senderNotice({ kind, reason }: NonNullable<Standing['sender']>): Notice {
	const campaignsLink = <Link to={campaignPaths.list}>Your campaigns</Link>
	switch (kind) {
		case 'no-credentials':
			return {
				title: 'WhatsApp is not connected',
				tone: 'warn',
				text: (
					<>
						WhatsApp is not connected yet, so nothing can be sent. Your administrator has to connect your WhatsApp
						number. <AskAdmin /> <Link to={dashboardPaths.user}>First steps</Link>
					</>
				),
			}
		case 'no-reports':
			return {
				title: 'No delivery reports',
				tone: 'warn',
				text: (
					<>
						No delivery reports arrive from WhatsApp: messages are sent, but their status is not updated. Your
						administrator has to check the webhook. <AskAdmin /> {campaignsLink}
					</>
				),
			}
		case 'stopped':
			return {
				title: 'Sending has stopped',
				tone: 'error',
				text: (
					<>
						<b>Sending has stopped. </b>
						<Reason text={reason} /> {campaignsLink} <StartAgain />
					</>
				),
			}
		case 'currency':
		case 'payment-method':
			return {
				title: kind === 'currency' ? 'WhatsApp bills in another currency' : 'No payment method at WhatsApp',
				tone: 'warn',
				text: <Reason text={reason} />,
			}
		case 'waiting':
			return {
				title: 'Sending waits',
				tone: 'warn',
				text: (
					<>
						<Reason text={reason} /> {campaignsLink}
					</>
				),
			}
	}
}

/** Renders a reason; adds the administrator's contact when they must act. */
function Reason({ text }: { text: string | null }): ReactNode {
	const isForAdmin = appConfig.supportContact && text?.includes('your administrator')
	return (
		<>
			{text} {isForAdmin && <AskAdmin />}
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

function walletNotice({ kind, balance }: NonNullable<Standing['wallet']>): Notice {
	const isEmpty = kind === 'empty'
	return {
		title: isEmpty ? 'Wallet is empty' : 'Wallet balance is low',
		tone: 'warn',
		text: (
			<>
				{isEmpty
					? `Your wallet has ${formatRupees(balance)} left, too little for one message.`
					: `Your wallet balance is low: ${formatRupees(balance)} left.`}{' '}
				Your administrator adds money once you have paid. <AskAdmin />{' '}
				<Link to={statementPaths.payments}>Your recharges</Link>
			</>
		),
	}
}
