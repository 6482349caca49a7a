import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCopy, IconPencil, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type CampaignDetail, campaigns } from '#features/campaigns/contract.ts'
import { campaignCopyPath, campaignEditPath } from '#features/campaigns/paths.ts'
import { isAllowed } from '#features/delivery/rules.ts'
import { wallet } from '#features/wallet/contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { once } from '#lib/web/first-click.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import styles from './campaign-actions.module.css'

export function CampaignActions({ campaign }: { campaign: CampaignDetail }) {
	const { _id, status, startedAt, isTest, isApi } = campaign
	const [asking, ask] = useDisclosure(false)
	const isPaused = status === 'paused'
	const isOpen = campaign.restored === null && isAllowed('cancel', status)
	const isEditable = isOpen && status !== 'draft' && status !== 'processing' && startedAt === null
	return (
		<>
			{!isTest && !isApi && (
				<Button
					component={Link}
					to={campaignCopyPath(_id)}
					variant="default"
					leftSection={<IconCopy size={16} aria-hidden />}
				>
					Duplicate
				</Button>
			)}
			{isEditable && (
				<Button
					component={Link}
					to={campaignEditPath(_id)}
					variant="default"
					leftSection={<IconPencil size={16} aria-hidden />}
				>
					Edit
				</Button>
			)}
			{isOpen && (
				<div className={styles.thumb}>
					<Button variant="outline" color="red" leftSection={<IconX size={16} aria-hidden />} onClick={ask.open}>
						Cancel
					</Button>
					{status !== 'draft' && <PauseOrResume id={_id} isPaused={isPaused} />}
				</div>
			)}
			<CancelQuestion campaign={campaign} dialog={{ opened: asking, close: ask.close }} />
		</>
	)
}

/**
 * Shows one button for pause and resume. The button is never disabled, so that it keeps the focus when its action
 * changes.
 */
function PauseOrResume({ id, isPaused }: { id: string; isPaused: boolean }) {
	const pause = useStep('pause', id)
	const resume = useStep('resume', id)
	const isChanging = pause.busy || resume.busy
	return (
		<Button
			variant={isPaused ? 'filled' : 'default'}
			leftSection={isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
			aria-busy={isChanging}
			onClick={once(() => void (isChanging || (isPaused ? resume : pause).run()))}
		>
			{isPaused ? 'Resume' : 'Pause'}
		</Button>
	)
}

interface CancelQuestionProps {
	campaign: CampaignDetail
	dialog: { opened: boolean; close: () => void }
}

function CancelQuestion({ campaign: { _id, status, totalCount, pendingCount }, dialog }: CancelQuestionProps) {
	const cancel = useStep('cancel', _id)
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Cancel this campaign?"
			confirm="Cancel the campaign"
			dismiss="Keep campaign"
			busyText="Cancelling..."
			danger
			onConfirm={() => cancel.run().then(dialog.close)}
		>
			{formatCount(pendingCount)} of {formatCount(totalCount)} messages will not be sent
			{status !== 'draft' && ', and the money for them goes back to your wallet'}. This cannot be undone.
		</ConfirmDialog>
	)
}

type Step = 'pause' | 'resume' | 'cancel'

/** Pauses, resumes or cancels a campaign. */
function useStep(step: Step, id: string) {
	const change = useMutation({
		...mutation(campaigns[step]),
		// The screen shows the change. A toast would cover these buttons.
		onSuccess: () => invalidate(campaigns.refresh, campaigns.list, wallet.balance),
		onError: (error) => briefToast.failure(error, `Failed to ${step} the campaign`),
	})
	return { busy: change.isPending, run: () => change.mutateAsync({ params: { id } }).catch(() => {}) }
}
