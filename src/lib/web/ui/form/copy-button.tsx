import { ActionIcon, CopyButton as Copy } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import styles from './copy-button.module.css'

interface CopyButtonProps {
	text: string
	/** Name of the copied text; the label is "Copy" plus this. */
	what: string
}

export function CopyButton({ text, what }: CopyButtonProps) {
	return (
		<Copy value={text} timeout={1500}>
			{({ copied, copy }) => (
				<ActionIcon
					variant="subtle"
					color="gray"
					size={28}
					className={styles.copy}
					aria-label={`Copy ${what}`}
					title={copied ? 'Copied' : `Copy ${what}`}
					onClick={copy}
				>
					{copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
				</ActionIcon>
			)}
		</Copy>
	)
}
