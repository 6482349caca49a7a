import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { campaigns, type CampaignDetail } from '#features/campaigns/contract.ts'
import { isAllowed } from '#features/campaigns/rules.ts'
import { wallet } from '#features/wallet/contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/confirm-dialog.tsx'

type Step = 'pause' | 'resume' | 'cancel'

function useStep(step: Step, id: string) {
	const change = useMutation({
		...mutation(campaigns[step]),
		// The screen itself says what has changed; a toast would stand on these very buttons.
		onSuccess: () => invalidate(campaigns.refresh, campaigns.list, campaigns.dashboard, wallet.balance),
		onError: (error) => briefToast.failure(error, `Failed to ${step} the campaign`),
	})
	return { busy: change.isPending, run: () => change.mutateAsync({ params: { id } }).catch(() => {}) }
}

export function CampaignActions({
	campaign: { _id, status, totalCount, sentCount, failedCount },
}: {
	campaign: CampaignDetail
}) {
	const pause = useStep('pause', _id)
	const resume = useStep('resume', _id)
	const cancel = useStep('cancel', _id)
	const isChanging = pause.busy || resume.busy
	const [asking, { open, close }] = useDisclosure(false)
	const isPaused = isAllowed('resume', status)
	const isOpen = isAllowed('cancel', status)
	if (!isOpen && !asking) return null
	return (
		<>
			{isOpen && (
				<Button variant="outline" color="red" leftSection={<IconX size={16} aria-hidden />} onClick={open}>
					Cancel
				</Button>
			)}
			{isOpen && (
				// One button with two meanings and never disabled, so that it keeps the focus when its meaning changes.
				<Button
					variant={isPaused ? 'filled' : 'default'}
					leftSection={isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
					aria-busy={isChanging}
					onClick={() => void (isChanging || (isPaused ? resume : pause).run())}
				>
					{isPaused ? 'Resume' : 'Pause'}
				</Button>
			)}
			<ConfirmDialog
				opened={asking}
				title="Cancel this campaign?"
				confirm="Cancel the campaign"
				dismiss="Keep it"
				busyText="Cancelling..."
				busy={cancel.busy}
				danger
				onConfirm={() => void cancel.run().then(close)}
				onClose={close}
			>
				{formatCount(totalCount - sentCount - failedCount)} of {formatCount(totalCount)} messages will not be sent, and
				the money set aside for them goes back to your wallet. This cannot be undone.
			</ConfirmDialog>
		</>
	)
}
