import { Button, Group, Modal, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconReload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useNavigate } from 'react-router'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import type { ResponseOut } from '#lib/endpoint.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { newRequestId } from '#lib/request-id.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import styles from '../campaign-detail.module.css'

type Estimate = ResponseOut<typeof campaignReports.retryEstimate>

/** Sends a campaign's failed messages again, after saying to how many and for how much. */
export function RetryFailed({ id }: { id: string }) {
	const [opened, { open, close }] = useDisclosure(false)
	return (
		<>
			<Button variant="default" leftSection={<IconReload size={16} aria-hidden />} onClick={open}>
				Retry failed
			</Button>
			<Modal opened={opened} onClose={close} title="Retry failed messages" size={480}>
				<RetryQuestion id={id} onClose={close} />
			</Modal>
		</>
	)
}

function RetryQuestion({ id, onClose }: { id: string; onClose: () => void }) {
	const navigate = useNavigate()
	const [requestId] = useState(newRequestId)
	const reading = useQuery({ ...query(campaignReports.retryEstimate, { params: { id } }), staleTime: 0 })
	const retry = async () => {
		const { message, campaign } = await call(campaignReports.retryFailed, { params: { id }, body: { requestId } })
		briefToast.success(message)
		void invalidate(campaigns.list, wallet.balance)
		await navigate(campaignPath(campaign._id))
	}
	const { data, error } = reading
	if (error && !data)
		return <LoadError message={messageOf(error, 'Failed to fetch campaign details')} reading={reading} />
	const isBlocked = !data || data.problems.some(({ isBlocking }) => isBlocking)
	return (
		<div className="stack">
			{data ? <RetryLines estimate={data} /> : <Skeleton height={180} />}
			<Group justify="flex-end" gap={8}>
				<Button variant="default" onClick={onClose} data-autofocus>
					Cancel
				</Button>
				<ActionButton
					disabled={isBlocked}
					busyText="Sending..."
					act={retry}
					failed={(reason) => briefToast.failure(reason, 'Failed to retry the messages')}
				>
					{data ? `Send ${plural(data.recipients, 'message')}` : 'Send'}
				</ActionButton>
			</Group>
		</div>
	)
}

function RetryLines({ estimate }: { estimate: Estimate }) {
	const { failed, notWorthIt, optedOut, recipients, price, cost, walletBalance, problems } = estimate
	const lines = [
		{ name: 'Failed', value: formatCount(failed), isShown: true },
		{ name: 'Would fail again, or already retried', value: formatCount(notWorthIt), isShown: notWorthIt > 0 },
		{ name: 'Opted out since', value: formatCount(optedOut), isShown: optedOut > 0 },
		{ name: 'Will be sent again', value: formatCount(recipients), isShown: true },
		{ name: `Cost, at ${formatRupees(price)} a message`, value: formatRupees(cost), isShown: true },
		{ name: 'Balance after', value: formatRupees(walletBalance - cost), isShown: true },
	]
	return (
		<>
			<p>A new campaign sends the same message again to the recipients it may reach this time.</p>
			<dl className={`facts ${styles.facts}`}>
				{lines
					.filter(({ isShown }) => isShown)
					.map(({ name, value }) => (
						<Fragment key={name}>
							<dt>{name}</dt>
							<dd className="figures">{value}</dd>
						</Fragment>
					))}
			</dl>
			{problems.map(({ message, isBlocking }) => (
				<Notice key={message} tone={isBlocking ? 'error' : 'warn'} role="status">
					{message}
				</Notice>
			))}
		</>
	)
}
