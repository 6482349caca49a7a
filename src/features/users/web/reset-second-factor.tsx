import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { users } from '#features/users/contract.ts'
import { mutation } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'

interface ResetSecondFactorProps {
	/** Id of the user or colleague. */
	id: string
	onReset: () => void
}

/**
 * Renders the button that deletes the second factor of a user who has lost phone and recovery codes. A second press
 * confirms.
 */
export function ResetSecondFactor({ id, onReset }: ResetSecondFactorProps) {
	const [asked, setAsked] = useState(false)
	const reset = useMutation({
		...mutation(users.resetSecondFactor),
		onSuccess: ({ message }) => {
			onReset()
			toast.success(message)
		},
		onError: (error) => toast.failure(error, 'Failed to reset two-step login'),
	})
	if (reset.isSuccess) return 'Off'
	return (
		<>
			{asked ? 'On. Without it, the password is enough to sign in. Have you made sure who asks?' : 'On'}{' '}
			<Button
				size="xs"
				variant={asked ? 'filled' : 'outline'}
				color="red"
				disabled={reset.isPending}
				onClick={() => (asked ? reset.mutate({ params: { id } }) : setAsked(true))}
			>
				{asked ? 'Yes, reset it' : 'Reset'}
			</Button>
		</>
	)
}
