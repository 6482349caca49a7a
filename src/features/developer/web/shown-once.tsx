import { Group, Stack } from '@mantine/core'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'

interface ShownOnceProps {
	text: string
	/** "API key" */
	what: string
}

/** A secret that nobody can look up again. */
export function ShownOnce({ text, what }: ShownOnceProps) {
	return (
		<Notice tone="ok" role="status">
			<Stack gap={4}>
				<span>Copy the {what} now. It is not shown again.</span>
				<Group gap={4} wrap="nowrap">
					<code className="whole">{text}</code>
					<CopyButton text={text} what={what} />
				</Group>
			</Stack>
		</Notice>
	)
}
