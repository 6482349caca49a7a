import { IconDownload } from '@tabler/icons-react'
import { saveFile } from '#lib/web/save-file.ts'
import { useAction } from '#lib/web/use-action.ts'
import { BusyButton, type BusyButtonProps } from './busy-button.tsx'

interface ActionButtonProps extends Omit<BusyButtonProps, 'busy' | 'onClick'> {
	/** Does it, and says what came of it. */
	act: () => Promise<unknown>
	/** Says that it failed. */
	failed: (error: unknown) => void
}

/** Does something at once, without a form or a question, and is busy until it is done. */
export function ActionButton({ act, failed, ...rest }: ActionButtonProps) {
	const { busy, run } = useAction()
	return <BusyButton {...rest} busy={busy} onClick={() => run(act, failed)} />
}

interface DownloadButtonProps extends Omit<ActionButtonProps, 'act'> {
	read: () => Promise<File>
	/** Under which it is saved; its own when left out. */
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
