import { useMutation } from '@tanstack/react-query'
import { campaigns } from '#features/campaigns/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'

type Step = 'pause' | 'resume' | 'cancel'

/** Pauses, resumes or cancels a campaign. */
export function useStep(step: Step, id: string) {
	const change = useMutation({
		...mutation(campaigns[step]),
		// The screen itself says what has changed; a toast would stand on these very buttons.
		onSuccess: () => invalidate(campaigns.refresh, campaigns.list, wallet.balance),
		onError: (error) => briefToast.failure(error, `Failed to ${step} the campaign`),
	})
	return { busy: change.isPending, run: () => change.mutateAsync({ params: { id } }).catch(() => {}) }
}
