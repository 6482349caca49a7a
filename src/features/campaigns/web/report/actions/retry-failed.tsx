import { Button, Skeleton } from '@mantine/core'
import { IconReload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import type { ResponseOut } from '#lib/endpoint.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { newRequestId } from '#lib/request-id.ts'
import { ApiError, call, messageOf } from '#lib/web/api.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { useNavigate } from '#lib/web/router/hooks.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from '../campaign-detail.module.css'

/** Sends a campaign's failed messages again, after saying to how many and for how much. */
export function RetryFailed({ id, name }: { id: string; name: string }) {
	const navigate = useNavigate()
	// Each opening of the dialog has an idempotency key.
	const dialog = useDialogFor<string>()
	const wanted = query(campaignReports.retryEstimate, { params: { id } })
	const reading = useQuery({ ...wanted, staleTime: 0, enabled: dialog.opened })
	const { data, error } = reading
	const retry = async () => {
		const shown = data && { price: String(data.price), abroadPrices: data.abroadPrices }
		const body = { requestId: dialog.subject ?? '', ...shown }
		const { message, campaign } = await call(campaignReports.retryFailed, { params: { id }, body })
		briefToast.success(message)
		void invalidate(campaigns.list, wallet.balance)
		await navigate(campaignPath(campaign._id))
	}
	return (
		<>
			<Button
				variant="default"
				leftSection={<IconReload size={16} aria-hidden />}
				onClick={() => dialog.open(newRequestId())}
			>
				Retry failed
			</Button>
			<ConfirmDialog
				dialog={dialog}
				title="Retry failed messages"
				size={480}
				confirm={data ? `Send ${plural(data.recipients, 'message')}` : 'Send'}
				busyText="Sending..."
				disabled={!data || data.problems.some(({ isBlocking }) => isBlocking)}
				onConfirm={retry}
				failed={(reason) => {
					briefToast.failure(reason, 'Failed to retry the messages')
					if (reason instanceof ApiError && reason.status === 409) void invalidate(campaignReports.retryEstimate)
				}}
			>
				{data ? (
					<RetryLines estimate={data} name={name} />
				) : error ? (
					<LoadError message={messageOf(error, 'Failed to fetch campaign details')} reading={reading} />
				) : (
					<Skeleton height={180} />
				)}
			</ConfirmDialog>
		</>
	)
}

const figure = (text: string) => <span className="figures">{text}</span>

interface RetryLinesProps {
	estimate: ResponseOut<typeof campaignReports.retryEstimate>
	/** The name of the campaign whose messages failed. */
	name: string
}

function RetryLines({ estimate, name }: RetryLinesProps) {
	const { failed, heldBack, notWorthIt, optedOut, capped, recipients, price, cost, walletBalance, problems } = estimate
	const unpriced = estimate.unpriced.reduce((sum, group) => sum + group.recipients, 0)
	const costLabel = estimate.markets.length > 0 ? 'Cost, by country' : `Cost, at ${formatRupees(price)} a message`
	return (
		<div className="stack">
			<p>This creates a new campaign with the same message.</p>
			{recipients > 0 && (
				<p>
					<b>{plural(recipients, 'message')}</b> will be sent now to failed recipients of{' '}
					<b>
						<UserText text={name} />
					</b>{' '}
					for {formatRupees(cost)}. You can’t recall messages once sent.
				</p>
			)}
			<Facts
				className={styles.facts}
				of={{
					Failed: figure(formatCount(failed)),
					'Held back by WhatsApp': heldBack > 0 && figure(formatCount(heldBack)),
					'Not worth retrying': notWorthIt > 0 && figure(formatCount(notWorthIt)),
					'Opted out since': optedOut > 0 && figure(formatCount(optedOut)),
					'Already got enough marketing messages': capped > 0 && figure(formatCount(capped)),
					'In countries without a price': unpriced > 0 && figure(formatCount(unpriced)),
					'Will be sent again': figure(formatCount(recipients)),
					[costLabel]: figure(formatRupees(cost)),
					'Balance after': figure(formatRupees(walletBalance - cost)),
				}}
			/>
			{problems.map(({ message, isBlocking }) => (
				<Notice key={message} tone={isBlocking ? 'error' : 'warn'} role="status">
					{message}
				</Notice>
			))}
		</div>
	)
}
