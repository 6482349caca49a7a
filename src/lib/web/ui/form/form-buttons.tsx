import { Button, Group } from '@mantine/core'

interface FormButtonsProps {
	/** What the submit button says while nothing is being saved. */
	save: string
	busy: boolean
	onCancel: () => void
}

/** Cancel and submit, at the end of a form. The submit button keeps its width while it is busy. */
export function FormButtons({ save, busy, onCancel }: FormButtonsProps) {
	return (
		<Group justify="flex-end" gap={8}>
			<Button variant="default" onClick={onCancel} disabled={busy}>
				Cancel
			</Button>
			<Button type="submit" disabled={busy} aria-busy={busy} miw={128}>
				{busy ? 'Saving...' : save}
			</Button>
		</Group>
	)
}
