import { Anchor } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay } from '#features/auth/web/parts.tsx'
import { campaigns, type Standing } from '#features/campaigns/contract.ts'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { dashboards } from '#features/dashboards/contract.ts'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { AddMoneyLink } from '#features/payments/web/parts.tsx'
import { pricingPaths, RATE_SUMMARY_PATH } from '#features/pricing/paths.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { wallet as wallets } from '#features/wallet/contract.ts'
import { indianDay, spellDay } from '#lib/dates.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import { formatRupees } from '#lib/money.ts'
import { call } from '#lib/web/api.ts'
import { appConfig } from '#lib/web/app-config.ts'
import { invalidate, mutation, query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { briefToast } from '#lib/web/toast.tsx'
import { AskAdmin } from '#lib/web/ui/value/ask-admin.tsx'

/** Polling interval in milliseconds, for notices that no event ends. */
const CHECK_INTERVAL_MS = 60_000

/** Milliseconds for which the rates' summary is not read again. Loading a rate card reads it anew. */
const RATES_STALE_MS = 10 * MINUTE_MS

export interface Notice {
	/** The short form, which the bar shows. */
	title: string
	tone: 'error' | 'warn' | 'info'
	text: ReactNode
}

/** Kinds of notices: those that stop sending come before those that delay it, hide its results or will stop it. */
const BY_URGENCY = [
	'stopped',
	'owed',
	'no-credentials',
	'payment-method',
	'empty',
	'waiting',
	'no-reports',
	'currency',
	'low',
	'rates',
]

/** Returns the reasons why sending is blocked or soon will be, with the action needed, the most urgent first. */
export function useStandingNotices(): Notice[] {
	const isManager = useMay('manager')
	const { data } = useQuery({
		...query(campaigns.standing),
		enabled: isManager,
		refetchInterval: ({ state }) =>
			state.error || state.data?.sender || state.data?.wallet ? CHECK_INTERVAL_MS : false,
	})
	const balance = useQuery({ ...query(wallets.balance), enabled: isManager }).data
	const missingFrom = useMissingRates(useMay('admin'))
	const { sender, wallet } = data ?? {}
	const found: { kind: string; notice: Notice }[] = []
	if (missingFrom) found.push({ kind: 'rates', notice: ratesNotice(missingFrom) })
	if (sender) found.push({ kind: sender.kind, notice: senderNotice(sender) })
	if (balance && balance.owed > 0) found.push({ kind: 'owed', notice: owedNotice(balance.owed) })
	if (wallet) found.push({ kind: wallet.kind, notice: walletNotice(wallet) })
	return found.toSorted((a, b) => BY_URGENCY.indexOf(a.kind) - BY_URGENCY.indexOf(b.kind)).map(({ notice }) => notice)
}

/** Returns the day of a change of WhatsApp's rates for which no card is loaded. Loads the contract only for admins. */
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
						Nothing can be sent yet. Your administrator has to connect your WhatsApp number. <AskAdmin />{' '}
						<Link to={dashboardPaths.user}>First steps</Link>
					</>
				),
			}
		case 'no-reports':
			return {
				title: 'No delivery reports',
				tone: 'warn',
				text: (
					<>
						Messages are sent, but their status is not updated. Your administrator has to check the webhook.{' '}
						<AskAdmin /> {campaignsLink}
					</>
				),
			}
		case 'stopped':
			return {
				title: 'Sending has stopped',
				tone: 'error',
				text: (
					<>
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
				title: 'Sending is waiting',
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
					? `${formatRupees(balance)} is left, too little for one message.`
					: `${formatRupees(balance)} is left.`}{' '}
				<HowToAdd /> <Link to={statementPaths.payments}>Your recharges</Link>
			</>
		),
	}
}

/** Returns the notice of money that a refunded or disputed payment left to be paid. */
function owedNotice(owed: number): Notice {
	return {
		title: 'Money is owed',
		tone: 'error',
		text: (
			<>
				{formatRupees(owed)} is owed, because a payment went back after its money was spent. No new campaign is sent
				until it is settled. <HowToAdd /> <Link to={statementPaths.own}>Your statement</Link>
			</>
		),
	}
}

/** Renders the way to a higher balance: a payment online, or the administrator. */
function HowToAdd() {
	if (appConfig.addMoney) return <AddMoneyLink />
	return (
		<>
			Your administrator adds money once you have paid. <AskAdmin />
		</>
	)
}
