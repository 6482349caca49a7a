import { Button, Group, Modal, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { contacts } from '#features/contacts/contract.ts'
import { MAX_ROWS } from '#features/contacts/rules.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { readNumbers } from './read-numbers.ts'

interface AddOptOutsProps {
	opened: boolean
	onClose: () => void
}

/** A list of numbers, for instance from another system, that shall receive no marketing. */
export function AddOptOuts({ opened, onClose }: AddOptOutsProps) {
	return (
		<Modal opened={opened} onClose={onClose} title="Add numbers" size={520}>
			<Form onClose={onClose} />
		</Modal>
	)
}

function Form({ onClose }: Pick<AddOptOutsProps, 'onClose'>) {
	const [text, setText] = useState('')
	const [error, setError] = useState<string | null>(null)
	const [rejected, setRejected] = useState<string[]>([])
	const numbers = readNumbers(text)
	const save = useMutation({
		...mutation(contacts.setOptOuts),
		onSuccess: async (result) => {
			briefToast.success(result.message)
			await invalidate(contacts.optedOut, contacts.list, contacts.latest, contacts.optOuts)
			setRejected(result.rejected)
			// What was not understood stays, to be put right.
			if (result.rejected.length > 0) setText(result.rejected.join('\n'))
			else onClose()
		},
		onError: (reason) => briefToast.failure(reason, 'Failed to save contact'),
	})
	const submit = () => {
		if (numbers.length === 0) return setError('Enter at least one number')
		if (numbers.length > MAX_ROWS) return setError(`At most ${formatCount(MAX_ROWS)} numbers at once`)
		save.mutate({ body: { numbers, optedOut: true } })
	}
	return (
		<form
			className="stack"
			noValidate
			onSubmit={(event) => {
				event.preventDefault()
				submit()
			}}
		>
			{rejected.length > 0 && (
				<Notice tone="warn" role="alert">
					{plural(rejected.length, 'line is not a phone number', 'lines are not phone numbers')}. The others are saved.
				</Notice>
			)}
			<Textarea
				label="Numbers"
				description={`One per line, or separated by commas. ${plural(numbers.length, 'number')} so far.`}
				required
				data-autofocus
				minRows={6}
				maxRows={14}
				value={text}
				error={error}
				onChange={(event) => {
					setText(event.currentTarget.value)
					setError(null)
				}}
			/>
			<Group justify="flex-end" gap={8}>
				<Button variant="default" onClick={onClose} disabled={save.isPending}>
					Cancel
				</Button>
				<Button type="submit" disabled={save.isPending} aria-busy={save.isPending} miw={168}>
					{save.isPending ? 'Saving...' : 'Opt out of marketing'}
				</Button>
			</Group>
		</form>
	)
}
