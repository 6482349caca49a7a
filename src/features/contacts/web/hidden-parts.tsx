import { Checkbox } from '@mantine/core'
import { hiddenWords, type Hidden } from '#features/contacts/columns.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'

interface HiddenPartsProps {
	hidden: Hidden
	withHidden: boolean
	onChange: (withHidden: boolean) => void
	disabled: boolean
}

/** Names the hidden rows and columns of a workbook, and asks whether to include them. */
export function HiddenParts({ hidden, withHidden, onChange, disabled }: HiddenPartsProps) {
	const words = hiddenWords(hidden)
	if (words === null) return null
	return (
		<Notice tone="warn" role="status" title={words}>
			<p>They were hidden by a filter or by hand, and are {withHidden ? 'included' : 'left out'}.</p>
			<Checkbox
				mt={8}
				label="Include them"
				checked={withHidden}
				onChange={(event) => onChange(event.currentTarget.checked)}
				disabled={disabled}
			/>
		</Notice>
	)
}
