import { Box, Group, Skeleton, Stack } from '@mantine/core'
import { IconRotate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { whatsapp, type DeadLetter, type WebhookAccount } from '#features/whatsapp/contract.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { Stacked } from '#lib/web/ui/table/row/stacked.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import styles from './webhooks.module.css'

const FAILED = 'Failed to fetch deliveries'

/** Lists the dead letters of one account, each with its body and a button to repeat it. */
export function DeadLetters({ account: { userId, name } }: { account: WebhookAccount }) {
	const kept = useQuery(query(whatsapp.keptDeliveries, { params: { userId } }))
	const deliveries = kept.data?.deliveries
	return (
		<Box
			component="section"
			py={12}
			px="var(--app-gutter)"
			bg="var(--app-raised)"
			aria-label={`Webhooks not processed of ${name}`}
		>
			{kept.isPending && (
				<div role="status" aria-label="Loading deliveries">
					<Skeleton height={14} width="60%" />
				</div>
			)}
			{kept.error && !deliveries && <LoadError message={messageOf(kept.error, FAILED)} reading={kept} />}
			{deliveries?.length === 0 && <p>Every webhook was processed.</p>}
			<Stack component="ul" className="bare" gap={12}>
				{deliveries?.map((delivery) => (
					<Delivery key={delivery.id} userId={userId} delivery={delivery} />
				))}
			</Stack>
		</Box>
	)
}

function Delivery({ userId, delivery }: { userId: string; delivery: DeadLetter }) {
	const { id, receivedAt, reason, body } = delivery
	const replay = async () => {
		const { message } = await call(whatsapp.replayDelivery, { params: { userId, id } })
		toast.success(message)
		await invalidate(whatsapp.keptDeliveries, whatsapp.webhooks)
	}
	return (
		<li>
			<Group gap="8px 16px" justify="space-between">
				<Stacked under={<DateTime iso={receivedAt} />}>
					<span>
						<b className={styles.reason}>{reason}</b> <CopyButton text={reason} what="the reason" />
					</span>
				</Stacked>
				<ActionButton
					variant="default"
					leftSection={<IconRotate size={16} aria-hidden />}
					aria-label={`Replay delivery ${id}`}
					act={replay}
					failed={(error) => toast.failure(error, 'Failed to replay the delivery')}
				>
					Replay
				</ActionButton>
			</Group>
			<details className="unfolds">
				<summary className="quiet">Content</summary>
				<pre className={`framed ${styles.body}`} tabIndex={0}>
					{body}
				</pre>
			</details>
		</li>
	)
}
