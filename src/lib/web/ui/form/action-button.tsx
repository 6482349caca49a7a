import { IconDownload } from '@tabler/icons-react'
import { saveFile } from '#lib/web/files/save-file.ts'
import { useAction } from '#lib/web/use-action.ts'
import { BusyButton, type BusyButtonProps } from './busy-button.tsx'

interface ActionButtonProps extends Omit<BusyButtonProps, 'busy' | 'onClick'> {
	/** The action; it shows its own success message. */
	act: () => Promise<unknown>
	/** Shows the error. */
	failed: (error: unknown) => void
}

/** Renders a button that runs an action without a form or confirmation, and is busy meanwhile. */
export function ActionButton({ act, failed, ...rest }: ActionButtonProps) {
	const { busy, run } = useAction()
	return <BusyButton {...rest} busy={busy} onClick={() => run(act, failed)} />
}

interface DownloadButtonProps extends Omit<ActionButtonProps, 'act'> {
	read: () => Promise<File>
	/** Name of the saved file; the answer's own by default. */
	fileName?: string
}

export function DownloadButton({ read, fileName, ...rest }: DownloadButtonProps) {
	return (
		<ActionButton
			variant="default"
			leftSection={<IconDownload size={16} aria-hidden />}
			act={async () => saveFile(await read(), fileName)}
			{...rest}
		/>
	)
}
