import { Group, Stack } from '@mantine/core'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'

interface ShownOnceProps {
	text: string
	/** Kind of the secret, such as "API key". */
	what: string
}

/** Shows a secret that cannot be read again later. */
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
